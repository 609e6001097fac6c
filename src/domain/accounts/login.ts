import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AccountDeps, type AttemptDeps, atOwnPace, type OwnPace, passed, withOutcome } from './attempt.ts';
import { keptGrants, type SettledGrants } from './grants.ts';
import { isEqual, standingOf } from './guard/comparing.ts';
import { type Caller, type GuardMemory, limitNames, type SubmittedPair } from './guard/events.ts';
import { guardNumbers } from './guard/numbers.ts';
import { askPair, DecideAnew, impossibleStep, isStored, type PairEntry, readablePair, submitted } from './pair-asks.ts';
import type { ProvenSession, StoredPair } from './ports.ts';
import type { CallerClass } from './records.ts';
import { addressLimits, type Counted, uncounted } from './refusal-limits.ts';
import { KEPT_TOKENS, newToken, noteLogin } from './tokens.ts';
import { isUserid } from './userid.ts';

export interface LoggedIn {
  readonly token: string;
  /** What became of the student's grants; none unless the stored pair was replaced. */
  readonly grants: SettledGrants;
}

type LoginResult = { readonly result: LoggedIn; readonly outcome: string };

/** What is gathered about a login before anything is compared. */
interface Gathered {
  readonly registered: boolean;
  readonly stored: StoredPair | null;
  readonly caller: Caller;
  readonly by: CallerClass;
  readonly memory: GuardMemory;
}

/** The first decision, and one more after another login of the same student came first. */
const MOST_DECISIONS = 3;

/** Nothing here tells a caller anything, by answer or by time. */
const gather = async (deps: AccountDeps, { userid }: PairEntry, context: CallContext): Promise<Gathered> => {
  const { bearer } = context;
  const hash = bearer === undefined ? null : sha256(bearer);
  const wellFormed = isUserid(userid);
  const user = wellFormed ? await deps.accounts.findUser(userid) : null;
  const stored = await readablePair(deps, wellFormed ? userid : '', context);
  const now = deps.clock.now();
  const holder = hash !== null && user !== null && (await deps.tokens.bearer(hash, now)) === userid;
  const caller = deps.callers.callerOf(userid, context.address, { holder, hash });
  const memory = await deps.guard.read({ userid: wellFormed ? userid : '', code: null, network: caller.network });
  return { registered: user !== null, stored, caller, by: standingOf(memory.student, caller, now).by, memory };
};

/** G8 is for strangers; the other classes have budgets that no stranger can spend. */
const limitsOf = (deps: AttemptDeps, userid: string, by: CallerClass, address: string): Counted => {
  if (by !== 'stranger') return uncounted;
  const { windowMs } = guardNumbers.address;
  const most = deps.settings.refusalsPerAddress;
  const who = isUserid(userid) ? userid : '';
  return addressLimits(deps.callers, 'login', address, { most, windowMs, userid: who });
};

/** Every answer from which a guesser could learn something; a budget that was spent before comparing tells nothing. */
const tells = (error: unknown): boolean =>
  isFailure(error, 'user-unknown', 'credentials-refused') ||
  (isFailure(error, 'login-cool-down', 'rate-limited', 'sign-in-guarded') &&
    error.step === undefined &&
    error.reason !== limitNames.G2);

/** What the account is given for a pair that is good. */
export const issue = async (
  deps: AccountDeps,
  { userid, pair, keep: keptKinds = keptGrants }: PairEntry,
  context: CallContext,
  sent: SubmittedPair,
  proven: ProvenSession | null,
): Promise<LoggedIn> => {
  const token = randomToken();
  const recorded = await deps.accounts.recordLogin({
    ...newToken(deps, token, context),
    userid,
    // An equal pair that had been set aside is stored again, which makes it good again.
    newPair: proven && !isStored(sent) ? pair : null,
    now: deps.clock.now(),
    keep: KEPT_TOKENS,
    revokeOthers: proven !== null && !isEqual(sent) ? { keep: keptKinds } : null,
    session: proven?.pieces ?? null,
  });
  if (recorded === 'user-gone') throw new Failure('user-unknown');
  if (proven) deps.campus.adopted(proven, recorded.saved);
  noteLogin(context, userid, token);
  return { token, grants: recorded.grants };
};

const decided = async (
  deps: AttemptDeps,
  entry: PairEntry,
  gathered: Gathered,
  client: AbortSignal,
  pace: OwnPace,
): Promise<LoginResult> => {
  const { userid, pair } = entry;
  const { caller, by } = gathered;
  if (!gathered.registered) throw new Failure('user-unknown');
  const impossible = impossibleStep(pair, deps.campus.longestVpnPassword());
  if (impossible) throw new Failure('credentials-refused', { step: impossible, reason: limitNames.G6 });
  const scope = { userid, code: null, network: caller.network };
  let { stored, memory } = gathered;
  for (let round = 1; ; round += 1) {
    passed(deps.guard.judge(memory, { type: 'comparing', by, caller }));
    const sent = submitted(deps, entry, stored);
    const healthy = isStored(sent) && (await deps.campus.healthy(userid));
    const tag = deps.callers.studentTag(userid);
    const wanted = { type: 'login-wanted', caller, pair: sent, tag, healthy } as const;
    const answer = passed(await deps.guard.decide(scope, wanted, memory));
    client.throwIfAborted();
    if (answer.type === 'token') {
      return { result: await issue(deps, entry, pace.context, sent, null), outcome: 'stored-pair' };
    }
    const actual = answer.type === 'ask' ? answer.by : by;
    try {
      return await askPair(deps, 'login', { entry, by: actual, caller, sent, stored }, pace, async (proven) => {
        // The outcome is written down; a caller who left gets no token.
        client.throwIfAborted();
        return { result: await issue(deps, entry, pace.context, sent, proven), outcome: 'accepted' };
      });
    } catch (error) {
      if (!(error instanceof DecideAnew) || round === MOST_DECISIONS) throw error;
      stored = await readablePair(deps, userid, pace.context);
      memory = await deps.guard.read(scope);
    }
  }
};

export const createLogin =
  (deps: AttemptDeps) =>
  (entry: PairEntry, context: CallContext): Promise<LoggedIn> =>
    withOutcome(deps, 'login', entry.userid, context, async () => {
      const gathered = await gather(deps, entry, context);
      const limits = limitsOf(deps, entry.userid, gathered.by, context.address);
      const told = await atOwnPace(deps.clock, context, (pace) =>
        deps.limits.run(limits, pace.context.signal, tells, () => decided(deps, entry, gathered, context.signal, pace)),
      );
      const units = deps.callers.unitsOf(context.address);
      if (units !== null) deps.limits.succeeded(units.network);
      return told;
    });
