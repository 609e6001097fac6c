import { KeyLock } from '../../lib/key-lock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { Places } from './places.ts';
import { type Piece, StudentState } from './student-state.ts';
import type { UpstreamSystem } from './upstream-session.ts';

const REQUESTS_PER_STUDENT = 4;
const WAITING_PER_STUDENT = 100;
/** After a night without use: trying an old session would almost always cost a request and bring nothing. */
const NIGHT_MS = 8 * 60 * 60_000;
/** The electricity site ends a session that rests for half an hour, and shows it only by pages that lack data. */
const LONGEST_REST_MS: Partial<Record<UpstreamSystem, number>> = { isim: 25 * 60_000, jwc: NIGHT_MS };

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
  readonly #serviceEpochs = new Map<UpstreamSystem, number>();

  constructor(userid: string, generation: number, places: Places, state: StudentState = new StudentState(places)) {
    this.userid = userid;
    this.generation = generation;
    this.state = state;
  }

  epochs(system: UpstreamSystem): Epochs {
    return { portal: this.#portalEpoch, service: this.#serviceEpochs.get(system) ?? 0 };
  }

  portalRenewed(): void {
    this.#portalEpoch += 1;
  }

  serviceRenewed(system: UpstreamSystem): void {
    this.#serviceEpochs.set(system, (this.#serviceEpochs.get(system) ?? 0) + 1);
  }

  /** Forgets sessions that have rested too long to be trusted: opening new ones costs less than finding out. */
  dropRested(system: UpstreamSystem, now: number): void {
    if (now - this.state.portalProvenAt >= NIGHT_MS) this.state.twfid = null;
    const longest = LONGEST_REST_MS[system];
    const service = this.state.services.get(system);
    if (longest !== undefined && service && now - service.usedAt >= longest) this.state.services.delete(system);
  }

  isOpen(system: UpstreamSystem): boolean {
    return this.state.twfid !== null && this.state.services.has(system);
  }
}
