import type { CallContext } from '../../context.ts';
import { Failure } from '../../errors.ts';
import { type AttemptDeps, adopt, passed } from '../attempt.ts';
import { noGrants } from '../grants.ts';
import type { AskOutcome, GuardAnswer } from '../guard/events.ts';
import { issue } from '../login.ts';
import { endPairAsk, isStored, type PairAsk, readablePair, submitted } from '../pair-asks.ts';
import type { ProvenSession } from '../ports.ts';
import { created } from '../registration.ts';
import { accepted, samePair } from './desk.ts';
import type { Answered, ChallengeRow } from './ports.ts';

/** How the guard hears of what becomes of a sign-in that goes on. */
export interface Book {
  /** Before any of its passwords leaves. @throws Failure when the guard refuses */
  begin(): Promise<void>;
  end(outcome: AskOutcome): Promise<GuardAnswer>;
  /** Of a pair of a registered student. */
  readonly ask: PairAsk | null;
}

export const bookOf = async (deps: AttemptDeps, row: ChallengeRow, context: CallContext): Promise<Book> => {
  const { userid, entry, purpose } = row;
  const { guard, callers } = deps;
  // A token that comes with the call proves nothing that the id of the challenge does not.
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
      end: (outcome) =>
        guard.decide(scope, { type: 'registration-ended', id, ...resumed, caller, prints, tag, outcome }),
    };
  }
  const pair = { userid, pair: entry.pair };
  const stored = await readablePair(deps, userid, context);
  const ask: PairAsk = { entry: pair, ...entry.booked, caller, sent: submitted(deps, pair, stored), stored };
  const scope = { userid, code: null, network: caller.network };
  return {
    ask,
    async begin() {
      const { id, by, sent } = ask;
      // A stranger's has stayed booked, and the stored pair has been judged when it was begun.
      if (isStored(sent) || (by === 'stranger' && entry.stepped)) return;
      passed(await guard.decide(scope, { type: 'ask-begins', id, by, caller, pair: sent, resumed: true }));
    },
    end: (outcome) => endPairAsk(deps, ask, outcome),
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
