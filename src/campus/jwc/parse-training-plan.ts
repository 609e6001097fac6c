import { type TrainingPlan, trainingPlanOf } from '../../domain/academics/training-plan.ts';
import { Failure } from '../../domain/errors.ts';
import { readJsonObject } from '../parsing/json.ts';
import { int, payloadList, str } from '../parsing/scalars.ts';
import { clean } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

/**
 * `{count, data: [[plan name, plan number], …]}`; the first plan counts.
 * @throws Failure `upstream-unreadable`; `upstream-empty` when the student has no plan
 */
export const parseTrainingPlan = (text: string): TrainingPlan => {
  const body = readJsonObject(text, 'academics');
  if (!('data' in body)) throw unreadable('academics', 'plan answer without data');
  const rows = payloadList(body.data);
  if (rows === null) throw unreadable('academics', 'plan rows of the wrong type');
  const [first] = rows;
  const name = Array.isArray(first) && first.length >= 2 ? clean(str(first[0])) : '';
  // A count of zero beside a row is the campus saying that the row is none of this student's.
  if (name === '' || int(body.count, 1) <= 0) {
    throw new Failure('upstream-empty', { system: 'academics', reason: 'no training plan' });
  }
  return trainingPlanOf(name);
};
