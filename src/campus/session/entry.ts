import { KeyLock } from '../../lib/key-lock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { Addresses } from '../addresses.ts';
import { type Application, applications, NIGHT_MS } from '../upstreams.ts';
import { type Piece, StudentState } from './student-state.ts';

const REQUESTS_PER_STUDENT = 4;
const WAITING_PER_STUDENT = 100;

/** Counters that tell whether a layer was renewed since somebody looked. */
export interface Epochs {
  readonly portal: number;
  readonly service: number;
}

/** One student's session in this process: state, limits and locks of one generation. */
export class Entry {
  readonly userid: string;
  /** What was started under another generation is dropped when it comes home. */
  readonly generation: number;
  readonly state: StudentState;
  readonly slots = new Semaphore(REQUESTS_PER_STUDENT, WAITING_PER_STUDENT);
  readonly locks = new KeyLock();
  /** Revision and text of each piece as it stands in storage, as far as this process knows. */
  readonly revisions = new Map<Piece, number>();
  readonly saved = new Map<Piece, string>();
  /** Calls that hold this entry; an entry in use is never swept. */
  users = 0;
  lastUsed = 0;
  #portalEpoch = 0;
  readonly #serviceEpochs = new Map<Application, number>();

  constructor(
    userid: string,
    generation: number,
    addresses: Addresses,
    state: StudentState = new StudentState(addresses),
  ) {
    this.userid = userid;
    this.generation = generation;
    this.state = state;
  }

  epochs(system: Application): Epochs {
    return { portal: this.#portalEpoch, service: this.#serviceEpochs.get(system) ?? 0 };
  }

  portalRenewed(): void {
    this.#portalEpoch += 1;
  }

  serviceRenewed(system: Application): void {
    this.#serviceEpochs.set(system, (this.#serviceEpochs.get(system) ?? 0) + 1);
  }

  /** Forgets sessions that have rested too long to be trusted: opening new ones costs less than finding out. */
  dropRested(system: Application, now: number): void {
    if (now - this.state.portalProvenAt >= NIGHT_MS) this.state.portalSession = null;
    const { longestRestMs } = applications[system];
    const service = this.state.services.get(system);
    if (service && now - service.usedAt >= longestRestMs) this.state.services.delete(system);
  }

  isOpen(system: Application): boolean {
    return this.state.portalSession !== null && this.state.services.has(system);
  }
}
