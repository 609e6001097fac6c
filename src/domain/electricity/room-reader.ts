import type { Clock } from '../../lib/clock.ts';
import { Deadline } from '../../lib/deadline.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { asFailure, Failure, isFailure, isPersonal } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import { type ElectricityCampus, emptyDraft, type KeptTree, type RoomDraft, type RoomTreeStore } from './ports.ts';

const LEASE = 'room-tree';
/** A reading takes seconds, or half a minute on a slow day; its caller may be long gone. */
const READING_MS = 300_000;
const LOOK_AGAIN_MS = 500;
const LEASE_MS = 30_000;
/** Students whose sessions one reading may borrow, one after the other. */
const MOST_READERS = 3;
/** What a failed reading has got so far serves the next one for this long. */
const DRAFT_MS = 600_000;

const unreadByAll = (): Failure =>
  new Failure('upstream-unavailable', { system: 'electricity', reason: 'no session to read the rooms with' });

/** A caller that waits for the tree and lends a session for it, if need be. */
interface Waiter {
  readonly tree: Promise<KeptTree>;
  /** Waits no longer. The reading goes on. */
  leave(): void;
}

interface Lender {
  readonly student: Student;
  readonly log: Log;
  readonly traceId: string;
  readonly answer: PromiseWithResolvers<KeptTree>;
}

interface Reading {
  readonly lenders: Set<Lender>;
  /** A tree of another revision than this one, read by another replica, will do as well. */
  readonly knownRevision: number | null;
}

interface RoomReaderDeps {
  readonly campus: ElectricityCampus;
  readonly store: RoomTreeStore;
  readonly leases: Leases;
  readonly clock: Clock;
}

/**
 * Reads the room tree: one reading at a time, in this process by sharing it and over replicas by a lease. It has
 * no owner: it has its own deadline, and when the session that it borrowed fails for reasons of its student, that
 * student is told and the reading goes on with the session of another one who waits.
 */
export class RoomReader {
  readonly #deps: RoomReaderDeps;
  readonly #closing = new AbortController();
  #reading: Reading | null = null;
  #running: Promise<void> = Promise.resolve();
  #kept: { readonly draft: RoomDraft; readonly since: number } | null = null;

  constructor(deps: RoomReaderDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#reading !== null;
  }

  /**
   * Joins the reading that is running, whose tree is read now, or starts one. `fromScratch`: a new one takes nothing
   * over from an earlier one that failed.
   */
  join(
    student: Student,
    context: Pick<CallContext, 'log' | 'traceId'>,
    knownRevision: number | null,
    { fromScratch = false } = {},
  ): Waiter {
    const { log, traceId } = context;
    const lender: Lender = { student, log, traceId, answer: Promise.withResolvers() };
    // It may fail when no caller waits any more.
    lender.answer.promise.catch(() => {});
    const reading = this.#reading ?? this.#start(lender, knownRevision, fromScratch);
    reading.lenders.add(lender);
    return { tree: lender.answer.promise, leave: () => reading.lenders.delete(lender) };
  }

  /** Ends what is running and frees its lease. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('overloaded', { reason: 'closing', retryAfterSeconds: 5 }));
    await this.#running;
  }

  #start(first: Lender, knownRevision: number | null, fromScratch: boolean): Reading {
    const reading: Reading = { lenders: new Set([first]), knownRevision };
    if (fromScratch) this.#kept = null;
    this.#reading = reading;
    this.#running = this.#run(reading, first);
    return reading;
  }

  async #run(reading: Reading, first: Lender): Promise<void> {
    const deadline = new AbortController();
    const late = () => deadline.abort(new Failure('timed-out', { system: 'electricity', reason: 'reading deadline' }));
    const timer = setTimeout(late, READING_MS);
    timer.unref();
    const signal = AbortSignal.any([this.#closing.signal, deadline.signal]);
    let answer: (lender: Lender) => void;
    try {
      const tree = await this.#alone(reading, first, signal);
      answer = (lender) => lender.answer.resolve(tree);
    } catch (error) {
      const failure = asFailure(error);
      const { kind, reason } = failure;
      const defect = kind === 'internal' ? { err: failure.cause } : {};
      first.log.warn({ system: 'electricity', failure: kind, reason, ...defect }, 'room tree not read');
      answer = (lender) => lender.answer.reject(failure);
    } finally {
      clearTimeout(timer);
    }
    // The next caller starts a new reading.
    this.#reading = null;
    reading.lenders.forEach(answer);
  }

  /** Waits for the lease, and reads unless another replica has done so by then. */
  async #alone(reading: Reading, first: Lender, signal: AbortSignal): Promise<KeptTree> {
    const wish = {
      name: LEASE,
      lifeMs: LEASE_MS,
      pollMs: LOOK_AGAIN_MS,
      signal,
      doneMeanwhile: () => this.#newer(reading.knownRevision),
    };
    for (;;) {
      const held: { lost?: AbortSignal } = {};
      try {
        return await withLease(this.#deps.leases, wish, (lost) => {
          held.lost = lost;
          return this.#read(reading, first, AbortSignal.any([signal, lost]));
        });
      } catch (error) {
        // Another replica reads now.
        if (signal.aborted || !held.lost?.aborted) throw error;
      }
    }
  }

  async #newer(knownRevision: number | null): Promise<KeptTree | undefined> {
    const { store } = this.#deps;
    const revision = await store.revision();
    if (revision === null || revision === knownRevision) return undefined;
    return (await store.load()) ?? undefined;
  }

  async #read(reading: Reading, first: Lender, signal: AbortSignal): Promise<KeptTree> {
    const { clock, store } = this.#deps;
    const draft = this.#draft();
    const begun = clock.now();
    const buildings = await this.#readByLenders(reading, first, draft, signal).catch((error: unknown) => {
      // The campus may have offered nothing by mistake: the next reading asks again.
      if (isFailure(error, 'upstream-empty')) this.#kept = null;
      throw error;
    });
    const tree = { readAt: clock.now(), buildings };
    const revision = await store.replace(tree);
    this.#kept = null;
    const ms = tree.readAt - begun;
    const { log } = first;
    log.info({ system: 'electricity', buildings: buildings.length, floors: draft.rooms.size, ms }, 'room tree read');
    return { revision, tree };
  }

  #draft(): RoomDraft {
    const now = this.#deps.clock.now();
    if (this.#kept === null || now - this.#kept.since >= DRAFT_MS) this.#kept = { draft: emptyDraft(), since: now };
    return this.#kept.draft;
  }

  async #readByLenders(reading: Reading, first: Lender, draft: RoomDraft, signal: AbortSignal) {
    const tried = new Set<string>();
    for (let lender = first; ; ) {
      tried.add(lender.student.userid);
      try {
        return await this.#deps.campus.readRooms(lender.student, draft, this.#contextFor(lender, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (!isPersonal(error)) throw error;
        this.#tellOwn(reading, lender.student, error);
        const next = [...reading.lenders].find(({ student }) => !tried.has(student.userid));
        if (next === undefined || tried.size >= MOST_READERS) throw unreadByAll();
        lender = next;
      }
    }
  }

  /** A student's own trouble is answered to that student only. */
  #tellOwn(reading: Reading, { userid }: Student, failure: Failure): void {
    for (const lender of reading.lenders) {
      if (lender.student.userid !== userid) continue;
      lender.answer.reject(failure);
      reading.lenders.delete(lender);
    }
  }

  #contextFor({ log, traceId }: Lender, signal: AbortSignal): CallContext {
    return { traceId, signal, deadline: new Deadline(READING_MS), log, address: '' };
  }
}
