import { randomToken, sha256 } from '../../../lib/hash.ts';
import type { HalfSignIn } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import { failures, isFailure, passwordsOf } from '../../errors.ts';
import type { LimitName } from '../guard/answer.ts';
import { type Caller, handleOf, isEqual, isOwner, isStored, type SubmittedPair } from '../guard/caller.ts';
import { isUserid } from '../guard/callers.ts';
import { addressLimits } from '../guard/refusal-limits.ts';
import { meetsClosed, SESSION_TRUST_MS, trustMsOf, wantsLogin } from '../guard/stored-pair.ts';
import type { VerifiedSession } from '../ports.ts';
import { keptGrants, type SettledGrants } from '../tokens/personal-tokens.ts';
import { KEPT_TOKENS, newToken } from '../tokens/tokens.ts';
import { alone, Booking, impossibleStep, queueOf, readablePair, submitted } from './ask.ts';
import {
  type AccountDeps,
  atOwnPace,
  type LoginDeps,
  type OwnPace,
  type PairEntry,
  passed,
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
export const issue = async (
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
  if (verified) deps.campus.adopted(verified, recorded.saved);
  return { token, grants: recorded.grants };
};

/** Asks the campus, unless another login with the same pair has been accepted while this one waited. */
const asked = async (
  deps: LoginDeps,
  entry: PairEntry,
  { caller, client, pace }: { readonly caller: Caller; readonly client: AbortSignal; readonly pace: OwnPace },
  signIn: () => Promise<VerifiedSession>,
): Promise<LoginResult> => {
  const { userid } = entry;
  const { context } = pace;
  const stored = await readablePair(deps, userid, context);
  const sent = submitted(deps, entry, stored);
  if (isStored(sent) && (await deps.campus.answeredMs(userid, SESSION_TRUST_MS)) < SESSION_TRUST_MS) {
    return { result: await issue(deps, entry, context, sent, null), outcome: 'stored-pair' };
  }
  await deps.desk.makeWay(userid, caller);
  const booking = new Booking(deps, { entry, caller, sent, stored });
  const opens = (half: HalfSignIn) => deps.desk.open({ purpose: 'login', ...entry }, half, caller);
  const verified = await booking.ask(signIn, opens, pace).catch(async (error: unknown) => {
    const isClosed = isStored(sent) && isFailure(error) && passwordsOf(error) === 'closed';
    if (!isClosed) throw error;
    const answer = await deps.guard.decide(userid, (draft, at) => meetsClosed(draft, caller, at));
    if (answer.type !== 'token') throw error;
    return null;
  });
  // The outcome is stored; a caller who left gets no token.
  client.throwIfAborted();
  const outcome = verified === null ? 'stored-pair' : 'accepted';
  return { result: await issue(deps, entry, context, sent, verified), outcome };
};

const decided = async (
  deps: LoginDeps,
  entry: PairEntry,
  { isRegistered, stored, caller, isOwner: isOwners, rows }: Gathered,
  client: AbortSignal,
  pace: OwnPace,
): Promise<LoginResult> => {
  const { userid, pair } = entry;
  const { campus, callers, guard } = deps;
  if (!isRegistered) throw failures.userUnknown();
  const impossible = impossibleStep(pair, campus);
  if (impossible) throw failures.credentialsRefused(impossible, 'impossible-password');
  const sent = submitted(deps, entry, stored);
  const trustMs = trustMsOf(rows.student);
  const answeredMs = isStored(sent) ? await campus.answeredMs(userid, trustMs) : Number.POSITIVE_INFINITY;
  const wanted = { caller, pair: sent, tag: callers.studentTag(userid), answeredMs };
  const answer = passed(await guard.decide(userid, (draft, at) => wantsLogin(draft, wanted, at), rows));
  client.throwIfAborted();
  if (answer.type === 'token') {
    return { result: await issue(deps, entry, pace.context, sent, null), outcome: 'stored-pair' };
  }
  const queue = queueOf(isStored(sent) || isOwners ? 'owner' : 'stranger', caller);
  return alone(deps, entry, queue, pace, (signIn) => asked(deps, entry, { caller, client, pace }, signIn));
};

export const createLogin =
  (deps: LoginDeps) =>
  (entry: PairEntry, context: CallContext): Promise<LoggedIn> =>
    withOutcome(deps, 'login', entry.userid, context, async () => {
      const gathered = await gather(deps, entry, context);
      const { address, signal } = context;
      const userid = isUserid(entry.userid) ? entry.userid : '';
      // A home network without a token may be anybody's who shares the address.
      const bringsToken = gathered.caller.token.length > 0;
      const limits = bringsToken ? [] : addressLimits(deps, 'login', address, userid);
      return atOwnPace(deps.clock, context, (pace) =>
        deps.limits.run(limits, pace.context.signal, tells, () => decided(deps, entry, gathered, signal, pace)),
      );
    });
