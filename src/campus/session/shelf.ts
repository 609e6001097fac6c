import type { SessionVault } from '../../domain/accounts/ports.ts';
import type { Log } from '../../domain/context.ts';
import { studentTag } from '../../lib/hash.ts';
import type { Addresses } from '../addresses.ts';
import { type Application, applicationNames } from '../upstreams.ts';
import { Entry } from './entry.ts';
import { isPiece, PERSISTED_PIECES, type StudentState } from './student-state.ts';

const IDLE_MS = 300_000;
const SWEEP_EVERY_MS = 30_000;

const isApplication = (name: string): name is Application => applicationNames.some((known) => known === name);

/**
 * The entries of this process and their sealed copies. Idle ones leave memory after 300 s; the sealed copy goes on.
 * No timers: every visit sweeps when a sweep is due.
 */
export class Shelf {
  readonly #vault: SessionVault;
  readonly #addresses: Addresses;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #entries = new Map<string, Entry>();
  #sweptAt = 0;

  constructor(options: { vault: SessionVault; addresses: Addresses; now: () => number; log: Log }) {
    this.#vault = options.vault;
    this.#addresses = options.addresses;
    this.#now = options.now;
    this.#log = options.log;
  }

  get size(): number {
    return this.#entries.size;
  }

  generation(userid: string): Promise<number | null> {
    return this.#vault.generation(userid);
  }

  /** The entry of that generation: from memory, else opened from its sealed copy. */
  async entry(userid: string, generation: number): Promise<Entry> {
    this.#sweep();
    const known = this.#entries.get(userid);
    if (known?.generation === generation) return this.#touch(known);
    const loaded = await this.#load(userid, generation);
    // Somebody may have been quicker while the copy was read: one entry per student, or two would log in at once.
    const meanwhile = this.#entries.get(userid);
    if (meanwhile && meanwhile.generation >= generation) return this.#touch(meanwhile);
    this.#entries.set(userid, loaded);
    return this.#touch(loaded);
  }

  async #load(userid: string, generation: number): Promise<Entry> {
    const entry = new Entry(userid, generation, this.#addresses);
    await this.refresh(entry);
    return entry;
  }

  /** Takes over pieces that another replica has renewed since. */
  async refresh(entry: Entry): Promise<void> {
    const stored = await this.#vault.load(entry.userid);
    if (!stored || stored.generation !== entry.generation) return;
    for (const { system: piece, state, revision } of stored.entries) {
      if (!isPiece(piece) || revision <= (entry.revisions.get(piece) ?? -1)) continue;
      try {
        entry.state.import(piece, state);
      } catch (error) {
        this.#log.warn({ student: studentTag(entry.userid), piece, err: String(error) }, 'sealed session unreadable');
        continue;
      }
      entry.revisions.set(piece, revision);
      entry.saved.set(piece, state);
      if (piece === 'portal') entry.portalRenewed();
      if (isApplication(piece)) entry.serviceRenewed(piece);
    }
  }

  /** Seals the pieces that changed. Losing a copy costs a login, not an answer: errors are logged, not thrown. */
  async save(entry: Entry): Promise<void> {
    for (const piece of PERSISTED_PIECES) {
      const text = entry.state.export(piece);
      if (text === null || text === entry.saved.get(piece)) continue;
      try {
        const revision = await this.#vault.save(entry.userid, entry.generation, piece, text, this.#now());
        if (revision === null) return;
        entry.revisions.set(piece, revision);
        entry.saved.set(piece, text);
      } catch (error) {
        this.#log.warn({ student: studentTag(entry.userid), piece, err: String(error) }, 'session not sealed');
        return;
      }
    }
  }

  /** Starts the student's next generation with this state; everything older is dropped. */
  async replace(userid: string, state: StudentState): Promise<void> {
    const generation = await this.#vault.nextGeneration(userid);
    this.#entries.delete(userid);
    if (generation === null) return;
    const entry = new Entry(userid, generation, this.#addresses, state);
    this.#entries.set(userid, this.#touch(entry));
    await this.save(entry);
  }

  async drop(userid: string): Promise<void> {
    await this.#vault.nextGeneration(userid);
    this.#entries.delete(userid);
  }

  #touch(entry: Entry): Entry {
    entry.lastUsed = this.#now();
    return entry;
  }

  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [userid, entry] of this.#entries) {
      if (entry.users === 0 && now - entry.lastUsed >= IDLE_MS) this.#entries.delete(userid);
    }
  }
}
