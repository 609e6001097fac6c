import { asFailure, Failure } from '../../errors.ts';
import { type AttemptDeps, adopt, atOwnPace, passed, withOutcome } from '../attempt.ts';
import { askPair, DecideAnew, submitted } from '../pair-asks.ts';
import type { Challenges } from './ports.ts';

/** A session that has ended is opened again with the stored pair, and the student there. */
export const createRenewal = (deps: AttemptDeps): Challenges['begin'] => {
  const { desk } = deps;
  return (student, context) =>
    withOutcome(deps, 'renewal', student.userid, context, () =>
      atOwnPace(deps.clock, context, async (pace) => {
        const { userid, tokenHash } = student;
        if (await deps.campus.healthy(userid)) throw new Failure('challenge-needless');
        const stored = await deps.accounts.readPair(userid);
        if (stored === null) throw new Failure('token-user-gone');
        const entry = { userid, pair: stored.pair };
        const { address } = pace.context;
        const proof = tokenHash ?? null;
        const caller = deps.callers.callerOf(userid, address, { holder: proof !== null, hash: proof });
        const sent = submitted(deps, entry, stored);
        const tag = deps.callers.studentTag(userid);
        const scope = { userid, code: null, network: caller.network };
        passed(
          await deps.guard.look(scope, { type: 'stored-wanted', stored: sent.stored, tag, attended: true, caller }),
        );
        try {
          await askPair(deps, { entry, by: 'holder', caller, sent, stored }, pace, {
            ...(desk && { makeWay: () => desk.makeWay(userid, caller, pace.context) }),
            waits:
              desk &&
              (({ id }, half) =>
                desk.open({ purpose: 'renewal', ...entry, booked: { id, by: 'holder' } }, half, caller, pace.context)),
            accepted: (proven) => adopt(deps, proven, pace.context),
          });
          return { result: null, outcome: 'accepted' };
        } catch (error) {
          // Somebody else has renewed it meanwhile.
          if (error instanceof DecideAnew) throw new Failure('challenge-needless');
          const { challenge } = asFailure(error);
          if (challenge === undefined) throw error;
          return { result: challenge, outcome: 'person-needed' };
        }
      }),
    );
};
