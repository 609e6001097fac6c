import { verdictOf } from '../../domain/academics/score-marks.ts';
import type { MemberClass } from '../../domain/classes.ts';
import { dayNumber, dayText } from '../../lib/time.ts';

// What stands for what. The n-th text of a form becomes the n-th of ours, so that two students whose pages have the same
// shape give the same recording; the texts themselves are never told.

const numerals = '零一二三四五六七八九';
const inHan = (n: number): string => String(n).replace(/\d/g, (digit) => numerals[Number(digit)] ?? '');
const surnames = '王李张赵刘陈杨周';

/**
 * What may be of a person: letters, digits of any script, characters of one's own, under which rare names are kept, and
 * everything beyond the first plane, as pictures in a nickname.
 */
export const signs = String.raw`\p{L}\p{M}\p{N}\p{Co}\u{10000}-\u{10FFFF}`;
const sign = new RegExp(`[${signs}]`, 'u');
export const words = new RegExp(`[${signs}]+`, 'gu');
const joinedWords = new RegExp(`[${signs}_-]+`, 'gu');

/** Says nothing: blank, none, zero, a dash, stars, and what stands for a text that nobody reads. */
export const saysNothing = (text: string): boolean => !sign.test(text.replace(/[某0]/g, '')) || text.trim() === '无';

export const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** The words of terms, weeks and sessions. */
const publicWords =
  /^(?:第|周|节|单|双|学年|学期|年|月|日|季|春|夏|秋|冬|上|下|星期|礼拜|当前|全部|至|天|一|二|三|四|五|六|七|八|九|十)+$/;
/** Those of them that can be no name, as 周春 is one. */
const noName =
  /第|学年|学期|星期|礼拜|^(?:.|[一二三四五六七八九十]{2,3}|周[一二三四五六日天]|周?[单双]周|年?[春夏秋冬]季?|当前|全部)$/;
/** A week, session, day or kind of row: of lists that every campus has, and hardly a mark. */
export const isShortCode = (text: string): boolean => /^[0-3]?\d$/.test(text);
/** A mask of weeks, or a year. */
const publicNumber = /^(?:[01]{16,64}|(?:19|20)\d\d)$/;

/** Digits, Latin letters, Han, each by itself. */
export const runs = new RegExp(
  String.raw`\p{Script=Han}[\p{Script=Han}·・]*|[\p{L}\p{M}_$]+|\d+|[\p{N}\p{Co}\u{10000}-\u{10FFFF}]+|[^${signs}_$]+`,
  'gu',
);

/** A term, a time of day, weeks: kept, whatever else stands with them. */
export const isPublic = (text: string): boolean =>
  (text.match(runs) ?? []).every(
    (run) =>
      !(sign.test(run) || /[_$]/.test(run)) ||
      isShortCode(run) ||
      publicNumber.test(run) ||
      (/^\d{8}$/.test(run) && momentIn(run) !== null) ||
      (publicWords.test(run) && noName.test(run)),
  );

/** A text about a term, a mask of weeks or an hour, as a whole, also where nothing says that it is one. */
export const namesTerm = (text: string): boolean =>
  /^(?:[01]{16,64}|[0-2]?\d:[0-5]\d)$/.test(text) ||
  (/(?:19|20)\d\d\s?[-—~至]\s?(?:20)?\d\d/.test(text) && text.match(moments) === null && isPublic(text));

const dateForm = /(?<!\d)((?:19|20)\d\d)([-/.年]?)(\d{1,2})\2?(?:月)?(\d{1,2})日?(?!\d)/;
const timeForm = /(?<!\d)([0-2]?\d):([0-5]\d)(?::([0-5]\d))?(?!\d)/;
/** A date with or without a time, as campuses write both. */
export const moments =
  /(?<!\d)(?:19|20)\d\d(?:(\d\d)(\d\d)(?!\d)|([-/.])\d{1,2}\3\d{1,2}(?!\d)|年\d{1,2}月\d{1,2}日?)(?:[ T]?[0-2]?\d:[0-5]\d(?::[0-5]\d)?)?/g;

interface Moment {
  readonly day: string;
  readonly time: string;
}

export const momentIn = (text: string): Moment | null => {
  const [, year = '', , month = '', date = ''] = dateForm.exec(text) ?? [];
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year === '' || dayNumber(day) === null) return null;
  const [whole = ''] = timeForm.exec(text.slice(text.search(dateForm) + 6)) ?? [];
  return { day, time: whole };
};

/** The half of a school year in which a day lies, by the day on which we begin to count in it. */
const firstOf = (day: string): string => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  if (month >= 2 && month < 8) return `${year}-03-01`;
  return `${month === 1 ? year - 1 : year}-09-01`;
};

