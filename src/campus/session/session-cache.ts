import type { SavedSession, SessionPiece, SessionVault } from '../../domain/accounts/ports.ts';
import type { Log } from '../../domain/context.ts';
import { digestOf, type TagOf } from '../../lib/hash.ts';
import type { Clock } from '../../lib/time.ts';
import type { Addresses } from '../addresses.ts';
import { StudentSession } from './student-session.ts';
import { type Piece, persistedPieces, type StudentState } from './student-state.ts';

const IDLE_MS = 300_000;
const SWEEP_EVERY_MS = 30_000;

/**
 * The student sessions of this process, over their sealed copies. Idle ones leave memory after 300 s; the sealed copy
 * stays. No timers: every visit sweeps when a sweep is due.
 */
export class SessionCache {
  readonly #vault: SessionVault;
  readonly #addresses: Addresses;
  readonly #pieces: ReadonlySet<Piece>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tagOf: TagOf;
  readonly #sessions = new Map<string, StudentSession>();
  #sweptAt = 0;

  constructor(options: { vault: SessionVault; addresses: Addresses; clock: Clock; log: Log; tagOf: TagOf }) {
    this.#vault = options.vault;
    this.#addresses = options.addresses;
    this.#pieces = new Set(persistedPieces(options.addresses));
    this.#clock = options.clock;
    this.#log = options.log;
    this.#tagOf = options.tagOf;
  }

  get size(): number {
    return this.#sessions.size;
  }

  generation(userid: string): Promise<number | null> {
    return this.#vault.generation(userid);
  }

  /** The session of that generation: from memory, else from its sealed copy. */
  async open(userid: string, generation: number): Promise<StudentSession> {
    const now = this.#clock.now();
    this.#sweep(now);
    let session = this.#sessions.get(userid);
    if (session?.generation !== generation) {
      const loaded = new StudentSession(userid, generation, this.#addresses);
      await this.refresh(loaded);
      // Another call may have been quicker while this one read: one session per student, or two would sign in at once.
      const newer = this.#sessions.get(userid);
      session = newer && newer.generation >= generation ? newer : loaded;
      this.#sessions.set(userid, session);
    }
    session.lastUsed = now;
    return session;
  }

  /** Takes over pieces that another replica has renewed since. */
  async refresh(session: StudentSession): Promise<void> {
    const stored = await this.#vault.load(session.userid);
    if (!stored || stored.generation !== session.generation) return;
    for (const { system: piece, state, revision } of stored.entries) {
      if (!this.#pieces.has(piece) || revision <= (session.saved[piece]?.revision ?? -1)) continue;
      try {
        session.state.import(piece, state);
      } catch (error) {
        this.#log.warn({ student: this.#tagOf(session.userid), piece, err: error }, 'sealed session unreadable');
        continue;
      }
      session.saved[piece] = { revision, digest: digestOf(state) };
      if (piece === 'portal') session.portalRenewed();
      if (session.state.applications.has(piece)) session.applicationRenewed(piece);
    }
  }

  /** Seals the pieces that changed. Losing a copy costs a login, not an answer: errors are logged, not thrown. */
  async save(session: StudentSession): Promise<void> {
    const { userid, generation, saved, state } = session;
    const pieces: Array<SessionPiece & { readonly digest: string }> = [];
    for (const piece of state.pieces()) {
      const digest = digestOf(piece.state);
      if (digest !== saved[piece.system]?.digest) pieces.push({ ...piece, digest });
    }
    if (pieces.length === 0) return;
    try {
      const revision = await this.#vault.save(userid, generation, pieces, this.#clock.now());
      if (revision === null) return;
      for (const { system, digest } of pieces) saved[system] = { revision, digest };
    } catch (error) {
      this.#log.warn({ student: this.#tagOf(userid), err: error }, 'session not sealed');
    }
  }

  /** A session that was found dead and not renewed is live for no replica, nor for an explicit renewal. */
  async ended(session: StudentSession): Promise<void> {
    if (session.state.hasEnded) return;
    session.state.hasEnded = true;
    await this.save(session);
  }

  /** This state was stored as the student's next generation. */
  adopt(userid: string, state: StudentState, { generation, revision }: SavedSession): void {
    const session = new StudentSession(userid, generation, this.#addresses, state);
    for (const piece of state.pieces()) {
      session.saved[piece.system] = { revision, digest: digestOf(piece.state) };
    }
    session.lastUsed = this.#clock.now();
    this.#sessions.set(userid, session);
  }

  /** Drops what there is. */
  async nextGeneration(userid: string, pieces: readonly SessionPiece[]): Promise<SavedSession | null> {
    const saved = await this.#vault.nextGeneration(userid, { pieces, now: this.#clock.now() });
    this.#sessions.delete(userid);
    return saved;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [userid, session] of this.#sessions) {
      if (session.users === 0 && now - session.lastUsed >= IDLE_MS) this.#sessions.delete(userid);
    }
  }
}
