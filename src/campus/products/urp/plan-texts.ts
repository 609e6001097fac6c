import type { PlanCategory, PlanCourse } from '../../../domain/academics/plans.ts';
import { plainSigns } from '../../../lib/plain-signs.ts';
import { int, mark, num } from '../../parsing/cells.ts';
import { hasCssClasses } from '../../parsing/html-tokens.ts';
import { noteOddity } from '../../parsing/oddities.ts';
import { unreadable } from '../../parsing/reading.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

/** Strips markup, entities and surplus white space from a node name. */
const plainName = (name: string): string =>
  collapse(decodeEntities(name.replace(/<[^<>]*>/g, ' ').replaceAll('&nbsp;', ' ')));

const opening = '(（';
const closing = ')）';

/** Index of the balanced bracket group that ends the text; -1 if there is none. */
const lastGroup = (text: string): number => {
  if (!closing.includes(text.at(-1) ?? ' ')) return -1;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (closing.includes(text[at] ?? ' ')) depth += 1;
    else if (opening.includes(text[at] ?? ' ')) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
};

type CategoryText = Omit<PlanCategory, 'flagId' | 'subcategories' | 'courses'>;

/** By the usual label first; the page may put more behind one. */
const labels = {
  minCredits: ['最低修读学分'],
  completedCredits: ['通过学分'],
  totalCourses: ['已修课程门数'],
  passedCourses: ['已及格课程门数'],
  failedCourses: ['未及格课程门数'],
  missingRequiredCourses: ['必修课缺修门数', '必修课未修读'],
} as const;

type Count = keyof typeof labels;
const counts = Object.keys(labels) as Count[];

/** `label: number`, as a category lists them. */
const pair = /(?:^|[,;\s])\s?([^:=,;()\s]{1,40})(?:\s?[:=]\s?|\s(?=\d))([-+]?[\d.]{1,20})?/g;

const labelledCountOf = (label: string): Count | undefined =>
  counts.find((count) => labels[count].some((known) => label.startsWith(known)));

/** Where the statistics begin: at the last bracket before the usual label, else at a last group that lists numbers. */
const statisticsAt = (text: string): number => {
  const usual = Math.max(...['(', '[', '【'].map((bracket) => text.lastIndexOf(`${bracket}${labels.minCredits[0]}`)));
  if (usual >= 0) return usual;
  const last = lastGroup(text);
  return last >= 0 && /\p{Script=Han}\s?[:：]\s?\d/u.test(text.slice(last)) ? last : -1;
};

/**
 * Parses `通识通修(最低修读学分:68,通过学分:34.4,…)`. The name may hold brackets too. A number that is not stated is 0.
 * @throws Failure `upstream-unreadable` where one of ours is missing and others are stated under labels that we do not
 *   know: 0 would be told for it
 */
export const categoryText = (name: string): CategoryText => {
  const text = plainName(name);
  const signs = plainSigns(text);
  const start = statisticsAt(signs);
  const stated = new Map<Count, string>();
  let isUnknown = false;
  for (const [, label = '', number] of start < 0 ? [] : signs.slice(start + 1).matchAll(pair)) {
    const count = labelledCountOf(label);
    if (count !== undefined && !stated.has(count)) stated.set(count, number ?? '');
    if (count !== undefined || number === undefined) continue;
    noteOddity('unknown-member', label);
    isUnknown = true;
  }
  if (start >= 0 && stated.size === 0) throw unreadable('academics', 'plan category without its numbers');
  if (isUnknown && stated.size < counts.length) throw unreadable('academics', 'plan category with other labels');
  // Clients know no null here, so 0 stands for what the page does not say, and the operator learns of it.
  for (const count of counts) if (text !== '' && !stated.has(count)) noteOddity('default', labels[count][0]);
  const numberOf = (count: Count): string => stated.get(count) ?? '';
  return {
    name: start < 0 ? text : text.slice(0, start).trim(),
    minCredits: num(numberOf('minCredits')),
    completedCredits: num(numberOf('completedCredits')),
    totalCourses: int(numberOf('totalCourses')),
    passedCourses: int(numberOf('passedCourses')),
    failedCourses: int(numberOf('failedCourses')),
    missingRequiredCourses: int(numberOf('missingRequiredCourses')),
  };
};

type CourseText = Omit<PlanCourse, 'flagId' | 'flagType' | 'parentId' | 'level'>;

/** The words of a status that say the state. Each whole: 未修读 stands in no other. */
const stateWords: Readonly<Record<string, CourseText['state']>> = {
  已修读及格: 'passed',
  已及格: 'passed',
  及格: 'passed',
  已通过: 'passed',
  已修读未及格: 'failed',
  已修读不及格: 'failed',
  未及格: 'failed',
  不及格: 'failed',
  未通过: 'failed',
  通过: 'passed',
  合格: 'passed',
  不通过: 'failed',
  不合格: 'failed',
  未修读: 'unread',
  未修: 'unread',
  正在修读: 'unread',
  修读中: 'unread',
  在修: 'unread',
  在读: 'unread',
};

/** Words of a mark, too. */
const wordOfMark = /^不?(?:及格|合格|通过)$/;

