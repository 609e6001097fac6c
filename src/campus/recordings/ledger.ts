import { scoreVerdictOf } from '../../domain/academics/score-marks.ts';
import type { MemberClass } from '../../domain/classes.ts';
import { hasHan } from '../parsing/columns.ts';
import { type CampusMoment, campusMomentIn, orderMoments, writeLike } from './moments.ts';
import {
  isPublicText,
  isShortCode,
  isUuid,
  joinedWords,
  runs,
  saysNothing,
  tellingSign,
  wordPattern,
} from './texts.ts';

// What stands for what. The n-th text of a form becomes the n-th of ours, so that two students whose pages have the same
// shape give the same recording; the texts themselves are never told.

const numerals = '零一二三四五六七八九';
const inHan = (n: number): string => String(n).replace(/\d/g, (digit) => numerals[Number(digit)] ?? '');
const surnames = '王李张赵刘陈杨周';

/** The n-th number of this side of 60, with as many decimals: of each side none comes twice. */
const nthMark = (n: number, passes: boolean, decimals: number): string => {
  const [first, last, start] = passes ? [60, 100, 70] : [1, 59, 40];
  const size = last - first + (decimals === 0 ? 1 : 0);
  const whole = first + ((start - first + n) % size);
  const rest = String(1 + (Math.floor(n / size) % 9)).padEnd(decimals, '5');
  return decimals === 0 ? String(whole) : `${whole}.${rest}`;
};

/** The form that the letters and digits of a code have, and the n-th of it. */
const nthCode = (text: string, n: number): string => {
  if (/^\d+$/.test(text)) {
    if (text.length > 2) return String(10 ** Math.min(text.length, 6) / 10 + n);
    return text.startsWith('0') ? `0${n}` : String(10 + n);
  }
  // One that is made by chance may have digits in it or none, which is no shape.
  return `A${1000 + n}`;
};
const codeForm = (text: string): string =>
  !/^\d+$/.test(text)
    ? 'mixed'
    : text.length < 3
      ? `short ${text.startsWith('0')}`
      : `digits ${Math.min(text.length, 6)}`;

/** Where names of persons are divided. */
const betweenPersons = /([\s*＊,，、;；/]+)/;

/** Says which of several plans it is. */
const planKind = /[(（](?:主修|辅修|微专业)[)）]$/;

/** A list of terms goes back no further. */
const yearsOfTerms = 8;

export interface LedgerFacts {
  /** Of the recording. */
  readonly year: number;
  readonly userid: string;
  /** Texts of the class `date`. */
  readonly dates: Iterable<string>;
  /** What the lists of the recording hold, now that rows have been left out. */
  readonly left: ReadonlySet<number>;
  /** Codes of lists that decide what a page is: the same list may be read elsewhere. */
  readonly fixed: ReadonlySet<string>;
  readonly isKept: (word: string) => boolean;
}

