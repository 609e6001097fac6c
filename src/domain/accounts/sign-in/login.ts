import { randomToken, sha256 } from '../../../lib/hash.ts';
import type { HalfSignIn } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import { failures, isFailure, passwordFateOf } from '../../errors.ts';
import { handleOf, isEqual, isOwner, isStored, isUserid, type SubmittedPair } from '../guard/callers.ts';
import { addressLimits } from '../guard/refusal-limits.ts';
import { meetsClosed, SESSION_TRUST_MS, trustMsOf, wantsLogin } from '../guard/stored-pair.ts';
import type { LimitName } from '../guard/verdict.ts';
import type { VerifiedSession } from '../ports.ts';
import { keptGrants, type SettledGrants } from '../tokens/personal-tokens.ts';
import { KEPT_TOKENS, newToken } from '../tokens/tokens.ts';
import {
  Booking,
  compareSubmitted,
  impossibleStep,
  type PairBooking,
  queueOf,
  readablePair,
  takeTurnAlone,
} from './ask.ts';
import {
  type AccountDeps,
  type LoginDeps,
  type OwnPace,
  type PairEntry,
  runAtOwnPace,
  throwIfRefused,
  withOutcome,
} from './attempt.ts';

export interface LoggedIn {
  readonly token: string;
  /** The grants that were kept and ended; none unless the stored pair was replaced. */
  readonly grants: SettledGrants;
}

type LoginResult = { readonly result: LoggedIn; readonly outcome: string };

/** Reads what a login depends on. Neither the answer nor its time may tell the caller any of it. */
const gather = async (deps: AccountDeps, { userid }: PairEntry, context: CallContext) => {
  const { bearer, address } = context;
  const hash = bearer === undefined ? null : sha256(bearer);
  const isWellFormed = isUserid(userid);
  const user = isWellFormed ? await deps.accounts.findUser(userid) : null;
  const stored = await readablePair(deps, isWellFormed ? userid : '', context);
  const isHolder = hash !== null && user !== null && (await deps.tokens.bearer(hash, deps.clock.now())) === userid;
  const caller = deps.callers.callerOf(userid, address, isHolder ? hash : null);
  const rows = await deps.guard.read(isWellFormed ? userid : '');
  return { isRegistered: user !== null, stored, caller, isOwner: isOwner(handleOf(rows.student, caller)), rows };
};

type Gathered = Awaited<ReturnType<typeof gather>>;

/** A guesser learns something from this failure. A budget that was spent before comparing tells nothing. */
const tells = (error: unknown): boolean =>
  isFailure(error, 'user-unknown', 'credentials-refused') ||
  (isFailure(error, 'login-cool-down', 'rate-limited', 'sign-in-guarded') &&
    error.step === undefined &&
    error.reason !== ('compare-limit' satisfies LimitName));

/** Issues a token, and stores the pair that was verified. */
export const issueToken = async (
  deps: AccountDeps,
  { userid, pair, keep: keptKinds = keptGrants }: PairEntry,
  context: CallContext,
  sent: SubmittedPair,
  verified: VerifiedSession | null,
): Promise<LoggedIn> => {
  const token = randomToken();
  const recorded = await deps.accounts.recordLogin({
    ...newToken(deps, token, context),
    userid,
    // An equal pair that had been set aside is stored again, which makes it good again.
    newPair: verified && !isStored(sent) ? pair : null,
    now: deps.clock.now(),
    keep: KEPT_TOKENS,
    revokeOthers: verified !== null && !isEqual(sent) ? { keep: keptKinds } : null,
    session: verified?.pieces ?? null,
  });
  if (recorded === 'user-gone') throw failures.userUnknown();
  if (verified) deps.campus.adoptVerified(verified, recorded.saved);
  return { token, grants: recorded.grants };
};

/** The password goes to the campus, booked; null: the place that verifies it says that it is closed, and the guard gives a token. */
const askCampus = async (
  deps: LoginDeps,
  { entry, caller, sent, stored }: PairBooking,
  signIn: () => Promise<VerifiedSession>,
  pace: OwnPace,
): Promise<VerifiedSession | null> => {
  const booking = new Booking(deps, { entry, caller, sent, stored });
  const opens = (half: HalfSignIn) => deps.desk.open({ purpose: 'login', ...entry }, half, caller);
  try {
    return await booking.ask(signIn, opens, pace);
  } catch (error) {
    if (!(isStored(sent) && isFailure(error) && passwordFateOf(error) === 'closed')) throw error;
    const answer = await deps.guard.decide(entry.userid, (draft, at) => meetsClosed(draft, caller, at));
    if (answer.type === 'token') return null;
    throw error;
  }
};

/** A login from the first check to its token. `client`: the signal of the caller, who may leave before the campus answers. */
const attemptLogin = async (
  deps: LoginDeps,
  entry: PairEntry,
  known: Gathered,
  client: AbortSignal,
  pace: OwnPace,
): Promise<LoginResult> => {
  const { userid, pair } = entry;
  const { campus, callers, guard, desk } = deps;
  const { caller } = known;
  const { context } = pace;
  if (!known.isRegistered) throw failures.userUnknown();
  const impossible = impossibleStep(pair, campus);
  if (impossible) throw failures.credentialsRefused(impossible, 'impossible-password');

  const seen = compareSubmitted(deps, entry, known.stored);
  const trustMs = trustMsOf(known.rows.student);
  const answeredMs = isStored(seen) ? await campus.answeredMs(userid, trustMs) : Number.POSITIVE_INFINITY;
  const wanted = { caller, pair: seen, tag: callers.studentTag(userid), answeredMs };
  const answer = throwIfRefused(await guard.decide(userid, (draft, at) => wantsLogin(draft, wanted, at), known.rows));
  client.throwIfAborted();
  if (answer.type === 'token') {
    return { result: await issueToken(deps, entry, context, seen, null), outcome: 'stored-pair' };
  }

  const queue = queueOf(isStored(seen) || known.isOwner ? 'owner' : 'stranger', caller);
  await using turn = await takeTurnAlone(deps, entry, queue, pace);
  // Another login with the same pair may have been accepted while this one waited.
  const stored = await readablePair(deps, userid, context);
  const sent = compareSubmitted(deps, entry, stored);
  if (isStored(sent) && (await campus.answeredMs(userid, SESSION_TRUST_MS)) < SESSION_TRUST_MS) {
    return { result: await issueToken(deps, entry, context, sent, null), outcome: 'stored-pair' };
  }

  await desk.makeWay(userid, caller);
  const verified = await askCampus(deps, { entry, caller, sent, stored }, turn.signIn, pace);
  // The outcome is stored; a caller who left gets no token.
  client.throwIfAborted();
  const outcome = verified === null ? 'stored-pair' : 'accepted';
  return { result: await issueToken(deps, entry, context, sent, verified), outcome };
};

export const createLogin =
  (deps: LoginDeps) =>
  (entry: PairEntry, context: CallContext): Promise<LoggedIn> =>
    withOutcome(deps, 'login', entry.userid, context, async () => {
      const gathered = await gather(deps, entry, context);
      const { address, signal } = context;
      const userid = isUserid(entry.userid) ? entry.userid : '';
      // A home network without a token may be that of anyone who shares the address.
      const bringsToken = gathered.caller.token.length > 0;
      const limits = bringsToken ? [] : addressLimits(deps, 'login', address, userid);
      return runAtOwnPace(deps.clock, context, async (pace) => {
        using attempt = await deps.limits.enter(limits, pace.context.signal);
        return await attempt.counting(tells, attemptLogin(deps, entry, gathered, signal, pace));
      });
    });