/** The icon shows the state; a grey icon means not taken. Without an icon the words do; without both it is not taken. */
const stateOf = (name: string, word: string): CourseText['state'] => {
  const icon = /<i\s([^<>]{1,200})>/i.exec(name)?.[1] ?? '';
  if (hasCssClasses(icon, 'fa-smile-o', 'green')) return 'passed';
  if (hasCssClasses(icon, 'fa-frown-o', 'red')) return 'failed';
  return /\bfa-(?:smile|frown|meh)-o\b/.test(name) ? 'unread' : (stateWords[word] ?? 'unread');
};

const typeWords = ['必修', '选修', '任选', '限选'];

/** A number of two digits or more, or with a decimal. */
const markPattern = /^(?:\d{2,3}|\d{1,3}\.\d+)$/;

/** Tells a status from a bracket that belongs to the name, as in 体育(一) or 物理(2-1). */
const isStatus = (group: string): boolean =>
  /[,，]/.test(group) ||
  /\d{8}/.test(group) ||
  markPattern.test(/^[^(（]*/.exec(group)?.[0].trim() ?? '') ||
  typeWords.includes(group) ||
  group in stateWords;

/** Parses `必修,87.0(20240705)`, `任选,优秀(20240105)`, `85.0(20250626 …)` or `必修`. A date is never taken for the score. */
const readStatus = (group: string): Pick<CourseText, 'type' | 'score' | 'examDate'> & { readonly word: string } => {
  const examDate = /(?<!\d)\d{8}(?!\d)/.exec(group)?.[0] ?? null;
  // The text before the bracket of the date; commas inside that bracket are part of a remark.
  const head = (/^[^(（]*/.exec(group)?.[0] ?? '').trim();
  const comma = head.search(/[,，]/);
  const before = comma < 0 ? head : head.slice(0, comma).trim();
  const [next = '', ...more] = comma < 0 ? [] : head.slice(comma + 1).split(/[,，]/);
  // The state may follow the type.
  const isNextState = next.trim() in stateWords && !wordOfMark.test(next.trim());
  const behind = isNextState ? more.join(',') : comma < 0 ? '' : head.slice(comma + 1);
  const word = before in stateWords ? before : isNextState ? next.trim() : '';
  const isFirstState = before in stateWords;
  const isType = !isFirstState && !/\d/.test(before) && (comma >= 0 || typeWords.includes(before));
  // 及格 alone is a mark in words, too.
  const isMark = isFirstState && comma < 0 && wordOfMark.test(word);
  const rest = (isType || isFirstState || before === '') && !isMark ? behind : before;
  const isTypeBehind = isFirstState && typeWords.includes(behind.trim());
  const score = isTypeBehind ? '' : mark(rest.trim().replace(/(?<![,，])[,，]+$/, ''));
  const hasScore = score !== '' && score !== examDate;
  return { type: isType ? before : isTypeBehind ? behind.trim() : '', score: hasScore ? score : null, examDate, word };
};

const noStatus = { type: '', score: null, examDate: null, word: '' };

/** The term or the hours may stand in the same bracket. */
const creditsPattern =
  /[[【](?:[^[\]【】]{0,80}[,;/\s])?\s?([\d.]{1,20})\s?学分(?:[^[\]【】\d][^[\]【】]{0,80})?[\]】]|[[【]学分\s?:?\s?([\d.]{1,20})[\]】]/;

/** Parses `[MAT1102004]线性代数(B)[2.5学分](必修,52.0(20250112))`, with its icon in front. */
export const courseText = (name: string): CourseText => {
  const whole = plainName(name);
  const [bracket = '', first = ''] = /^[^[]*\[([^\]]*)\]/.exec(plainSigns(whole)) ?? [];
  const hasCode = first !== '' && !first.includes('学分');
  const text = hasCode ? whole.slice(bracket.length) : whole;
  const stated = creditsPattern.exec(plainSigns(text));
  const credits = num(stated?.[1] ?? stated?.[2], Number.NaN);
  const rest = (
    stated === null ? text : `${text.slice(0, stated.index)} ${text.slice(stated.index + stated[0].length)}`
  ).trim();
  const at = lastGroup(rest);
  const group = at < 0 ? '' : plainSigns(rest.slice(at + 1, -1)).trim();
  const hasStatus = at >= 0 && isStatus(group);
  const title = collapse(hasStatus ? rest.slice(0, at) : rest)
    .replace(/^[\s，,。.]+/, '')
    .replace(/(?<![，,。.\s])[，,。.\s]+$/, '');
  const { word, ...status } = hasStatus ? readStatus(group) : noStatus;
  return {
    code: hasCode ? first.trim() : '',
    name: title === '' ? '未知课程' : title,
    state: stateOf(name, word),
    credits: Number.isNaN(credits) ? null : credits,
    ...status,
  };
};

/** Used for a course outside the catalogue, whose whole text is its name. */
export const plainCourseText = (name: string): CourseText => {
  const text = plainName(name);
  const { word, ...status } = noStatus;
  return { ...status, code: '', name: text === '' ? '未知课程' : text, state: stateOf(name, word), credits: null };
};
