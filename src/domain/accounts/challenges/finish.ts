import type { CallContext } from '../../context.ts';
import { asFailure, Failure } from '../../errors.ts';
import { type AttemptDeps, adopt, atOwnPace, passed, withOutcome } from '../attempt.ts';
import { noGrants } from '../grants.ts';
import type { AskOutcome } from '../guard/events.ts';
import { issue } from '../login.ts';
import { askPair, DecideAnew, endPairAsk, isStored, type PairAsk, readablePair, submitted } from '../pair-asks.ts';
import type { ProvenSession } from '../ports.ts';
import { created } from '../registration.ts';
import { accepted, samePair } from './desk.ts';
import type { Answered, ChallengeRow, Challenges } from './ports.ts';

export type Book = Awaited<ReturnType<typeof bookOf>>;

/** How the guard hears of what becomes of a sign-in that goes on. `ask`: of a pair of a registered student. */
export const bookOf = async (deps: AttemptDeps, row: ChallengeRow, context: CallContext) => {
  const { userid, entry, purpose } = row;
  const { guard, callers } = deps;
  // A token that comes with the call shows nothing that the id of the challenge does not.
  const caller = callers.callerOf(userid, context.address, { holder: false, hash: null });
  if (purpose === 'registration') {
    const { id } = entry.booked;
    const prints = callers.prints(userid, entry.pair);
    const tag = callers.studentTag(userid);
    const scope = { userid, code: entry.invite?.code ?? null, network: caller.network };
    const resumed = entry.invite && { resumed: entry.invite.hash };
    return {
      ask: null,
      begin: () => Promise.resolve(),
      end: (outcome: AskOutcome) =>
        guard.decide(scope, { type: 'registration-ended', id, ...resumed, caller, prints, tag, outcome }),
    };
  }
  const pair = { userid, pair: entry.pair };
  const stored = await readablePair(deps, userid, context);
  const ask: PairAsk = { entry: pair, ...entry.booked, caller, sent: submitted(deps, pair, stored), stored };
  const scope = { userid, code: null, network: caller.network };
  return {
    ask,
    /** Before any of its passwords leaves. @throws Failure when the guard refuses */
    async begin() {
      const { id, by, sent } = ask;
      // A stranger's has stayed booked, and the stored pair has been judged when it was begun.
      if (isStored(sent) || (by === 'stranger' && entry.stepped)) return;
      passed(await guard.decide(scope, { type: 'ask-begins', id, by, caller, pair: sent, resumed: true }));
    },
    end: (outcome: AskOutcome) => endPairAsk(deps, ask, outcome),
  };
};

/** The sign-in has gone through: what the login, the registration or the renewal would have come to. */
export const finish = async (
  deps: AttemptDeps,
  row: ChallengeRow,
  book: Book,
  proven: ProvenSession,
  context: CallContext,
): Promise<Answered> => {
  const { entry, purpose, userid } = row;
  const { pair, keep, invite } = entry;
  await book.end(accepted(entry));
  if (purpose === 'renewal') {
    await adopt(deps, proven, context);
    return { kind: 'renewed' };
  }
  if (purpose === 'login') {
    if (book.ask === null) throw new Failure('internal', { reason: 'a login without a pair' });
    const login = { userid, pair, ...(keep && { keep }) };
    const { token, grants } = await issue(deps, login, context, book.ask.sent, proven);
    return { kind: 'logged-in', purpose, token, grants };
  }
  const stored = await readablePair(deps, userid, context);
  if (stored !== null && samePair(stored.pair, pair)) {
    // The process that created the account died before it could say so.
    const { token } = await issue(deps, { userid, pair }, context, submitted(deps, { userid, pair }, stored), proven);
    return { kind: 'logged-in', purpose, token, grants: noGrants };
  }
  if (invite === null) throw new Failure('invite-token-invalid');
  const { result } = await created(deps, { userid, pair }, invite, context, proven, 'step-passed');
  return { kind: 'logged-in', purpose, token: result.token, grants: noGrants };
};

/** A session that has ended is opened again with the stored pair, and the student there. */
export const createRenewal = (deps: AttemptDeps): Challenges['begin'] => {
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
          const ask = { entry, by: 'holder', caller, sent, stored } as const;
          await askPair(deps, 'renewal', ask, pace, (proven) => adopt(deps, proven, pace.context));
          return { result: null, outcome: 'accepted' };
        } catch (error) {
          // Another call has renewed it.
          if (error instanceof DecideAnew) throw new Failure('challenge-needless');
          const { challenge } = asFailure(error);
          if (challenge === undefined) throw error;
          return { result: challenge, outcome: 'person-needed' };
        }
      }),
    );
};
