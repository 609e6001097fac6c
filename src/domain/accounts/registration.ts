import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AttemptDeps, askCampus, atOwnPace, type OwnPace, passed, withOutcome } from './attempt.ts';
import { type Caller, limitNames } from './guard/events.ts';
import { guardNumbers } from './guard/numbers.ts';
import { usableInvite } from './invitations.ts';
import type { Invite } from './invite-tokens.ts';
import { impossibleStep } from './pair-asks.ts';
import type { PasswordPair, ProvenSession } from './ports.ts';
import { addressLimits } from './refusal-limits.ts';
import { newToken, noteLogin } from './tokens.ts';
import { isUserid } from './userid.ts';

interface RegistrationEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly inviteToken: string;
}

/**
 * What tells the bearer of a good invite token anything about other students. A bad one tells nothing, and must not
 * stop the others behind a shared address.
 */
const tells = (error: unknown): boolean => isFailure(error, 'userid-taken', 'credentials-refused');

const store = async (
  deps: AttemptDeps,
  { userid, pair }: { readonly userid: string; readonly pair: PasswordPair },
  invite: Invite,
  context: CallContext,
  proven: ProvenSession,
): Promise<{ token: string }> => {
  const token = randomToken();
  const stored = await deps.accounts.register({
    ...newToken(deps, token, context),
    userid,
    pair,
    invite,
    session: proven.pieces,
    now: deps.clock.now(),
  });
  if (typeof stored === 'string') throw new Failure(stored);
  deps.campus.adopted(proven, stored);
  noteLogin(context, userid, token);
  return { token };
};

/** The account of a pair that is good. */
export const created = async (
  deps: AttemptDeps,
  entry: { readonly userid: string; readonly pair: PasswordPair },
  invite: Invite,
  context: CallContext,
  proven: ProvenSession,
  outcome: string,
): Promise<{ result: { token: string }; outcome: string }> => {
  const result = await store(deps, entry, invite, context, proven);
  const units = deps.callers.unitsOf(context.address);
  if (units !== null) {
    deps.registeredFrom.set(units.address, deps.clock.now());
    deps.limits.succeeded(units.network);
  }
  return { result, outcome };
};

/** @throws Failure `invite-token-invalid`, `userid-taken` */
const checkEntry = async (deps: AttemptDeps, { userid, inviteToken }: RegistrationEntry): Promise<Invite> => {
  const invite = await usableInvite(deps, inviteToken);
  if (await deps.accounts.findUser(userid)) throw new Failure('userid-taken');
  return invite;
};

const attemptRegistration = async (
  deps: AttemptDeps,
  entry: RegistrationEntry,
  caller: Caller,
  client: AbortSignal,
  pace: OwnPace,
): Promise<{ result: { token: string }; outcome: string }> => {
  const { userid, pair } = entry;
  const { guard, callers } = deps;
  const { network } = caller;
  passed(await guard.look({ userid, code: null, network }, { type: 'registration-wanted', caller }));
  const invite = await checkEntry(deps, entry);
  const impossible = impossibleStep(pair, deps.campus.longestVpnPassword());
  if (impossible) throw new Failure('credentials-refused', { step: impossible, reason: limitNames.G6 });
  const scope = { userid, code: invite.code, network };
  const prints = callers.prints(userid, pair);
  const tag = callers.studentTag(userid);
  const begins = { type: 'registration-begins', invite: invite.hash, caller, prints } as const;
  passed(await guard.look(scope, { ...begins, id: null }));
  client.throwIfAborted();
  const id = randomToken();
  const { desk } = deps;
  return askCampus(
    deps,
    {
      userid,
      pair,
      callers: 'registration',
      line: { line: 'registration', ...(caller.trusted ? {} : { network }) },
      begin: async () => {
        await checkEntry(deps, entry);
        await desk?.makeWay(userid, caller);
        passed(await guard.decide(scope, { ...begins, id }));
      },
      end: (outcome) => guard.decide(scope, { type: 'registration-ended', id, caller, prints, tag, outcome }),
      accepted: async (proven) => {
        client.throwIfAborted();
        return created(deps, entry, invite, pace.context, proven, 'created');
      },
      ...(desk && {
        person: true,
        waits: (half) => {
          const booked = { id, by: 'stranger' } as const;
          return desk.open({ purpose: 'registration', userid, pair, invite, booked }, half, caller);
        },
      }),
    },
    pace,
  );
};

export const createRegistration =
  (deps: AttemptDeps) =>
  (entry: RegistrationEntry, context: CallContext): Promise<{ token: string }> =>
    withOutcome(deps, 'registration', entry.userid, context, async () => {
      const { userid } = entry;
      if (!isUserid(userid)) throw new Failure('userid-malformed');
      const { address, bearer } = context;
      const hash = bearer === undefined ? null : sha256(bearer);
      const caller = deps.callers.callerOf(userid, address, { holder: false, hash });
      const { windowMs } = guardNumbers.address;
      const most = deps.settings.refusalsPerAddress;
      const counted = addressLimits(deps.callers, 'registration', address, { most, windowMs, userid });
      return atOwnPace(deps.clock, context, (pace) =>
        deps.limits.run(counted, pace.context.signal, tells, () =>
          attemptRegistration(deps, entry, caller, context.signal, pace),
        ),
      );
    });
