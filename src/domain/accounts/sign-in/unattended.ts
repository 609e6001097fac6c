import { randomToken } from '../../../lib/hash.ts';
import { failures, type PersonalStep, type SignInStep } from '../../errors.ts';
import type { EventJournal, NewEvent } from '../../events/ports.ts';
import type { StoredPrints } from '../guard/asking.ts';
import type { Callers } from '../guard/callers.ts';
import type { Guard } from '../guard/guard.ts';
import { beginsStored, endsStored } from '../guard/stored-pair.ts';
import { beginsEarly, holdBack } from '../guard/trouble.ts';
import type { AskOutcome, Verdict } from '../guard/verdict.ts';
import type { AccountStore, PasswordPair } from '../ports.ts';
import { firstPrints } from './ask.ts';
import { throwIfRefused } from './attempt.ts';

const personNeededEvent: NewEvent = { type: 'account.person_needed', readAt: null, about: {}, ask: null, detail: {} };

interface UnattendedDeps {
  readonly accounts: AccountStore;
  readonly guard: Guard;
  readonly callers: Callers;
  readonly journal?: Pick<EventJournal, 'append'>;
}

export type SignInCredentials = Pick<Unattended, keyof Unattended>;

/** How the renewal stands whose password is wanted. */
export interface RenewalSoFar {
  /** When the last session was opened, where it has answered minutes later; 0: it has not. */
  readonly heldFrom?: number;
  /** One of its passwords has left already. */
  readonly isLater?: boolean;
}

/** The stored pair for data calls and background work, under the same rules as logins. */
export class Unattended {
  readonly #deps: UnattendedDeps;

  constructor(deps: UnattendedDeps) {
    this.#deps = deps;
  }

  /**
   * @throws Failure `stored-credentials-refused` {step} when the pair is rejected, `stored-credentials-unreadable`,
   *   `sign-in-guarded` {retryAfterSeconds} during a pause, `person-needed` {wanted}, `token-user-gone`
   */
  async forSignIn(
    userid: string,
    { heldFrom = 0, isLater = false }: RenewalSoFar = {},
  ): Promise<{ pair: PasswordPair; version: number }> {
    const { accounts, guard, callers } = this.#deps;
    const stored = await accounts.readPair(userid);
    if (!stored) throw failures.tokenUserGone();
    const state = stored.refusedStep ?? 'good';
    const tag = callers.studentTag(userid);
    throwIfRefused(
      await guard.decide(userid, (draft, at) => {
        holdBack(draft, heldFrom);
        return beginsStored(draft, { stored: state, tag, isLater }, at);
      }),
    );
    return { pair: stored.pair, version: stored.version };
  }

  /**
   * Called before a password is sent for a session that was opened minutes ago and has already ended.
   * @throws Failure `sign-in-guarded` {retryAfterSeconds} when that has happened too often
   */
  async renewsEarly(userid: string, step: SignInStep, isLater = false): Promise<void> {
    throwIfRefused(await this.#deps.guard.decide(userid, (draft, at) => beginsEarly(draft, step, isLater, at)));
  }

  /**
   * The campus refused the pair of that version: it is rejected until the student logs in again.
   * @throws Failure `sign-in-unavailable` while the campus refuses all students: then nothing is rejected
   */
  async noteRefusal(userid: string, version: number, step: SignInStep): Promise<void> {
    const { accounts, callers } = this.#deps;
    const stored = await accounts.readPair(userid);
    const prints = stored?.version === version ? firstPrints(callers.fingerprints(userid, stored.pair)) : null;
    const answer = await this.#note(userid, { type: 'refused', step }, prints);
    if (answer.type !== 'noted') return;
    if (answer.setAside === null) {
      throw failures.signInUnavailable(step, 'the campus refuses many', { retryAfterSeconds: 60 });
    }
    await accounts.markPairRefused(userid, version, answer.setAside);
  }

  /** A sign-in that came to nothing. Returns for how many seconds the student rests. */
  async noteTrouble(userid: string, type: 'marker' | 'locked' | 'closed' | 'unstable' | 'unread'): Promise<number> {
    const answer = await this.#note(userid, { type });
    return answer.type === 'noted' ? Math.ceil(answer.restMs / 1_000) : 0;
  }

  async notePersonNeeded(userid: string, wanted: PersonalStep, step: SignInStep): Promise<void> {
    if (wanted === 'captcha') {
      await this.#note(userid, { type: 'captcha' });
      return;
    }
    await this.#note(userid, { type: 'person', wanted, step });
    // Reported once, because no password is sent unattended from here on. The guard remembers it even if this fails.
    await this.#deps.journal?.append(userid, [personNeededEvent]).catch(() => []);
  }

  /** A page behind the portal has answered. */
  async noteAcceptance(userid: string): Promise<void> {
    await this.#note(userid, { type: 'accepted' });
  }

  #note(userid: string, outcome: AskOutcome, storedPrints: StoredPrints = null): Promise<Verdict> {
    const end = { id: randomToken(), tag: this.#deps.callers.studentTag(userid), outcome, storedPrints };
    return this.#deps.guard.decide(userid, (draft, at) => endsStored(draft, end, at));
  }
}
