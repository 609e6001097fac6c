import type { Clock } from '../../lib/clock.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { noteReads } from './call-reads.ts';
import {
  ageOf,
  asksAnew,
  DURING_A_WRITE,
  decide,
  isCampusFailure,
  mayStandIn,
  standInSeconds,
  writesAt,
} from './decide.ts';
import { CopyKeeper } from './keeper.ts';
import { type Held, ReadMemory } from './memory.ts';
import type { CopyKey, CopyStore, MarkStore } from './ports.ts';
import { readRows } from './rows.ts';
import { SharedReading } from './shared-reading.ts';
import { type CallReads, type CopyAge, nothingSaid, type ReadRow, type StudentMarks } from './types.ts';

/** One read of a student, as its service asks for it. */
export interface Read<V> {
  readonly row: ReadRow<V>;
  /** What tells this value from others of the same read; left out: nothing does. */
  readonly params?: readonly string[];
  /** Its parameters are free text of the caller: shared, and never kept. */
  readonly unkept?: boolean;
  /** What a value is for that is not whole; null: it will do. Left out: any value will do. */
  readonly failureOf?: (value: V) => Failure | null;
  ask(context: CallContext): Promise<V>;
}

/** The one way to every read of a student. */
export interface Reads {
  /**
   * A copy, or what the campus says, as freshness and the call's wish decide.
   * @throws Failure what `ask` throws; `no-copy` where the campus is not to be asked
   */
  read<V>(student: Student, context: CallContext, read: Read<V>): Promise<V>;
  /** The last copy, of any age, without the campus and without the student: for calendar feeds. */
  lastCopy<V>(
    userid: string,
    row: ReadRow<V>,
    params?: readonly string[],
  ): Promise<{ readonly value: V; readonly readAt: number } | null>;
  /** Lets go of values in memory that are not fresh any more. */
  sweep(): void;
  /** Writes what waits to be written. */
  close(): Promise<void>;
}

export interface ReadsDeps {
  readonly marks: MarkStore;
  /** Null: nothing is stored, and what is fresh is held in memory alone. */
  readonly copies: CopyStore | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    /** `FRESH_SECONDS` */
    readonly freshSeconds: number;
    /** `STALE_IF_ERROR_SECONDS` */
    readonly staleIfErrorSeconds: number;
  };
}

/** The longest freshness of a row with one of its own. */
const LONGEST_FRESH_SECONDS = Math.max(...Object.values(readRows).map(({ fresh }) => (fresh === 'usual' ? 0 : fresh)));

/** Parameters longer than this are nobody's terms, pages or ids. */
const LONGEST_PARAMS = 256;

/**
 * What was stored under this shape is a value of this shape: nobody but this service can seal it, and a changed shape
 * has another number.
 */
const storedValue = <V>(text: string): V => JSON.parse(text);

/** A value in memory or on its way is found under the name of its read, and so is one of this read. */
const ofRead = <V>(_read: Read<V>, held: Held): Held<V> => ({ ...held, value: held.value as V });

/** One call's look at one read. */
interface Look<V> {
  readonly read: Read<V>;
  readonly marks: StudentMarks;
  readonly context: CallContext;
  readonly call: CallReads;
  readonly key: CopyKey;
  /** In memory; nothing of an ended generation is found under it. */
  readonly name: string;
  /** To its application, when the call began. */
  readonly writes: number;
  readonly freshSeconds: number;
}

interface Running {
  readonly reading: SharedReading<Held>;
  /** Somebody who waits lets it be kept. */
  keep: boolean;
}

const silent: CallReads = noteReads(nothingSaid, (work) => work());

class CopiedReads implements Reads {
  readonly #deps: ReadsDeps;
  readonly #memory: ReadMemory;
  readonly #running = new Map<string, Running>();
  readonly #keeper: CopyKeeper | null;

  constructor(deps: ReadsDeps) {
    this.#deps = deps;
    const holdSeconds = Math.max(LONGEST_FRESH_SECONDS, deps.settings.freshSeconds);
    this.#memory = new ReadMemory(deps.clock, holdSeconds * 1000);
    this.#keeper = deps.copies && new CopyKeeper(deps.copies, deps.log);
  }

  async read<V>(student: Student, context: CallContext, read: Read<V>): Promise<V> {
    const { marks: found } = student;
    const look = this.#look(student, found ?? (await this.#marksOf(student)), context, read);
    const { call, marks, freshSeconds } = look;
    // A copy never hides that the student has to log in anew; what is still open may be used.
    const step = marks.refusedStep;
    if (step !== null && call.wish.onlyIfCached) throw new Failure('stored-credentials-refused', { step });
    if (step !== null) return this.#ask(look);

    const copy = this.#mayAnswer(look) ? (this.#freshOf(look) ?? (await this.#copyOf(look))) : null;
    const decision = decide(copy && this.#ageOf(copy, look), freshSeconds, call.wish);
    if (decision.step === 'refuse') throw new Failure('no-copy');
    if (decision.step === 'ask' || copy === null) return this.#askOrStandIn(look);
    call.note({ source: 'copy', readAt: copy.readAt, old: decision.old, value: copy.value });
    return copy.value;
  }

  async lastCopy<V>(userid: string, row: ReadRow<V>, params: readonly string[] = []) {
    const key = { userid, read: row.name, params: JSON.stringify(params), shape: row.shape };
    const copy = await this.#deps.copies?.find(key);
    return copy ? { value: storedValue<V>(copy.text), readAt: copy.readAt } : null;
  }

  sweep(): void {
    this.#memory.sweep();
  }

  async close(): Promise<void> {
    await this.#keeper?.idle();
  }

  async #marksOf({ userid }: Student): Promise<StudentMarks> {
    const marks = await this.#deps.marks.marks(userid);
    if (marks === null) throw new Failure('token-user-gone');
    return marks;
  }

