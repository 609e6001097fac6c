import { equalInConstantTime, randomToken } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { isFailure, type SignInStep } from '../errors.ts';
import { type AccountDeps, type AttemptDeps, askCampus, type OwnPace, passed } from './attempt.ts';
import type { GrantKind } from './grants.ts';
import { isEqual } from './guard/comparing.ts';
import type { AskOutcome, Caller, GuardAnswer, SubmittedPair } from './guard/events.ts';
import type { PasswordPair, ProvenSession, SignInLine, StoredPair } from './ports.ts';
import type { CallerClass } from './records.ts';

// A pair of a registered student on its way to the campus: as the guard sees it, and with everything booked.

export interface PairEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  /** Which grants go on where a login replaces the stored pair. */
  readonly keep?: readonly GrantKind[];
}

/** What changed while a pair waited for its turn makes another decision necessary. */
export class DecideAnew extends Error {}

/**
 * A pair that cannot be unsealed (its key is gone) is as good as none: the login replaces it and, since it is unknown
 * whether the passwords changed, ends all other tokens.
 */
export const readablePair = async (
  deps: AccountDeps,
  userid: string,
  context: CallContext,
): Promise<StoredPair | null> => {
  try {
    return await deps.accounts.readPair(userid);
  } catch (error) {
    if (!isFailure(error, 'stored-credentials-unreadable')) throw error;
    const student = deps.callers.studentTag(userid);
    context.log.warn({ student }, 'stored credentials are unreadable, login replaces them');
    return null;
  }
};

/** The pair as the guard sees it. */
export const submitted = (
  deps: AccountDeps,
  { userid, pair }: PairEntry,
  stored: StoredPair | null,
): SubmittedPair => ({
  stored: stored ? (stored.refusedStep ?? 'good') : 'none',
  equalAt: stored ? compareSecrets(pair, stored.pair) : { portal: false, 'unified-login': false },
  prints: deps.callers.prints(userid, pair),
});

const same = (a: SubmittedPair, b: SubmittedPair): boolean =>
  a.stored === b.stored &&
  a.equalAt.portal === b.equalAt.portal &&
  a.equalAt['unified-login'] === b.equalAt['unified-login'];

export const isStored = (pair: SubmittedPair): boolean => pair.stored === 'good' && isEqual(pair);

/** By the newest key. */
export const firstPrints = ({ portal, 'unified-login': login }: SubmittedPair['prints']) => ({
  portal: portal[0] ?? '',
  'unified-login': login[0] ?? '',
});

/** A foreign pair of a holder, or from a known network, is most likely the owner's new password. */
const lineOf = (by: CallerClass, { trusted, network }: Caller): SignInLine => {
  if (by !== 'stranger') return { line: 'owner' };
  return { line: 'stranger', ...(trusted ? {} : { network }) };
};

/** A pair that is put to the campus: whose it is, and under which id it is booked. */
export interface PairAsk {
  readonly entry: PairEntry;
  readonly id: string;
  readonly by: CallerClass;
  readonly caller: Caller;
  readonly sent: SubmittedPair;
  readonly stored: StoredPair | null;
}

/** What the campus said of it is written down. */
export const endPairAsk = async (deps: AccountDeps, ask: PairAsk, outcome: AskOutcome): Promise<GuardAnswer> => {
  const { id, by, caller, sent, stored, entry } = ask;
  const { userid } = entry;
  const tag = deps.callers.studentTag(userid);
  const storedPrints = stored ? firstPrints(deps.callers.prints(userid, stored.pair)) : null;
  const answer = await deps.guard.decide(
    { userid, code: null, network: caller.network },
    isStored(sent)
      ? { type: 'stored-ended', tag, outcome, home: caller.home, storedPrints }
      : { type: 'ask-ended', id, by, caller, pair: sent, tag, outcome, storedPrints },
  );
  if (answer.type === 'noted' && answer.setAside && stored) {
    await deps.accounts.markPairRefused(userid, stored.version, answer.setAside);
  }
  return answer;
};

/** The stored pair again, in the owners' line; or a foreign one, with everything booked. */
export const askPair = <T>(
  deps: AttemptDeps,
  purpose: 'login' | 'renewal',
  ask: Omit<PairAsk, 'id'>,
  pace: OwnPace,
  accepted: (proven: ProvenSession) => Promise<T>,
): Promise<T> => {
  const { entry, by, caller, sent } = ask;
  const { userid, pair } = entry;
  const { guard, callers, desk } = deps;
  const { context } = pace;
  const scope = { userid, code: null, network: caller.network };
  const own = isStored(sent);
  const id = randomToken();
  return askCampus(
    deps,
    {
      userid,
      pair,
      callers: own ? 'stored' : by,
      line: own ? { line: 'owner' } : lineOf(by, caller),
      begin: async () => {
        const now = submitted(deps, entry, await readablePair(deps, userid, context));
        if (!same(now, sent) || (own && (await deps.campus.healthy(userid)))) throw new DecideAnew();
        await desk?.makeWay(userid, caller);
        const tag = callers.studentTag(userid);
        passed(
          await guard.decide(
            scope,
            own
              ? { type: 'stored-wanted', stored: sent.stored, tag, attended: true, caller }
              : { type: 'ask-begins', id, by, caller, pair: sent },
          ),
        );
      },
      end: (outcome) => endPairAsk(deps, { ...ask, id }, outcome),
      accepted,
      ...(desk && {
        person: true,
        waits: (half) => desk.open({ purpose, ...entry, booked: { id, by } }, half, caller),
      }),
    },
    pace,
  );
};

const LONGEST_SECRET = 256;

/**
 * G6: the first step, in the order in which they are sent, whose secret is impossible: empty, blank, or longer
 * than the campus can take.
 */
export const impossibleStep = (pair: PasswordPair, longestVpnPassword: number): SignInStep | null => {
  const possible = (secret: string): boolean => secret.trim() !== '' && secret.length <= LONGEST_SECRET;
  if (!possible(pair.vpnPassword) || Buffer.byteLength(pair.vpnPassword) > longestVpnPassword) return 'portal';
  return possible(pair.password) ? null : 'unified-login';
};

/** Compares both secrets in constant time; the second is compared in any case. */
export const compareSecrets = (submitted: PasswordPair, stored: PasswordPair): Record<SignInStep, boolean> => ({
  portal: equalInConstantTime(submitted.vpnPassword, stored.vpnPassword),
  'unified-login': equalInConstantTime(submitted.password, stored.password),
});
