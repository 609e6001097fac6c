import type { PlanEntry, PlanOption } from '../../domain/academics/plan-choice.ts';
import type { PlanCompletion } from '../../domain/academics/plan-completion.ts';
import { trainingPlanOf } from '../../domain/academics/training-plan.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { readAnswer } from '../read-answer.ts';
import type { SessionAccess, UpstreamRequest } from '../session/upstream-session.ts';
import { type PlanAnswer, parsePlanCompletion } from './parse-plan-completion.ts';
import { named } from './parts.ts';
import { chosenPlanRequest, planRequest } from './requests.ts';

/** One request. A page that cannot be read fails as part `plan-tree`. */
const readPage = <T>(
  sessions: SessionAccess,
  student: Student,
  request: UpstreamRequest,
  context: CallContext,
  take: (answer: PlanAnswer) => T,
): Promise<T> => {
  const read = sessions.with(student, 'jwc', context, async (session) => {
    return take(await readAnswer(session, request, parsePlanCompletion));
  });
  return named('plan-tree', read, ['upstream-unreadable']);
};

/** The page on which the campus shows the only plan, or offers several. */
export const readPlanEntry = (sessions: SessionAccess, student: Student, context: CallContext): Promise<PlanEntry> =>
  readPage(sessions, student, planRequest, context, (answer) =>
    answer.kind === 'tree' ? { kind: 'plan', completion: answer.completion } : answer,
  );

/** One of several plans. Where its page does not name it, it has the name that it has in the choice. */
export const readChosenPlan = (
  sessions: SessionAccess,
  student: Student,
  { id, name }: PlanOption,
  context: CallContext,
): Promise<PlanCompletion> =>
  readPage(sessions, student, chosenPlanRequest(id), context, (answer) => {
    if (answer.kind === 'choice') throw unreadable('academics', 'plan choice leads to itself');
    const { completion } = answer;
    return { ...completion, planId: id, plan: completion.plan.name === '' ? trainingPlanOf(name) : completion.plan };
  });
