import {
  type Atoms,
  atomsOf,
  classOfAtom,
  classOfMember,
  isKeptRun,
  kindOfNumber,
  numberKey,
} from '../../src/campus/recordings/atoms.ts';
import type { DocCell } from '../../src/campus/recordings/cells.ts';
import { encodeText } from '../../src/campus/recordings/charset.ts';
import type { Learned } from '../../src/campus/recordings/learn.ts';
import { isData, parseExchange, withCells } from '../../src/campus/recordings/pages.ts';
import type { Recorded, Replay } from '../../src/campus/recordings/recording.ts';
import { runs, saysNothing } from '../../src/campus/recordings/texts.ts';
import { isKeptIn } from '../../src/campus/recordings/words.ts';

/** The same numbers for the same seed. */
export const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Random = ReturnType<typeof randomOf>;

const common = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红云飞凤春生雪梅海燕文龙宇轩欣怡子涵';
const rare = '㐂䶮𠮷𡈽镕喆堃淼犇垚龘彧翀赟';
const latin = ['Zhang', 'LiSan', 'Ouyang', 'Nurbek', 'Tashi'];

const oneOf = <T>(random: Random, all: readonly T[] | string): T | string => {
  const list = [...all];
  return list[random(list.length)] ?? '';
};
const hanOf = (random: Random, length: number): string =>
  Array.from({ length }, () => oneOf(random, random(20) === 0 ? rare : common)).join('');
const digitsOf = (random: Random, length: number): string =>
  Array.from({ length }, (_, at) => (at === 0 ? 1 + random(9) : random(10))).join('');

const personOf = (random: Random): string => {
  const kind = random(6);
  if (kind === 0) return `${hanOf(random, 2 + random(2))}·${hanOf(random, 2 + random(3))}`;
  if (kind === 1)
    return `${oneOf(random, latin)}${String.fromCharCode(97 + random(26))}${String.fromCharCode(97 + random(26))}`;
  return hanOf(random, 1 + random(5));
};

/** A name as people are known by it in places where it does not belong. */
const nameOf = (random: Random, userid: string): string => {
  const kinds = [
    () => `${hanOf(random, 2 + random(6))}`,
    () => `${userid.slice(0, 6)}${hanOf(random, 2)}班`,
    () => `电话1${3 + random(7)}${digitsOf(random, 9)}`,
    () => `${hanOf(random, 2)}${digitsOf(random, 17)}X`,
    () => `邮箱${digitsOf(random, 8)}@example.com`,
    () => `卡号${digitsOf(random, 19)}`,
  ];
  return kinds[random(kinds.length)]?.() ?? '';
};

/** Another text that has the form which a recording may show. */
const otherOf = (kind: string | null, text: string, userid: string, random: Random): string => {
  const isHan = /\p{Script=Han}/u.test(text);
  if (kind === 'person') return personOf(random);
  if (kind === 'plan') return `${nameOf(random, userid)}${/[(（](?:主修|辅修|微专业)[)）]$/.exec(text)?.[0] ?? ''}`;
  if (kind === 'name' || kind === 'course')
    return isHan ? nameOf(random, userid) : `${oneOf(random, latin)} ${digitsOf(random, 6)} xy`;
  return text.replace(runs, (run) => {
    if (saysNothing(run)) return run;
    if (/\p{Script=Han}/u.test(run)) return hanOf(random, 2 + random(4));
    if (/^\d+$/.test(run)) return run.startsWith('0') ? run : digitsOf(random, run.length);
    return Array.from(run, () => String.fromCharCode(65 + random(26))).join('');
  });
};

const isMarkNumber = /^\d{1,3}(?:\.\d+)?$/;

/** Another mark of the same side, each one once; `87` and `87.0` stay the same one. */
const otherMark = (text: string, shift: number): string => {
  const [whole = '', rest = ''] = text.split('.');
  const number = Number(whole);
  const isWhole = /^0*$/.test(rest);
  if (number === 0 || number > 100) return text;
  const [first, size] = number >= 60 ? [60, isWhole ? 41 : 40] : [1, 59];
  const moved = String(first + ((number - first + shift) % size));
  return rest === '' ? moved : `${moved}.${rest}`;
};

/** Another amount of the same length, each one once; years stay. */
const otherAmount = (text: string, shift: number): string =>
  /^(?:19|20)\d\d$/.test(text)
    ? text
    : text.replace(/[1-9]/g, (digit) => String(((Number(digit) - 1 + shift) % 9) + 1));

export interface Planted {
  readonly recorded: Recorded;
  /** Every text that was planted. */
  readonly texts: ReadonlySet<string>;
  readonly plantings: number;
}

