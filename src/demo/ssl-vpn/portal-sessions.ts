import type { Clock } from '../../lib/time.ts';
import { newRandomCode, newTwfid } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import type { DemoCampusSwitches } from '../types.ts';

interface Challenge {
  readonly code: string;
  spent: boolean;
  shown: string;
}

interface PortalSession {
  readonly userid: string;
  lastUsed: number;
  alive: boolean;
}

interface Failures {
  count: number;
  lockedUntil: number | null;
}

const LOCK_MS = 60_000;

/** TWFIDs: the challenges handed out, the sessions they became, and the failed attempts per name. */
export class PortalSessions {
  readonly #challenges = forgetful<Challenge>();
  readonly #sessions = forgetful<PortalSession>();
  readonly #failures = forgetful<Failures>();
  /** Of the gateway's one address, since a login succeeded. */
  failures = 0;
  readonly #clock: Clock;
  readonly #switches: Pick<DemoCampusSwitches, 'portalIdleSeconds' | 'lockoutAfter'>;

  constructor(clock: Clock, switches: Pick<DemoCampusSwitches, 'portalIdleSeconds' | 'lockoutAfter'>) {
    this.#clock = clock;
    this.#switches = switches;
  }

  challenge(): { readonly twfid: string; readonly code: string } {
    const twfid = newTwfid();
    const code = newRandomCode();
    this.#challenges.set(twfid, { code, spent: false, shown: '' });
    return { twfid, code };
  }

  /** The code this TWFID was challenged with; a second call answers null, however the first one ended. */
  spend(twfid: string): string | null {
    const challenge = this.#challenges.get(twfid);
    if (!challenge || challenge.spent) return null;
    challenge.spent = true;
    return challenge.code;
  }

  shows(twfid: string, text: string): void {
    const challenge = this.#challenges.get(twfid);
    if (challenge) challenge.shown = text;
  }

  findShown(twfid: string): string | null {
    return this.#challenges.get(twfid)?.shown || null;
  }

  /** `isWhole`: false for the half session of a password without the step behind it, which opens nothing. */
  open(twfid: string, userid: string, isWhole = true): void {
    this.#sessions.set(twfid, { userid, lastUsed: this.#clock.now(), alive: isWhole });
  }

  /** Whose TWFID this is or was; dead sessions keep their owner, so that their requests can be attributed. */
  owner(twfid: string | null): string | null {
    return (twfid !== null && this.#sessions.get(twfid)?.userid) || null;
  }

  /** True for a live session; counts as a use of it. */
  touch(twfid: string | null): boolean {
    const session = twfid === null ? undefined : this.#sessions.get(twfid);
    if (!session?.alive) return false;
    const now = this.#clock.now();
    if (now - session.lastUsed > this.#switches.portalIdleSeconds * 1000) {
      session.alive = false;
      return false;
    }
    session.lastUsed = now;
    return true;
  }

  expire(userid: string): void {
    for (const session of this.#sessions.values()) if (session.userid === userid) session.alive = false;
  }

  isLocked(name: string): boolean {
    const failures = this.#failures.get(name);
    if (!failures || failures.lockedUntil === null) return false;
    if (this.#clock.now() < failures.lockedUntil) return true;
    this.#failures.delete(name);
    return false;
  }

  noteFailure(name: string): void {
    this.failures += 1;
    const count = (this.#failures.get(name)?.count ?? 0) + 1;
    const locks = count >= this.#switches.lockoutAfter;
    this.#failures.set(name, { count, lockedUntil: locks ? this.#clock.now() + LOCK_MS : null });
  }

  noteSuccess(name: string): void {
    this.failures = 0;
    this.#failures.delete(name);
  }
}
