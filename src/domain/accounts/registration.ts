import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AttemptDeps, adopt, askCampus, atOwnPace, type OwnPace, passed, withOutcome } from './attempt.ts';
import type { Caller } from './guard/events.ts';
import { guardNumbers } from './guard/numbers.ts';
import { impossibleStep } from './password-pair.ts';
import type { PasswordPair, ProvenSession } from './ports.ts';
import type { RefusalLimit } from './refusal-limits.ts';
import { newToken } from './tokens.ts';
import { isUserid } from './userid.ts';

interface RegistrationEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly inviteToken: string;
}

const limitsOf = (deps: AttemptDeps, userid: string, address: string): RefusalLimit[] => {
  const unit = deps.callers.addressOf(address);
  if (unit === null) return [];
  const { perStudent, windowMs } = guardNumbers.address;
  return [
    { name: `registration ${unit} ${userid}`, most: perStudent, windowMs },
    { name: `registration ${unit}`, most: deps.settings.refusalsPerAddress, windowMs },
  ];
};

/** What tells somebody with a good invite token anything about other students. */
const tells = (error: unknown): boolean => isFailure(error, 'userid-taken', 'credentials-refused');

const store = async (
  deps: AttemptDeps,
  { userid, pair, inviteToken }: RegistrationEntry,
  context: CallContext,
  proven: ProvenSession,
): Promise<{ token: string }> => {
  const token = randomToken();
  const stored = await deps.accounts.register({
    ...newToken(deps, token, context.address),
    userid,
    pair,
    inviteTokenHash: sha256(inviteToken),
    now: deps.clock.now(),
  });
  if (stored !== 'created') throw new Failure(stored);
  await adopt(deps, proven, context);
  return { token };
};

/** @throws Failure `invite-token-invalid`, `userid-taken` */
const checkEntry = async (deps: AttemptDeps, { userid, inviteToken }: RegistrationEntry): Promise<string> => {
  const code = await deps.invites.codeOf(sha256(inviteToken), deps.clock.now());
  if (code === null) throw new Failure('invite-token-invalid');
  if (await deps.accounts.findUser(userid)) throw new Failure('userid-taken');
  return code;
};

const attemptRegistration = async (
  deps: AttemptDeps,
  entry: RegistrationEntry,
  place: Caller,
  client: AbortSignal,
  pace: OwnPace,
): Promise<{ result: { token: string }; outcome: string }> => {
  const { userid, pair } = entry;
  const { guard, callers } = deps;
  passed(await guard.look({ userid, code: null }, { type: 'registration-wanted', place }));
  const code = await checkEntry(deps, entry);
  const impossible = impossibleStep(pair, deps.campus.longestVpnPassword());
  if (impossible) throw new Failure('credentials-refused', { step: impossible, reason: 'G6' });
  const scope = { userid, code };
  passed(await guard.look(scope, { type: 'registration-begins', id: null, place }));
  client.throwIfAborted();
  const id = randomToken();
  const tag = callers.studentTag(userid);
  return askCampus(
    deps,
    {
      userid,
      pair,
      callers: 'registration',
      line: { line: 'registration', ...(place.trusted ? {} : { network: place.network }) },
      begin: async () => {
        await checkEntry(deps, entry);
        passed(await guard.decide(scope, { type: 'registration-begins', id, place }));
      },
      end: (outcome) => guard.decide(scope, { type: 'registration-ended', id, place, home: place.home, tag, outcome }),
      accepted: async (proven) => {
        client.throwIfAborted();
        const result = await store(deps, entry, pace.context, proven);
        const unit = callers.addressOf(pace.context.address);
        if (unit !== null) deps.registeredFrom.set(unit, deps.clock.now());
        return { result, outcome: 'created' };
      },
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
      const place = deps.callers.callerOf(userid, context.address, { holder: false, hash: null });
      return atOwnPace(deps.clock, context, (pace) =>
        deps.limits.run(limitsOf(deps, userid, context.address), pace.context.signal, tells, () =>
          attemptRegistration(deps, entry, place, context.signal, pace),
        ),
      );
    });