export class Ledger {
  readonly #facts: LedgerFacts;
  readonly #moments: ReadonlyMap<string, CampusMoment>;
  readonly #given = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #replaced = new Set<string>();
  /** Texts with words that stay because they name a term, weeks or sessions, though no list has them. */
  readonly kept = new Set<string>();

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
    this.#moments = orderMoments(facts.dates);
  }

  /** The id with which the scrubbed student signs in. */
  get userid(): string {
    return /^\d+$/.test(this.#facts.userid) ? '2000000001' : 'S20000001';
  }

  /** What stands for a text of this class; the same each time. */
  of(kind: MemberClass | null, text: string): string {
    if (saysNothing(text)) return text;
    const next = this.#of(kind, text);
    if (next !== text) this.#replaced.add(text);
    else if (kind === 'public' && /\p{L}/u.test(text) && !this.#facts.isKept(text)) this.kept.add(text);
    return next;
  }

  #of(kind: MemberClass | null, text: string): string {
    switch (kind) {
      case 'person':
        return text
          .split(betweenPersons)
          .map((name) =>
            saysNothing(name) ? name : this.#nth('text', name, 'person', (n) => `${surnames[(n - 1) % 8]}${inHan(n)}`),
          )
          .join('');
      case 'course':
        return this.#nth('text', text, `course ${hasHan(text)}`, (n) =>
          hasHan(text) ? `课程${inHan(n)}` : `Course ${n}`,
        );
      case 'place':
        return text.replace(runs, (run) =>
          this.#run(run, (han) => this.#nth('text', han, 'place', (n) => `地点${inHan(n)}`)),
        );
      case 'code':
        return this.#facts.fixed.has(text) ? text : this.code(text);
      case 'id':
        return this.code(text);
      case 'mark':
        return this.#mark(text);
      case 'amount':
        return this.#amount(text);
      case 'date':
        return this.#date(text);
      case 'ordinal':
        return /^\d+$/.test(text) ? this.#nth('ordinal', text, 'ordinal', String) : this.#amount(text);
      case 'public':
        return isPublicText(text) && text !== this.#facts.userid && !this.#isLongAgo(text) ? text : this.#name(text);
      case 'clock':
        return /^(?:[0-2]?\d)?[0-5]\d$/.test(text) ? text : this.#of('public', text);
      case 'plan':
        return this.#nth(
          'text',
          text,
          'plan',
          (n) => `2001级专业${inHan(n)}本科培养方案${planKind.exec(text)?.[0] ?? ''}`,
        );
      case 'left':
        return this.#facts.left.has(Number(text)) ? text : this.#amount(text);
      case 'closed':
        return isShortCode(text) || text === 'true' || text === 'false' || this.#facts.isKept(text)
          ? text
          : this.#name(text);
      case 'own':
        return text;
      default:
        return this.#facts.isKept(text) ? text : this.#name(text);
    }
  }

  /** A text that nothing stands for. */
  noteGone(text: string): void {
    if (!saysNothing(text)) this.#replaced.add(text.trim());
  }

  /** Texts that may not be found again: not those that stay elsewhere because everybody may know them. */
  listReplaced(): readonly string[] {
    const { isKept } = this.#facts;
    const ours = new Set(this.#given.values());
    const isOpen = (text: string): boolean =>
      ours.has(text) ||
      isPublicText(text) ||
      (text.match(joinedWords) ?? []).every(
        (word) =>
          ours.has(word) ||
          isKept(word) ||
          isShortCode(word) ||
          word.split(/[_-]/).every((part) => saysNothing(part) || isKept(part)),
      );
    return [...this.#replaced].filter((text) => !isOpen(text));
  }

  /** Of a name of a member, tag or class that no list has. */
  name(text: string): string {
    // Names that programmers give are no secret, and stand in our records too.
    if (!/^[A-Za-z_-]+$/.test(text)) this.#replaced.add(text);
    return this.#nth('name', text, 'name of a member', (n) => `x${n}`);
  }

  /** What stands for it on a page, if anything does. */
  nameGiven(text: string): string {
    return this.#given.get(`name ${text}`) ?? text;
  }

  code(text: string): string {
    if (text === this.#facts.userid) return this.userid;
    if (isUuid(text)) return this.#nth('text', text, 'uuid', (n) => `aaaa${1000 + n}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`);
    return text.replace(wordPattern, (run) => this.#run(run, (han) => this.#name(han)));
  }

  /** Letters, digits or Han. */
  #run(run: string, nameOf: (han: string) => string): string {
    if (saysNothing(run) || this.#facts.isKept(run)) return run;
    if (run === this.#facts.userid) return this.userid;
    return hasHan(run) ? nameOf(run) : this.#nth('text', run, codeForm(run), (n) => nthCode(run, n));
  }

  /** A year in which somebody may have been born. */
  #isLongAgo(text: string): boolean {
    return (text.match(/(?<!\d)(?:19|20)\d\d/g) ?? []).some((year) => Number(year) < this.#facts.year - yearsOfTerms);
  }

  #name(text: string): string {
    const isLatin = !hasHan(text);
    if (isLatin && /^[^\p{L}]+$/u.test(text)) return this.code(text);
    return this.#nth('text', text, `name ${isLatin}`, (n) => (isLatin ? `Name${n}` : `名称${inHan(n)}号`));
  }

  #mark(text: string): string {
    if (/^-?\d+(?:\.\d+)?$/.test(text)) {
      const number = Number(text);
      const decimals = String(number).split('.')[1]?.length ?? 0;
      const passes = number >= 60;
      const key = `${passes} ${Math.min(decimals, 3)}`;
      const next = this.#nth('mark', String(number), key, (n) => nthMark(n - 1, passes, Math.min(decimals, 3)));
      const stated = text.split('.')[1]?.length ?? 0;
      return stated > decimals ? Number(next).toFixed(stated) : next;
    }
    const verdict = scoreVerdictOf(text);
    if (verdict !== null) return verdict.passes ? '合格' : '不合格';
    return this.#facts.isKept(text) ? text : this.#name(text);
  }

  #amount(text: string): string {
    if (tellingSign.test(text.replace(/[\d元度kWh人次]/gi, ''))) return this.#name(text);
    return text.replace(/\d[\d,]*(?:\.\d+)?/g, (number) => {
      if (saysNothing(number)) return number;
      if (/^(?:19|20)\d\d$/.test(number)) return '2001';
      const plain = Number(number.replaceAll(',', ''));
      const decimals = Math.min(String(plain).split('.')[1]?.length ?? 0, 3);
      return [1, 1.5, 1.25, 1.125][decimals]?.toFixed(Math.max(number.split('.')[1]?.length ?? 0, decimals)) ?? '1';
    });
  }

  #date(text: string): string {
    const moment = campusMomentIn(text);
    const next = moment === null ? undefined : this.#moments.get(`${moment.day} ${moment.time}`);
    if (next !== undefined && isPublicText(text.replace('T', ' '))) return writeLike(text, next);
    return this.#name(text);
  }

  #nth(space: string, text: string, form: string, make: (n: number) => string): string {
    const key = `${space} ${text}`;
    const known = this.#given.get(key);
    if (known !== undefined) return known;
    const n = (this.#counts.get(form) ?? 0) + 1;
    this.#counts.set(form, n);
    const made = make(n);
    this.#given.set(key, made);
    return made;
  }
}
