import { KeyLock } from '../../lib/key-lock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { Addresses } from '../addresses.ts';
import { type Application, NIGHT_MS } from '../upstreams.ts';
import { type Piece, StudentState } from './student-state.ts';

const REQUESTS_PER_STUDENT = 4;
const WAITING_PER_STUDENT = 100;

/** Counters that tell whether a layer was renewed since somebody looked. */
export interface Epochs {
  readonly portal: number;
  readonly application: number;
}

interface SavedPiece {
  readonly revision: number;
  /** Of its text, which lies in memory once already, taken apart. */
  readonly digest: string;
}

/** What this process holds of one student's sessions: state, limits and locks of one generation. */
export class StudentSession {
  readonly userid: string;
  /** What was started under another generation is dropped when it ends. */
  readonly generation: number;
  readonly state: StudentState;
  readonly slots = new Semaphore(REQUESTS_PER_STUDENT, WAITING_PER_STUDENT);
  readonly locks = new KeyLock();
  /** Each piece as it stands in storage, as far as this process knows. */
  readonly saved = new Map<Piece, SavedPiece>();
  /** Calls that use this session; it is not swept meanwhile. */
  users = 0;
  /** The applications at which this portal session was found dead, and not yet replaced. */
  readonly #expiredAt = new Set<Application>();
  /** A password of it was accepted, and nothing has answered yet that would prove the session. */
  isUnproven = false;
  /** It is over, however lately it has answered, and cannot be renewed without the student. */
  awaitsPerson = false;
  lastUsed = 0;
  #portalEpoch = 0;
  readonly #addresses: Addresses;
  readonly #applicationEpochs = new Map<Application, number>();

  constructor(userid: string, generation: number, addresses: Addresses, state = new StudentState(addresses)) {
    this.userid = userid;
    this.generation = generation;
    this.state = state;
    this.#addresses = addresses;
  }

  epochs(application: Application): Epochs {
    return { portal: this.#portalEpoch, application: this.#applicationEpochs.get(application) ?? 0 };
  }

  portalRenewed(): void {
    this.#portalEpoch += 1;
    this.awaitsPerson = false;
    this.#expiredAt.clear();
  }

  /** Whoever comes next signs in, or is told that nobody may, instead of asking the application again. */
  portalExpired(application: Application): void {
    this.#expiredAt.add(application);
  }

  isPortalDue(application: Application): boolean {
    return this.state.portalSession === null || this.#expiredAt.has(application);
  }

  applicationRenewed(application: Application): void {
    this.#applicationEpochs.set(application, (this.#applicationEpochs.get(application) ?? 0) + 1);
  }

  /** Forgets what has rested too long to be trusted: opening it anew costs less than finding out. */
  dropRested(application: Application, now: number): void {
    if (now - this.state.portalLogin.lastAt >= NIGHT_MS) this.state.portalSession = null;
    const known = this.state.applications.get(application);
    if (known && now - known.usedAt >= this.#addresses.application(application).longestRestMs) {
      this.state.applications.delete(application);
    }
  }

  isOpen(application: Application): boolean {
    return !this.isPortalDue(application) && this.state.applications.has(application);
  }
}
