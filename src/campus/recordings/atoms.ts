import { classOf, type MemberClass, memberClasses } from '../../domain/classes.ts';
import { isRecord } from '../../lib/text.ts';
import { hasHan } from '../parsing/columns.ts';
import { collapse } from '../parsing/text.ts';
import type { Ledger } from './ledger.ts';
import { campusMomentIn, moments } from './moments.ts';
import type { RecordedReading } from './recording.ts';
import { isShortCode, isUuid, namesTerm, runs, saysNothing, signs, wordPattern } from './texts.ts';

// What the members of the records tell of the cells of the pages: of which class a text is, and what may stand in its place.

/** Stands for a member where no record shows a cell and a driver compares it: with other digits the page is another one. */
export const DECIDES_PAGE: Member = 'page.code';

/** A member of a record, below the one in which its object stands, or below the method that read it. */
export type Member = `${string}.${string}`;

type Leaf = string | number | boolean | null;

/** A record with other leaves, and with other names of members. */
const mapLeaves = (
  value: unknown,
  [parent, member]: readonly [parent: string, member: string],
  next: (leaf: Leaf, member: Member) => unknown,
  nameOf: (name: string) => string,
): unknown => {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, [parent, member], next, nameOf));
  if (!isRecord(value)) return next(value as Leaf, `${parent}.${member}`);
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, each]) => [nameOf(name), mapLeaves(each, [member, name], next, nameOf)]),
  );
};

/** Whatever it is, with other texts and numbers in it. */
export const mapTexts = (value: unknown, next: (text: string) => string): unknown =>
  mapLeaves(
    value,
    ['', ''],
    (leaf) => (typeof leaf === 'number' ? Number(next(String(leaf))) : typeof leaf === 'string' ? next(leaf) : leaf),
    String,
  );

export const classOfMember = (member: Member): MemberClass | null => {
  const [parent = '', name = ''] = member.split('.');
  return classOf(parent, name);
};

export const mapRecord = (
  { page, record }: Pick<RecordedReading, 'page' | 'record'>,
  next: (leaf: Leaf, member: Member) => unknown,
  nameOf: (name: string) => string = String,
): unknown => {
  const [area = '', method = ''] = page.split('.');
  return mapLeaves(record, [area, method], next, nameOf);
};

/** Every text and number of the records, with the classes of the members that it comes from. */
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

export const atomsOf = (readings: readonly RecordedReading[]): Atoms => {
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
      if (leaf === null || kind === 'own') return leaf;
      const text = collapse(String(leaf));
      if (kind === 'date') dates.add(text);
      for (const part of partsOf(kind, text)) add(part, kind, member);
      return leaf;
    });
  const lengths = [...new Set([...classes.keys()].filter((key) => !key.startsWith('#')).map((key) => key.length))];
  return { classes, dates, lengths: lengths.toSorted((a, b) => b - a) };
};

const order: readonly (MemberClass | null)[] = [...memberClasses, null];

/** The class of a text in a cell that is known to reach these members; undefined: no record says it. */
export const classOfAtom = (
  atoms: Atoms,
  key: string,
  members: ReadonlySet<Member>,
): MemberClass | null | undefined => {
  const kinds = atoms.classes.get(key);
  if (kinds === undefined) return undefined;
  const reached = order.find((kind) => [...(kinds.get(kind) ?? [])].some((member) => members.has(member)));
  // A short number is a text of many members, and says nothing of the others.
  const isCommon = /^#?[\d.,-]+$/.test(key) && !/^#?\d{5,}$/.test(key);
  return reached !== undefined || isCommon ? reached : order.find((kind) => kinds.has(kind));
};

interface ScrubFacts {
  readonly atoms: Atoms;
  readonly ledger: Ledger;
  readonly isKept: (word: string) => boolean;
}

const isAscii = (sign: string): boolean => /[A-Za-z\d]/.test(sign);

/** One that is made by chance is one run, whatever it begins with. */
const oneRun = new RegExp(
  String.raw`^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])|(?=[a-z\d]{8})\d+[a-z][a-z\d]*|\p{Script=Han}[\p{Script=Han}·・]*|[\p{L}\p{M}_][\p{L}\p{M}\d_-]*|\d+(?:,\d{3})*(?:\.\d+)?|[\p{N}\p{Co}\u{10000}-\u{10FFFF}]+|[^${signs}_]+)`,
  'iu',
);

/** No word is longer. */
const longestWord = 60;

