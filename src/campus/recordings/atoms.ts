import { classOf, type MemberClass } from '../../domain/classes.ts';
import { isRecord } from '../../lib/text.ts';
import { collapse } from '../parsing/text.ts';
import { isUuid, type Ledger, momentIn, moments, namesTerm, runs, saysNothing } from './ledger.ts';
import type { Reading } from './recording.ts';

/** Other digits, and the page is another one: a driver compares what stands there. */
export const DECIDES: Member = 'page.code';

/** A member of a record, below the one in which its object stands, or below the method that read it. */
export type Member = `${string}.${string}`;

type Leaf = string | number | boolean | null;

/** A record with other leaves. */
export const mapLeaves = (
  value: unknown,
  parent: string,
  member: string,
  next: (leaf: Leaf, member: Member) => unknown,
): unknown => {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, parent, member, next));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapLeaves(each, member, name, next)]));
  return next(value as Leaf, `${parent}.${member}`);
};

export const classOfMember = (member: Member): MemberClass | null => {
  const [parent = '', name = ''] = member.split('.');
  return classOf(parent, name);
};

export const mapRecord = ({ page, record }: Reading, next: (leaf: Leaf, member: Member) => unknown): unknown => {
  const [area = '', method = ''] = page.split('.');
  return mapLeaves(record, area, method, next);
};

/** What a record says, and so what its pages say, by classes and members. */
export interface Atoms {
  /** Classes of a text, as the members tell; numbers are keys as `Number` writes them. */
  readonly classes: ReadonlyMap<string, ReadonlyMap<MemberClass | null, ReadonlySet<Member>>>;
  readonly lengths: readonly number[];
  readonly dates: ReadonlySet<string>;
}

/** The parts of a value that may stand by themselves on a page. */
const partsOf = (kind: MemberClass | null, text: string): readonly string[] => {
  if (kind === 'person') return [text, ...text.split(/[\s*＊,，、;；/]+/)];
  if (kind === 'place') return [...text.split(/\s+/), ...(text.match(runs) ?? [])];
  if (kind === 'code' || kind === 'id') return [text, ...(text.match(/[\p{L}\p{M}\d]+/gu) ?? [])];
  return [text];
};

export const numberKey = (text: string): string =>
  /^-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)$/.test(text) && text.length < 16
    ? `#${Number(text.replaceAll(',', ''))}`
    : text;

export const atomsOf = (readings: readonly Reading[]): Atoms => {
  const classes = new Map<string, Map<MemberClass | null, Set<Member>>>();
  const dates = new Set<string>();
  const add = (text: string, kind: MemberClass | null, member: Member): void => {
    if (saysNothing(text)) return;
    for (const key of new Set([text, numberKey(text)])) {
      const kinds = classes.get(key) ?? new Map<MemberClass | null, Set<Member>>();
      classes.set(key, kinds);
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(member));
    }
  };
  for (const reading of readings)
    mapRecord(reading, (leaf, member) => {
      const kind = classOfMember(member);
      if (leaf === null || kind === 'own' || kind === 'asked') return leaf;
      const text = collapse(String(leaf));
      if (kind === 'date') dates.add(text);
      for (const part of partsOf(kind, text)) add(part, kind, member);
      return leaf;
    });
  const lengths = [...new Set([...classes.keys()].filter((key) => !key.startsWith('#')).map((key) => key.length))];
  return { classes, dates, lengths: lengths.toSorted((a, b) => b - a) };
};

const order: readonly (MemberClass | null)[] = [
  ...([
    'id',
    'person',
    'course',
    'code',
    'place',
    'plan',
    'name',
    'mark',
    'amount',
    'date',
    'ordinal',
    'left',
  ] as const),
  ...(['public', 'clock'] as const),
  ...(['closed', null] as const),
];

/** The class of a text in a cell that is known to reach these members; undefined: no record says it. */
export const kindOf = (atoms: Atoms, key: string, members: ReadonlySet<Member>): MemberClass | null | undefined => {
  const kinds = atoms.classes.get(key);
  if (kinds === undefined) return undefined;
  const reached = order.find((kind) => [...(kinds.get(kind) ?? [])].some((member) => members.has(member)));
  // A short number is a text of many members, and says nothing of the others.
  return reached !== undefined || /^#?[\d.,-]+$/.test(key) ? reached : order.find((kind) => kinds.has(kind));
};

/** Of a list that every campus has, as the kind of a row. */
export const isShortCode = (text: string): boolean => /^\d{1,2}$/.test(text);

interface Reach {
  readonly atoms: Atoms;
  readonly ledger: Ledger;
  readonly isKept: (word: string) => boolean;
}

const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\d]/u.test(sign);
const isAscii = (sign: string): boolean => /[A-Za-z\d]/.test(sign);

/** One that is made by chance is one run, whatever it begins with. */
const oneRun =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])|(?=[a-z\d]{8})\d+[a-z][a-z\d]*|\p{Script=Han}[\p{Script=Han}·・]*|[\p{L}\p{M}_][\p{L}\p{M}\d_-]*|\d+(?:,\d{3})*(?:\.\d+)?|[^\p{L}\p{M}\d_]+)/iu;

/** A text of kept words alone, one after the other. */
export const isKeptRun = (run: string, isKept: (word: string) => boolean): boolean => {
  if (isKept(run)) return true;
  if (run.length < 4) return false;
  for (let at = 2; at <= run.length - 2; at += 1)
    if (isKept(run.slice(0, at)) && isKeptRun(run.slice(at), isKept)) return true;
  return false;
};