  #look<V>({ userid }: Student, marks: StudentMarks, context: CallContext, read: Read<V>): Look<V> {
    const { row } = read;
    const params = read.params === undefined ? '[]' : JSON.stringify(read.params);
    return {
      read,
      marks,
      context,
      call: context.reads ?? silent,
      key: { userid, read: row.name, params, shape: row.shape },
      // The student comes last: nothing in the others can be taken for one.
      name: `${marks.generation} ${row.name} ${params} ${userid}`,
      writes: writesAt(marks, row.application, this.#deps.clock.now()),
      freshSeconds: row.fresh === 'usual' ? this.#deps.settings.freshSeconds : row.fresh,
    };
  }

  /** Nothing is looked for that could not be answered with. */
  #mayAnswer<V>({ call: { wish }, freshSeconds }: Look<V>): boolean {
    return !asksAnew(wish) && ((wish.maxAge ?? freshSeconds) > 0 || wish.maxStale !== null || wish.onlyIfCached);
  }

  #ageOf(copy: Held, { writes }: Pick<Look<unknown>, 'writes'>): CopyAge | null {
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    return ageMs === null ? null : { ageMs, current: writes !== DURING_A_WRITE && copy.writes === writes };
  }

  #heldOf<V>({ read, name }: Look<V>): Held<V> | null {
    const held = this.#memory.get(name);
    return held && ofRead(read, held);
  }

  /** A fresh one in memory, with which storage need not be asked. */
  #freshOf<V>(look: Look<V>): Held<V> | null {
    const held = this.#heldOf(look);
    if (held === null) return null;
    const { freshSeconds, call } = look;
    const { maxAge } = call.wish;
    const wish = maxAge === null ? nothingSaid : { ...nothingSaid, maxAge };
    return decide(this.#ageOf(held, look), freshSeconds, wish).step === 'answer' ? held : null;
  }

  /** The newest copy there is. */
  async #copyOf<V>(look: Look<V>): Promise<Held<V> | null> {
    const fresh = this.#freshOf(look);
    if (fresh !== null) return fresh;
    const { key, name } = look;
    const own = this.#heldOf(look);
    // A stored copy that is not newer than the one in memory is neither sent nor unsealed.
    const stored = (await this.#deps.copies?.find(key, own?.readAt)) ?? null;
    if (stored === null) return own;
    const opened = { ...stored, value: storedValue<V>(stored.text) };
    this.#memory.put(name, opened);
    return opened;
  }

  async #askOrStandIn<V>(look: Look<V>): Promise<V> {
    const { call } = look;
    const limit = standInSeconds(call.wish, this.#deps.settings.staleIfErrorSeconds);
    if (limit > 0) call.mayStandIn();
    try {
      return await this.#ask(look);
    } catch (error) {
      if (limit === 0 || !isCampusFailure(error)) throw error;
      const copy = await this.#copyOf(look);
      const age = copy && this.#ageOf(copy, look);
      if (copy === null || age === null || !mayStandIn(age, limit)) throw error;
      const { log } = look.context;
      log.warn({ read: look.read.row.name, failure: error.kind, reason: error.reason }, 'a copy stands in');
      call.note({ source: 'stand-in', readAt: copy.readAt, old: true, value: copy.value, failure: error });
      return copy.value;
    }
  }

  /** Asks the campus, or joins who is asking it. */
  async #ask<V>(look: Look<V>): Promise<V> {
    const { read, context, call, name, writes } = look;
    const place = `${name} ${writes}`;
    const found = this.#running.get(place);
    const joined = found?.reading.abandoned ? undefined : found;
    const running = joined ?? this.#start(look, place);
    running.keep ||= !call.wish.noStore;
    const { value, readAt } = ofRead(read, await running.reading.wait(context.signal));
    const failure = read.failureOf?.(value) ?? null;
    if (failure !== null) throw failure;
    const source = joined ? 'joined' : asksAnew(call.wish) ? 'asked-on-request' : 'asked';
    call.note({ source, readAt, old: false, value });
    return value;
  }

  #start<V>(look: Look<V>, place: string): Running {
    const { read, context, writes } = look;
    const readAt = this.#deps.clock.now();
    const reading = new SharedReading<Held>(context, async (inner) => {
      try {
        const value = await read.ask(inner);
        const held = { value, text: '', writes, readAt };
        if (running.keep) this.#keep(look, held);
        return held;
      } finally {
        if (this.#running.get(place) === running) this.#running.delete(place);
      }
    });
    const running: Running = { reading, keep: false };
    // What is read while something is being written is for its own call alone.
    if (writes !== DURING_A_WRITE) this.#running.set(place, running);
    return running;
  }

  #keep<V>({ read, call, marks, key, name }: Look<V>, held: Held<V>): void {
    const { row, unkept = false } = read;
    if (unkept || key.params.length > LONGEST_PARAMS || row.isWhole?.(held.value) === false) return;
    const copy = { ...held, text: JSON.stringify(held.value) };
    this.#memory.put(name, copy);
    const { userid, ...rest } = key;
    const { text, writes, readAt } = copy;
    call.afterAnswer(() => this.#keeper?.keep(userid, marks.generation, { ...rest, text, writes, readAt }));
  }
}

export const createReads = (deps: ReadsDeps): Reads => new CopiedReads(deps);