/** A text of kept words alone, one after the other, and which of them it is: 补考一. */
export const isKeptRun = (run: string, isKept: (word: string) => boolean): boolean => {
  if (isKept(run) || (/^..+[一二三四五六七八九十]$/.test(run) && isKept(run.slice(0, -1)))) return true;
  for (let at = 2; at <= Math.min(run.length - 2, longestWord); at += 1)
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

const figures: readonly (MemberClass | null | undefined)[] = ['mark', 'left', 'amount', 'ordinal'];

/** What a number is that no record says, by the members that its cell reaches; undefined: they say nothing of it. */
export const kindOfNumber = (members: ReadonlySet<Member>): MemberClass | undefined => {
  const kinds = new Set([...members].map(classOfMember));
  const found = (['mark', 'left', 'amount', 'ordinal', 'clock', 'public'] as const).find((kind) => kinds.has(kind));
  const isClosedOrOwn = kinds.size > 0 && [...kinds].every((kind) => kind === 'closed' || kind === 'own');
  return found ?? (!isClosedOrOwn ? undefined : kinds.has('closed') ? 'closed' : 'amount');
};

/** A code of a list that every campus has, such as the kind of a row, with which a driver compares: no figure of anybody. */
export const isFixedCode = (text: string, members: ReadonlySet<Member>, atoms: Atoms): boolean =>
  members.has(DECIDES_PAGE) &&
  isShortCode(text) &&
  !figures.includes(classOfAtom(atoms, numberKey(text), members) ?? kindOfNumber(members));

const isOpenKind = (kind: MemberClass | null | undefined): boolean => kind === 'public' || kind === 'clock';

/** Replaces what a record says in a text that is read, and whatever is no kept word. */
export const scrubText = (
  text: string,
  members: ReadonlySet<Member>,
  { atoms, ledger, isKept }: ScrubFacts,
): string => {
  if (saysNothing(text)) return text;
  const trimmed = collapse(text);
  if (isFixedCode(trimmed, members, atoms)) return text;
  const kindIn = (part: string) => {
    const kind = classOfAtom(atoms, part, members);
    return isOpenKind(kind) ? undefined : kind;
  };
  const whole = kindIn(trimmed) ?? kindIn(numberKey(trimmed));
  const ofNumbers = kindOfNumber(members);
  const isOpen = [...members].some((member) => isOpenKind(classOfMember(member)));
  const isOfList = whole === undefined || whole === 'name' || whole === 'closed' || whole === null;
  // A code that a driver compares with, such as `001`, is no number.
  const isCode = (whole === 'amount' || whole === 'ordinal') && /^0\d/.test(trimmed);
  if ((isOfList || isCode) && isKept(trimmed.replaceAll(' ', ''))) return text;
  if (whole !== undefined) return `${/^\s*/.exec(text)?.[0]}${ledger.of(whole, trimmed)}${/\s*$/.exec(text)?.[0]}`;
  if ([...members].every((member) => member === DECIDES_PAGE) && namesTerm(trimmed)) return text;
  const dated = [...text.matchAll(moments)].filter(([source]) => campusMomentIn(source) !== null);
  const isDate = !isOpen || [...members].some((member) => classOfMember(member) === 'date');
  const leftOver = (run: string, at: number): string => {
    if (saysNothing(run) || isKeptRun(run, isKept)) return run;
    if (/^\d[\d.,]*$/.test(run)) {
      const kind = kindIn(numberKey(run)) ?? ofNumbers;
      return kind === undefined ? ledger.code(run) : ledger.of(kind, run);
    }
    if (units.test(run) && isBesideNumber(text, at, at + run.length)) return run;
    if (isOpen) return ledger.of('public', run);
    if (isUuid(run)) return ledger.code(run);
    if (!/.[_-]./.test(run)) return hasHan(run) ? run.replace(wordPattern, '某') : ledger.code(run);
    const parts = run.split(/([_-])/);
    return parts.map((part) => leftOver(part, at)).join('');
  };
  /** What a record says, as it begins at `at`. */
  const saidAt = (at: number, run: string): string | undefined =>
    isAscii(text[at] ?? '') && isAscii(text[at - 1] ?? '')
      ? undefined
      : atoms.lengths
          .map((length) => text.slice(at, at + length))
          .find((part) => {
            const after = text[at + part.length];
            // A part of a number is none.
            if (/^\d[\d.,]*$/.test(part) && /^\d/.test(run) && part.length < run.length) return false;
            const ends = !(isAscii(part.at(-1) ?? '') && after !== undefined && isAscii(after));
            return ends && (part.length > 1 || isAscii(part) || part === run) && kindIn(part) !== undefined;
          });
  const nextAt = (at: number): readonly [source: string, next: string] => {
    const moment = dated.find(({ index }) => index === at)?.[0];
    if (moment !== undefined) return [moment, ledger.of(isDate ? 'date' : 'public', moment)];
    const rest = text.slice(at);
    const [run = rest] = rest.match(oneRun) ?? [];
    const said = isKeptRun(run, isKept) ? undefined : saidAt(at, run);
    if (said !== undefined) return [said, ledger.of(kindIn(said) ?? null, said)];
    return [run, leftOver(run, at)];
  };
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [source, next] = nextAt(at);
    parts.push(next);
    at += source.length;
  }
  return parts.join('');
};

/** Replaces the leaves of a record as its pages are scrubbed. Members that are worked out here stay. */
export const scrubRecord = (reading: RecordedReading, facts: ScrubFacts): unknown =>
  mapRecord(
    reading,
    (leaf, member) => {
      const kind = classOfMember(member);
      if (leaf === null || typeof leaf === 'boolean' || kind === 'own') return leaf;
      const text = String(leaf);
      const next = isOpenKind(kind) ? scrubText(text, new Set([member]), facts) : facts.ledger.of(kind, collapse(text));
      return typeof leaf === 'number' ? Number(next) : next;
    },
    (name) => facts.ledger.nameGiven(name),
  );