/** All moments of a recording, which keep their order. */
const orderTexts = (texts: Iterable<string>): ReadonlyMap<string, Moment> => {
  const found = [...texts].flatMap((text) => momentIn(text) ?? []);
  const byDay = new Map<string, Set<string>>();
  for (const { day, time } of found) byDay.set(day, (byDay.get(day) ?? new Set()).add(time));
  const counts = new Map<string, number>();
  const result = new Map<string, Moment>();
  for (const day of [...byDay.keys()].toSorted()) {
    const first = firstOf(day);
    const nth = counts.get(first) ?? 0;
    counts.set(first, nth + 1);
    const moved = dayText((dayNumber(first) ?? 0) + nth);
    const times = [...(byDay.get(day) ?? [])].filter((time) => time !== '').map((time) => time.padStart(8, '0'));
    for (const time of byDay.get(day) ?? []) {
      const at = times.toSorted().indexOf(time.padStart(8, '0'));
      const minutes = 8 * 60 + Math.max(at, 0);
      const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
      result.set(`${day} ${time}`, {
        day: moved,
        time: time === '' ? '' : /:\d\d:/.test(time) ? `${clock}:00` : clock,
      });
    }
  }
  return result;
};

/** The day in the form of `text`, which pads its parts or does not. */
export const writeLike = (text: string, { day, time }: Moment): string => {
  const [, , sign = '', month = '', date = ''] = dateForm.exec(text) ?? [];
  const short = sign !== '' && sign !== '-' && !month.startsWith('0') && !date.startsWith('0');
  const parts = day.split('-').map((part) => (short ? String(Number(part)) : part));
  const written = sign === '年' ? `${parts[0]}年${parts[1]}月${parts[2]}日` : parts.join(sign);
  return text
    .replace(dateForm, sign === '年' && !text.includes('日') ? written.slice(0, -1) : written)
    .replace(timeForm, time);
};

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

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => uuid.test(text);

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
  readonly #moments: ReadonlyMap<string, Moment>;
  readonly #given = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #replaced = new Set<string>();
  /** Texts with words that stay because they name a term, weeks or sessions, though no list has them. */
  readonly kept = new Set<string>();

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
    this.#moments = orderTexts(facts.dates);
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
        return this.#nth('text', text, `course ${isHan(text)}`, (n) =>
          isHan(text) ? `课程${inHan(n)}` : `Course ${n}`,
        );
      case 'place':
        return text.replace(runs, (run) => this.#place(run));
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
        return isPublic(text) && text !== this.#facts.userid && !this.#isLongAgo(text) ? text : this.#name(text);
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
      case 'asked':
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
      isPublic(text) ||
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

  /** Of which no record says what it is. */
  number(text: string): string {
    return text.includes('.') ? this.of('amount', text) : this.code(text);
  }

  /** What stands for it on a page, if anything does. */
  nameGiven(text: string): string {
    return this.#given.get(`name ${text}`) ?? text;
  }

  code(text: string): string {
    if (text === this.#facts.userid) return this.userid;
    if (isUuid(text)) return this.#nth('text', text, 'uuid', (n) => `aaaa${1000 + n}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`);
    return text.replace(words, (run) => {
      if (saysNothing(run) || this.#facts.isKept(run)) return run;
      if (run === this.#facts.userid) return this.userid;
      if (isHan(run)) return this.#name(run);
      return this.#nth('text', run, codeForm(run), (n) => nthCode(run, n));
    });
  }

  /** A year in which somebody may have been born. */
  #isLongAgo(text: string): boolean {
    return (text.match(/(?<!\d)(?:19|20)\d\d/g) ?? []).some((year) => Number(year) < this.#facts.year - yearsOfTerms);
  }

  #place(run: string): string {
    if (saysNothing(run) || this.#facts.isKept(run)) return run;
    if (isHan(run)) return this.#nth('text', run, 'place', (n) => `地点${inHan(n)}`);
    return this.#nth('text', run, codeForm(run), (n) => nthCode(run, n));
  }

  #name(text: string): string {
    const isLatin = !isHan(text);
    if (/^\d+\.\d+$/.test(text)) return this.#amount(text);
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
    const verdict = verdictOf(text);
    if (verdict !== null) return verdict.passes ? '合格' : '不合格';
    return this.#facts.isKept(text) ? text : this.#name(text);
  }

  #amount(text: string): string {
    if (sign.test(text.replace(/[\d元度kWh人次]/gi, ''))) return this.#name(text);
    return text.replace(/\d[\d,]*(?:\.\d+)?/g, (number) => {
      if (saysNothing(number)) return number;
      if (/^(?:19|20)\d\d$/.test(number)) return '2001';
      const plain = Number(number.replaceAll(',', ''));
      const decimals = Math.min(String(plain).split('.')[1]?.length ?? 0, 3);
      return [1, 1.5, 1.25, 1.125][decimals]?.toFixed(Math.max(number.split('.')[1]?.length ?? 0, decimals)) ?? '1';
    });
  }

  #date(text: string): string {
    const moment = momentIn(text);
    const next = moment === null ? undefined : this.#moments.get(`${moment.day} ${moment.time}`);
    if (next !== undefined && isPublic(text.replace('T', ' '))) return writeLike(text, next);
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
