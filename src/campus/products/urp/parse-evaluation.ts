import { failures } from '../../../domain/errors.ts';
import type { EvaluationCourse } from '../../../domain/evaluation/task.ts';
import type { EvaluationList } from '../../../domain/evaluation/types.ts';
import { isRecord } from '../../../lib/text.ts';
import { int, type JsonObject, label, optCount, saysSomething, str } from '../../parsing/cells.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { attributeOf, hasCssClasses, htmlTokens } from '../../parsing/html-tokens.ts';
import { hasAnyOf, readersOf, readJsonObject, readRows, records, unreadable } from '../../parsing/reading.ts';
import { messageIn, refusesRows, tellsError } from '../../parsing/refusals.ts';
import { readFlagOrNull } from '../../parsing/row-reader.ts';
import { detach } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

const closedMark = '评估开关已关闭';
const containers = ['page-content', 'main-content'];
const longestToken = 200;

/** Looks for an alert box in the page content, because scripts hold the same words while the season is open. */
const saysClosed = (page: string): boolean => {
  if (!page.includes('评估')) return false;
  let inContent = false;
  const alerts = elementsIn(page, (_tag, attributes) => {
    const isAlert = inContent && hasCssClasses(attributes, 'alert');
    inContent ||=
      containers.some((mark) => hasCssClasses(attributes, mark)) ||
      attributeOf(attributes, 'id') === 'page-content-template';
    return isAlert ? 'alert' : null;
  });
  return alerts.some(({ text }) => text.includes(closedMark));
};

/**
 * Finds `id="tokenValue" … value="…"` in a script: in the same tag, the value at most 200 characters after the mark.
 * The lookahead keeps a value from swallowing the next mark.
 */
const writtenTokenIn = (page: string): string | null => {
  let behindMark = -1;
  for (const found of page.matchAll(/(?:id|name)=["']tokenValue["']|[<>]|value=["'](?=([^"'<>]{1,200})["'])/g)) {
    const [sign, value] = found;
    if (value === undefined) behindMark = sign.length === 1 ? -1 : found.index + sign.length;
    else if (behindMark >= 0 && found.index - behindMark <= 200) return value;
  }
  return null;
};

/**
 * The page's opaque token: from the hidden field with that `first` attribute, else from the other one, else from any
 * text that writes such a field. A questionnaire may hold the index page's token as well, under the other attribute.
 */
export const evaluationTokenIn = (page: string, first: 'id' | 'name'): string | null => {
  if (!page.includes('tokenValue')) return null;
  const usable = (token: string | null | undefined): string | null =>
    token === null || token === undefined || token.trim() === '' || token.length > longestToken
      ? null
      : detach(token.trim());
  let second: string | null = null;
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open' || token.name !== 'input' || !token.attributes.includes('tokenValue')) continue;
    const value = usable(attributeOf(token.attributes, 'value'));
    if (value === null) continue;
    if (attributeOf(token.attributes, first) === 'tokenValue') return value;
    if (attributeOf(token.attributes, first === 'id' ? 'name' : 'id') === 'tokenValue') second ??= value;
  }
  return second ?? usable(writtenTokenIn(page));
};

export const evaluationIndexAlive = reader(
  'evaluationIndexAlive',
  (page: string): boolean => page.includes('tokenValue') || saysClosed(page),
);

/** The token belongs to the session; every questionnaire request carries it. */
type EvaluationIndex = { readonly open: true; readonly token: string } | { readonly open: false };

/** @throws Failure `upstream-unreadable` for a page that neither says that the season is over nor has a token */
export const parseEvaluationIndex = reader('parseEvaluationIndex', (page: string): EvaluationIndex => {
  if (saysClosed(page)) return { open: false };
  const token = evaluationTokenIn(page, 'id');
  if (token === null) throw unreadable('academics', 'evaluation page without token');
  return { open: true, token };
});

const rowMembers = ['id', 'evaluatedPeople', 'evaluationContent'];

/** An evaluation list has at least one of these; `msg` alone may be any complaint. */
const listMembers = ['result', 'data', 'evaluationNum', 'notFinishedNum'];

const isNone = (data: unknown): boolean => !saysSomething(data) || (Array.isArray(data) && data.length === 0);

/** The campus says 是 or 否; others may send a boolean in its place. */
const evaluatedIn = (value: unknown): string => {
  const flag = readFlagOrNull(value);
  return flag === null ? str(value) : flag ? '是' : '否';
};

const toCourse = (row: JsonObject): EvaluationCourse | null => {
  const id = isRecord(row.id) ? row.id : null;
  const questionnaire = isRecord(row.questionnaire) ? row.questionnaire : null;
  const course: EvaluationCourse = {
    id: id && {
      staffNumber: str(id.evaluatedPeople),
      sequence: str(id.coureSequenceNumber),
      contentNumber: str(id.evaluationContentNumber),
      questionnaireCoding: str(id.questionnaireCoding),
    },
    questionnaire: questionnaire && {
      number: str(questionnaire.questionnaireNumber),
      name: str(questionnaire.questionnaireName),
    },
    // Teacher and questionnaire are sent back to open the page, so they stay unchanged.
    teacher: str(row.evaluatedPeople),
    courseName: label(row.evaluationContent),
    evaluated: evaluatedIn(row.isEvaluated),
  };
  const blank = course.teacher === '' && course.courseName === '' && (course.id?.contentNumber ?? '') === '';
  return blank ? null : course;
};

/**
 * `{result, notFinishedNum, evaluationNum, data: [{id, questionnaire, evaluatedPeople, evaluationContent, …}]}`. No
 * data without an error mark is a student without courses; rows that name no course are dropped.
 * @throws Failure `upstream-unreadable`, also for rows of which none has our members, because none of them would look
 *   like "nothing to evaluate"; `upstream-refused` {upstreamMessage}
 */
export const parseEvaluationList = reader(
  'parseEvaluationList',
  (text: string): { list: EvaluationList; received: number; dropped: number } => {
    const body = readJsonObject(text, 'academics');
    const isList = hasAnyOf(body, listMembers);
    if (tellsError(body) || (isList && isNone(body.data) && refusesRows(body))) {
      const upstreamMessage = messageIn(body);
      throw failures.upstreamRefused('academics', 'evaluation list refused', {
        upstreamMessage: upstreamMessage || undefined,
      });
    }
    if (!isList) throw unreadable('academics', 'answer is no evaluation list');
    const kind = records({ system: 'academics', what: 'evaluation rows' }, rowMembers, toCourse);
    const { rows: courses, received, dropped } = readRows(body.data, kind);
    return {
      list: {
        courses,
        total: Math.max(int(body.evaluationNum, received), 0),
        pending: optCount(body.notFinishedNum),
      },
      received,
      dropped,
    };
  },
);
