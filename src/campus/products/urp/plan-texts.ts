import type { PlanCategory, PlanCourse } from '../../../domain/academics/plans.ts';
import { int, num } from '../../parsing/cells.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

/** Strips markup, entities and surplus white space from a node name. */
const plain = (name: string): string =>
  collapse(decodeEntities(name.replace(/<[^<>]*>/g, ' ').replaceAll('&nbsp;', ' ')));

type CategoryText = Omit<PlanCategory, 'flagId' | 'subcategories' | 'courses'>;

const labels = {
  minCredits: '最低修读学分',
  completedCredits: '通过学分',
  totalCourses: '已修课程门数',
  passedCourses: '已及格课程门数',
  failedCourses: '未及格课程门数',
  missingRequiredCourses: '必修课缺修门数',
} as const;

/**
 * Parses `通识通修(最低修读学分:68,通过学分:34.4,…)`. The name may hold brackets too, so the statistics start at the last bracket
 * followed by the minimum credits. Missing numbers are 0.
 */
export const categoryText = (name: string): CategoryText => {
  const text = plain(name);
  const start = Math.max(text.lastIndexOf(`(${labels.minCredits}`), text.lastIndexOf(`（${labels.minCredits}`));
  const statistics = start < 0 ? '' : text.slice(start + 1);
  const numberOf = (label: string): string => {
    const at = statistics.search(new RegExp(`(?<=^|[,，;；\\s])${label}`));
    return at < 0 ? '' : (/^[^:：,，]*[:：]\s?([-+]?[\d.]{1,20})/.exec(statistics.slice(at))?.[1] ?? '');
  };
  return {
    name: start < 0 ? text : text.slice(0, start).trim(),
    minCredits: num(numberOf(labels.minCredits)),
    completedCredits: num(numberOf(labels.completedCredits)),
    totalCourses: int(numberOf(labels.totalCourses)),
    passedCourses: int(numberOf(labels.passedCourses)),
    failedCourses: int(numberOf(labels.failedCourses)),
    missingRequiredCourses: int(numberOf(labels.missingRequiredCourses)),
  };
};

type CourseText = Omit<PlanCourse, 'flagId' | 'flagType' | 'parentId' | 'level'>;

/** The icon shows the state; a grey icon, or none, means not taken. */
const stateOf = (name: string): CourseText['state'] => {
  if (name.includes('fa-smile-o fa-1x green')) return 'passed';
  return name.includes('fa-frown-o fa-1x red') ? 'failed' : 'unread';
};

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

const typeWords = ['必修', '选修', '任选', '限选'];

/** A number of two digits or more, or with a decimal. */
const markPattern = /^(?:\d{2,3}|\d{1,3}\.\d+)$/;

/** Tells a status from a bracket that belongs to the name, as in 体育(一) or 物理(2-1). */
const isStatus = (group: string): boolean =>
  /[,，]/.test(group) ||
  /\d{8}/.test(group) ||
  markPattern.test(/^[^(（]*/.exec(group)?.[0].trim() ?? '') ||
  typeWords.includes(group);

/** Parses `必修,87.0(20240705)`, `任选,优秀(20240105)`, `85.0(20250626 …)` or `必修`. A date is never taken for the score. */
const readStatus = (group: string): Pick<CourseText, 'type' | 'score' | 'examDate'> => {
  const examDate = /(?<!\d)\d{8}(?!\d)/.exec(group)?.[0] ?? null;
  // The text before the bracket of the date; commas inside that bracket are part of a remark.
  const head = (/^[^(（]*/.exec(group)?.[0] ?? '').trim();
  const comma = head.search(/[,，]/);
  const before = comma < 0 ? head : head.slice(0, comma).trim();
  const type = /\d/.test(before) || (comma < 0 && !typeWords.includes(before)) ? '' : before;
  const behind = comma < 0 ? '' : head.slice(comma + 1);
  const rest = type !== '' || before === '' ? behind : before;
  const score = rest.trim().replace(/(?<![,，])[,，]+$/, '');
  return { type, score: score === '' || score === examDate ? null : score, examDate };
};

const noStatus = { type: '', score: null, examDate: null };

/** Parses `[MAT1102004]线性代数(B)[2.5学分](必修,52.0(20250112))`, with its icon in front. */
export const courseText = (name: string): CourseText => {
  const whole = plain(name);
  const [, first = '', behind = ''] = /^[^[]*\[([^\]]*)\](.*)$/s.exec(whole) ?? [];
  const hasCode = first !== '' && !first.includes('学分');
  const text = hasCode ? behind : whole;
  const stated = /\[\s?([\d.]{1,20})\s?学分\s?\]/.exec(text);
  const credits = num(stated?.[1], Number.NaN);
  const rest = (stated === null ? text : text.replace(stated[0], ' ')).trim();
  const at = lastGroup(rest);
  const group = at < 0 ? '' : rest.slice(at + 1, -1).trim();
  const hasStatus = at >= 0 && isStatus(group);
  const title = collapse(hasStatus ? rest.slice(0, at) : rest)
    .replace(/^[\s，,。.]+/, '')
    .replace(/(?<![，,。.\s])[，,。.\s]+$/, '');
  return {
    code: hasCode ? first.trim() : '',
    name: title === '' ? '未知课程' : title,
    state: stateOf(name),
    credits: Number.isNaN(credits) ? null : credits,
    ...(hasStatus ? readStatus(group) : noStatus),
  };
};

/** Used for a course outside the catalogue, whose whole text is its name. */
export const plainCourseText = (name: string): CourseText => {
  const text = plain(name);
  return { ...noStatus, code: '', name: text === '' ? '未知课程' : text, state: stateOf(name), credits: null };
};