/** The same pages of another person: every text that is anybody's is another one, and the shape is the same. */
export const plant = async (
  { exchanges, readings, ...recorded }: Recorded,
  replay: Replay,
  learned: Learned,
  random: Random,
): Promise<Planted> => {
  const isKept = isKeptIn(recorded.products.map(({ product }) => product));
  const userid = recorded.userid.replace(/\d/g, (digit, at) => (at === 0 ? digit : String(random(10))));
  const atoms: Atoms = atomsOf(readings);
  const texts = new Set<string>();
  const others = new Map<string, string>([[recorded.userid, userid]]);
  const mayChange = new Set(['person', 'name', 'plan', 'course']);
  const shift = 1 + random(40);
  const isTemplate = (text: string): boolean =>
    (text.match(/[\p{L}\p{M}\d_-]+/gu) ?? []).every((word) => saysNothing(word) || isKeptRun(word, isKept));
  for (const [text, kinds] of atoms.classes) {
    const [kind] = kinds.keys();
    // Persons are planted one by one.
    if (kinds.has('person') && /[\s*,，、]/.test(text)) continue;
    if (
      text.startsWith('#') ||
      isTemplate(text) ||
      !/\p{L}/u.test(text) ||
      [...kinds.keys()].some((each) => each === null || !mayChange.has(each))
    )
      continue;
    for (let made = ''; ; ) {
      made = otherOf(kind ?? null, text, userid, random);
      if (texts.has(made) || atoms.classes.has(made) || isKept(made)) continue;
      others.set(text, made);
      texts.add(made);
      break;
    }
  }
  const anyOther = new RegExp(
    `(?<![\\p{L}\\d])(?:${[...others.keys()]
      .toSorted((x, y) => y.length - x.length)
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('|')})(?![\\p{L}\\d])`,
    'gu',
  );
  let plantings = 0;
  const cellOf = (cell: DocCell, place: string): string | null => {
    // Members and classes may bear it too.
    if (cell.kind === 'name' && cell.value.includes(recorded.userid))
      return cell.value.replaceAll(recorded.userid, userid);
    if (!isData(cell) || saysNothing(cell.value) || cell.value === 'true' || cell.value === 'false') return null;
    const members = learned(place, cell.group);
    const [before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(cell.value)?.slice(1) ?? [];
    const own = cell.value.replaceAll(recorded.userid, userid);
    const isMark = (each: string): boolean =>
      members !== undefined && (classOfAtom(atoms, numberKey(each), members) ?? kindOfNumber(members)) === 'mark';
    const isAmount = (each: string): boolean =>
      members !== undefined &&
      members.size > 0 &&
      [...members].every((member) => ['amount', 'own'].includes(classOfMember(member) ?? '')) &&
      [undefined, 'amount'].includes(classOfAtom(atoms, numberKey(each), members) ?? undefined);
    if (cell.kind === 'value' && /\d\(\d{8}/.test(text))
      return own
        .replace(/\d{1,3}\.\d(?=\(\d{8})/g, (mark) => (isMark(mark) ? otherMark(mark, shift) : mark))
        .replace(anyOther, (found) => others.get(found) ?? found);
    if (own !== cell.value) return own.replace(anyOther, (found) => others.get(found) ?? found);
    if (members === undefined) {
      if (cell.kind === 'number' || !/\p{L}/u.test(text) || isTemplate(text)) return null;
      plantings += 1;
      const made = nameOf(random, userid);
      texts.add(made);
      return made;
    }
    if (isMarkNumber.test(text) && isMark(text)) {
      plantings += 1;
      return `${before}${otherMark(text, shift)}${after}`;
    }
    if (/^\d+(?:\.\d+)?$/.test(text) && isAmount(text)) {
      plantings += 1;
      return `${before}${otherAmount(text, shift)}${after}`;
    }
    if (cell.kind === 'number' || isTemplate(text)) return null;
    const made = others.get(text.replace(/\s+/g, ' '));
    const next =
      made === undefined
        ? cell.value.replace(anyOther, (found) => others.get(found) ?? found)
        : `${before}${made}${after}`;
    if (next !== cell.value) plantings += 1;
    return next;
  };
  const pages = exchanges.map((exchange) => parseExchange(exchange, isKept));
  const named = (pairs: Recorded['exchanges'][number]['form']) =>
    pairs.map(([name, value]) => [name, value.replaceAll(recorded.userid, userid)] as const);
  const planted = pages.map((page) => {
    const cells = withCells(page, (cell) => cellOf(cell, page.place));
    const next = { ...cells, query: named(cells.query), form: named(cells.form) };
    return { ...next, body: encodeText(next.text, page.exchange.charset) ?? Buffer.of() };
  });
  const calls = readings.map((reading) => ({
    ...reading,
    parameters: JSON.parse(JSON.stringify(reading.parameters), (_, value) =>
      typeof value === 'string' ? (others.get(value) ?? value.replaceAll(recorded.userid, userid)) : value,
    ),
  }));
  const landed = JSON.parse(JSON.stringify(recorded.landed).replaceAll(recorded.userid, userid));
  const now = await replay(planted, calls, { userid, landed });
  return {
    recorded: { ...recorded, userid, landed, exchanges: planted, readings: now, secrets: [userid] },
    texts,
    plantings,
  };
};
