import { randomToken } from '../../../lib/hash.ts';
import type { HalfSignIn } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import { type Failure, failureOf, failures, isFailure } from '../../errors.ts';
import { mayAsk } from '../guard/asking.ts';
import { type Caller, isUserid } from '../guard/callers.ts';
import { addressLimits } from '../guard/refusal-limits.ts';
import { go } from '../guard/verdict.ts';
import type { Invite, VerifiedSession } from '../ports.ts';
import { usableInvite } from '../tokens/invitations.ts';
import { newToken } from '../tokens/tokens.ts';
import { Booking, compareSubmitted, impossibleStep, queueOf, takeTurnAlone } from './ask.ts';
import {
  type AttemptDeps,
  type LoginDeps,
  type OwnPace,
  type PairEntry,
  runAtOwnPace,
  throwIfRefused,
  withOutcome,
} from './attempt.ts';

interface RegistrationEntry extends PairEntry {
  readonly inviteToken: string;
}

/** A bad invite token tells nothing about other students, and must not stop others behind a shared address. */
const tells = (error: unknown): boolean => isFailure(error, 'userid-taken', 'credentials-refused');

/** A minute is enough for all but absurdly many rows. */
const erasingFailure = (): Failure => failures.useridErasing(60);

export const createAccount = async (
  deps: AttemptDeps,
  { userid, pair }: PairEntry,
  invite: Invite,
  context: CallContext,
  verified: VerifiedSession,
): Promise<{ token: string }> => {
  const token = randomToken();
  const now = deps.clock.now();
  const account = { ...newToken(deps, token, context), userid, pair, invite, session: verified.pieces, now };
  const stored = await deps.accounts.register(account);
  if (stored === 'userid-erasing') throw erasingFailure();
  if (typeof stored === 'string') throw failureOf(stored);
  deps.campus.adoptVerified(verified, stored);
  const units = deps.callers.unitsOf(context.address);
  if (units !== null) deps.registeredFrom.set(units.address, deps.clock.monotonic());
  return { token };
};

/** @throws Failure `invite-token-invalid`, `userid-taken`, `userid-erasing` */
const checkEntry = async (deps: LoginDeps, { userid, inviteToken }: RegistrationEntry): Promise<Invite> => {
  const invite = await usableInvite(deps, inviteToken);
  const standing = await deps.accounts.standing(userid);
  if (standing === 'registered') throw failures.useridTaken();
  if (standing === 'erasing') throw erasingFailure();
  return invite;
};

const attemptRegistration = async (
  deps: LoginDeps,
  entry: RegistrationEntry,
  caller: Caller,
  client: AbortSignal,
  pace: OwnPace,
): Promise<{ token: string }> => {
  const { userid, pair } = entry;
  const { campus, guard, callers, desk } = deps;
  const invite = await checkEntry(deps, entry);
  const impossible = impossibleStep(pair, campus);
  if (impossible) throw failures.credentialsRefused(impossible, 'impossible-password');
  const sent = compareSubmitted(deps, entry, null);
  const wanted = { caller, pair: sent, tag: callers.studentTag(userid), invite: invite.hash };
  throwIfRefused(await guard.decide(userid, (draft, at) => mayAsk(draft, wanted, at) ?? go));

  await using turn = await takeTurnAlone(deps, entry, queueOf('registration', caller), pace);
  await checkEntry(deps, entry);
  await desk.makeWay(userid, caller);
  const booking = new Booking(deps, { entry, caller, sent, stored: null, invite: invite.hash });
  const opens = (half: HalfSignIn) => desk.open({ purpose: 'registration', userid, pair, invite }, half, caller);
  const verified = await booking.ask(turn.signIn, opens, pace);
  client.throwIfAborted();
  return await createAccount(deps, entry, invite, pace.context, verified);
};

export const createRegistration =
  (deps: LoginDeps) =>
  (entry: RegistrationEntry, context: CallContext): Promise<{ token: string }> =>
    withOutcome(deps, 'registration', entry.userid, context, async () => {
      const { userid } = entry;
      if (!isUserid(userid)) throw failures.useridMalformed();
      const { address, signal } = context;
      const caller = deps.callers.callerOf(userid, address, null);
      const limits = addressLimits(deps, 'registration', address, userid);
      const result = await runAtOwnPace(deps.clock, context, async (pace) => {
        using attempt = await deps.limits.enter(limits, pace.context.signal);
        return await attempt.counting(tells, attemptRegistration(deps, entry, caller, signal, pace));
      });
      return { result, outcome: 'created' };
    });
