import type { PlanCompletion } from '../../domain/academics/plan-completion.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { SessionAccess, UpstreamRequest } from '../session/upstream-session.ts';
import { logDropped } from './log-dropped.ts';
import { parsePlanCompletion } from './parse-plan-completion.ts';
import { named } from './parts.ts';
import { chosenPlanRequest, planRequest } from './requests.ts';

/** One request; two for a student with several plans. A page without a readable tree fails as part `plan-tree`. */
export const readPlanCompletion = (
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
): Promise<PlanCompletion> => {
  const read = sessions.with(student, 'jwc', context, async (session) => {
    const load = async (request: UpstreamRequest) => parsePlanCompletion(await session.text(request));
    const first = await load(planRequest);
    const answer = first.kind === 'choice' ? await load(chosenPlanRequest(first.planId)) : first;
    if (answer.kind === 'choice') throw unreadable('academics', 'plan choice leads to itself');
    logDropped(context, 'plan', answer.dropped);
    return answer.completion;
  });
  return named('plan-tree', read, ['upstream-unreadable']);
};