const units = /^[第周节年月日元度级学期分门次至]$/;

/** A number before or behind it; one before it may stand in the cell before, as in `<b>41</b> 门, …`. */
const isBesideNumber = (text: string, from: number, to: number): boolean => {
  const before = text.slice(Math.max(0, from - 2), from);
  const isFirst = from < 3 && before.trim() === '' && /\d/.test(text);
  return isFirst || /\d\s?$/.test(before) || /^\s?\d/.test(text.slice(to, to + 2));
};

/** Replaces what a record says in a text that is read, and whatever is no kept word. */
export const scrubText = (text: string, members: ReadonlySet<Member>, { atoms, ledger, isKept }: Reach): string => {
  if (saysNothing(text)) return text;
  const trimmed = collapse(text);
  const whole = kindOf(atoms, trimmed, members) ?? kindOf(atoms, numberKey(trimmed), members);
  if (members.has(DECIDES) && isShortCode(trimmed)) return text;
  const kinds = new Set([...members].map(classOfMember));
  const open = kinds.has('clock') ? 'clock' : 'public';
  const isOpen = kinds.has(open);
  const isClosed = members.size > 0 && [...kinds].every((kind) => kind === 'closed' || kind === 'own');
  const isOfList = whole === undefined || whole === 'name' || whole === 'closed' || whole === null;
  // A code that a driver compares with, such as `001`, is no number.
  const isCode = (whole === 'amount' || whole === 'ordinal') && /^0\d/.test(trimmed);
  if ((isOfList || isCode) && isKept(trimmed.replaceAll(' ', ''))) return text;
  if (whole !== undefined && whole !== 'public' && whole !== 'clock') {
    const [blank = ''] = /^\s*/.exec(text) ?? [];
    return `${blank}${ledger.of(whole, trimmed)}${/\s*$/.exec(text)?.[0] ?? ''}`;
  }
  if ([...members].every((member) => member === DECIDES) && namesTerm(trimmed)) return text;
  const parts: string[] = [];
  let at = 0;
  const dated = [...text.matchAll(moments)].filter(([source]) => momentIn(source) !== null);
  while (at < text.length) {
    const rest = text.slice(at);
    const moment = dated.find(({ index }) => index === at)?.[0];
    if (moment !== undefined) {
      parts.push(kinds.has('date') || !isOpen ? ledger.of('date', moment) : moment);
      at += moment.length;
      continue;
    }
    const [run = rest] = rest.match(oneRun) ?? [];
    if (isKeptRun(run, isKept)) {
      parts.push(run);
      at += run.length;
      continue;
    }
    const begins = !(isAscii(text[at] ?? '') && isAscii(text[at - 1] ?? ''));
    const found = !begins
      ? undefined
      : atoms.lengths
          .map((length) => rest.slice(0, length))
          .find((part) => {
            const after = rest[part.length];
            // A part of a number is none.
            if (/^\d[\d.,]*$/.test(part) && /^\d/.test(run) && part.length < run.length) return false;
            const ends = !(isAscii(part.at(-1) ?? '') && after !== undefined && isAscii(after));
            return (
              ends && (part.length > 1 || isAscii(part) || part === run) && kindOf(atoms, part, members) !== undefined
            );
          });
    const kind = found === undefined ? undefined : kindOf(atoms, found, members);
    if (found !== undefined && kind !== undefined && kind !== 'public' && kind !== 'clock') {
      parts.push(ledger.of(kind, found));
      at += found.length;
      continue;
    }
    parts.push(leftOver(run, text, at));
    at += run.length;
  }
  return parts.join('');

  function leftOver(run: string, source: string, from: number): string {
    if (saysNothing(run) || isKeptRun(run, isKept)) return run;
    if (/^\d[\d.,]*$/.test(run)) {
      const kind = kindOf(atoms, numberKey(run), members);
      if (kind !== undefined && kind !== 'public' && kind !== 'clock') return ledger.of(kind, run);
      if (isClosed) return ledger.of('closed', run);
      return isOpen ? ledger.of(open, run) : ledger.code(run);
    }
    if (units.test(run) && isBesideNumber(source, from, from + run.length)) return run;
    if (isOpen) return ledger.of('public', run);
    if (isUuid(run)) return ledger.code(run);
    if (/.[_-]./.test(run))
      return run
        .split(/([_-])/)
        .map((part) => (/[_-]/.test(part) ? part : leftOver(part, part, 0)))
        .join('');
    return isWord(run[0]) && !/\p{Script=Han}/u.test(run) ? ledger.code(run) : run.replace(/[\p{L}\p{M}\d]+/gu, '某');
  }
};

/** Replaces the leaves of a record as its pages are scrubbed. Members that are worked out here stay. */
export const scrubRecord = (reading: Reading, reach: Reach): unknown =>
  mapRecord(reading, (leaf, member) => {
    const kind = classOfMember(member);
    if (leaf === null || typeof leaf === 'boolean' || kind === 'own' || kind === 'asked') return leaf;
    const text = String(leaf);
    const next =
      kind === 'public' || kind === 'clock'
        ? scrubText(text, new Set([member]), reach)
        : reach.ledger.of(kind, collapse(text));
    return typeof leaf === 'number' ? Number(next) : next;
  });
