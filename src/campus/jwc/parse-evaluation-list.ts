import { Failure } from '../../domain/errors.ts';
import type { EvaluationCourse, EvaluationList } from '../../domain/evaluation/types.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { readRows, records } from '../parsing/list-rows.ts';
import { hasAnyOf, int, type JsonObject, label, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

const rowMembers = ['id', 'evaluatedPeople', 'evaluationContent'];

/** One of these tells that the answer is one about evaluation at all; `msg` alone may be any complaint. */
const listMembers = ['result', 'data', 'evaluationNum', 'notFinishedNum'];

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
    // Teacher and questionnaire are sent back when the page is opened, so they stay as they came.
    teacher: str(row.evaluatedPeople),
    courseName: label(row.evaluationContent),
    evaluated: str(row.isEvaluated),
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
export const parseEvaluationList = (text: string): { list: EvaluationList; received: number; dropped: number } => {
  const body = readJsonObject(text, 'academics');
  if (tellsError(body)) {
    const upstreamMessage = plainMessage(body.msg) || plainMessage(body.errorMessage);
    throw new Failure('upstream-refused', {
      system: 'academics',
      reason: 'evaluation list refused',
      upstreamMessage: upstreamMessage || undefined,
    });
  }
  if (!hasAnyOf(body, listMembers)) throw unreadable('academics', 'answer is no evaluation list');
  const kind = { system: 'academics', what: 'evaluation rows', most: 2_000, ...records(rowMembers, toCourse) } as const;
  const { rows: courses, received, dropped } = readRows(body.data, kind);
  const pending = int(body.notFinishedNum, -1);
  return {
    list: {
      courses,
      total: Math.max(int(body.evaluationNum, received), 0),
      pending: pending >= 0 ? pending : null,
    },
    received,
    dropped,
  };
};
