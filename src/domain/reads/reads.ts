import type { Clock } from '../../lib/clock.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { type CallReads, copiesOnly, nothingSaid, type ReadWish, type StudentMarks } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { noteReads } from './call-reads.ts';
import {
  ageOf,
  type CopyAge,
  DURING_A_WRITE,
  decide,
  isCampusFailure,
  isFresh,
  mayAnswer,
  mayStandIn,
  saidOf,
  skipsCopies,
  standInAfter,
  standInSeconds,
  withOperator,
  writesAt,
} from './decide.ts';
import { type HourlyReadings, personalReadings } from './hourly-readings.ts';
import { CopyKeeper } from './keeper.ts';
import { isLaterPage } from './kept.ts';
import { type Held, ReadMemory } from './memory.ts';
import type { CopyStore, MarkStore } from './ports.ts';
import { type Read, Readings, type SharedReading } from './shared-reading.ts';
import { LONGEST_FRESH_SECONDS, type ReadRow } from './types.ts';

interface ReadsDeps {
  readonly marks: MarkStore;
  /** Null: nothing is stored, and what is fresh is held in memory alone. */
  readonly copies: CopyStore | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the personal tokens of a student; left out: nothing else counts there. */
  readonly personal?: HourlyReadings;
  /** As they are configured. */
  readonly settings: Readonly<
    Record<'freshSeconds' | 'staleIfErrorSeconds' | 'staleIfPersonSeconds' | 'revalidateSeconds', number>
  >;
}

/** Longer parameters are no terms, pages or ids. */
const LONGEST_PARAMS = 256;

/** Only this service can seal what was stored under a shape, and a changed shape has another number. */
const storedValue = <V>(text: string): V => JSON.parse(text);

/** A value in memory or on its way is found under the name of its read, and so is one of this read. */
const ofRead = <V>(_read: Read<V>, held: Held): Held<V> => held as Held<V>;

/** One attempt of a call to read something. */
interface ReadAttempt<V> {
  readonly read: Read<V>;
  readonly student: Student;
  readonly marks: StudentMarks;
  readonly context: CallContext;
  readonly call: CallReads;
  /** What the call says about this read. */
  readonly wish: ReadWish;
  /** JSON of the list of parameters. */
  readonly params: string;
  /** In memory; nothing of an ended generation is found under it. */
  readonly name: string;
  /** To its application, when the call began. */
  readonly writes: number;
  /** Where calls that read the same at the same time meet. */
  readonly place: string;
  readonly freshSeconds: number;
}

const isKept = <V>({ read, params }: ReadAttempt<V>, value: V): boolean => {
  const { row, unkept } = read;
  if (unkept || params.length > LONGEST_PARAMS || row.isWhole?.(value) === false) return false;
  // There is no end to the numbers of pages that a list does not have.
  return !(isLaterPage(row, read.params ?? []) && row.pages?.isEmpty(value));
};

const silent: CallReads = noteReads(nothingSaid, (work) => work());

/** The one way to every read of a student. */
class CopiedReads {
  readonly #deps: ReadsDeps;
  readonly #memory: ReadMemory;
  readonly #readings: Readings<Held>;
  readonly #keeper: CopyKeeper | null;
  readonly #personal: HourlyReadings;

  constructor(deps: ReadsDeps) {
    this.#deps = deps;
    const holdSeconds = Math.max(LONGEST_FRESH_SECONDS, deps.settings.freshSeconds);
    this.#memory = new ReadMemory(deps.clock, holdSeconds * 1000);
    this.#readings = new Readings(deps.clock);
    this.#personal = deps.personal ?? personalReadings(deps.clock);
    this.#keeper = deps.copies && new CopyKeeper(deps.copies, deps.log);
  }

  /**
   * A copy, or what the campus says, as freshness and cache directives decide.
   * @throws Failure what `ask` throws; `no-copy` where the campus is not to be asked
   */
  async read<V>(student: Student, context: CallContext, read: Read<V>): Promise<V> {
    const attempt = this.#attemptOf(student, student.marks ?? (await this.#marksOf(student)), context, read);
    const { call, wish, marks, freshSeconds } = attempt;
    // A copy never hides that the student has to log in again; what is still open may be used.
    const step = marks.refusedStep;
    if (step !== null && wish.onlyIfCached) throw new Failure('stored-credentials-refused', { step });
    if (step !== null) return this.#ask(attempt);

    if (mayAnswer(wish, freshSeconds)) {
      const fresh = this.#freshOf(attempt);
      if (fresh !== null) {
        call.note({ source: 'copy', readAt: fresh.readAt, old: false, value: fresh.value });
        return fresh.value;
      }
      const copy = await this.#copyOf(attempt);
      const decision = decide(copy && this.#ageOf(copy, attempt), freshSeconds, wish);
      if (copy !== null && decision.step === 'answer') {
        const source = decision.revalidate && this.#revalidate(attempt) ? 'revalidating' : 'copy';
        call.note({ source, readAt: copy.readAt, old: decision.old, value: copy.value });
        return copy.value;
      }
    }
    if (wish.onlyIfCached) throw new Failure('no-copy');
    return this.#askOrServeStale(attempt);
  }

  /** The last copy, of any age, without the campus and without the student: for calendar feeds. */
  async lastCopy<V>(userid: string, row: ReadRow<V>, params: readonly string[] = []) {
    const key = { userid, read: row.name, params: JSON.stringify(params), shape: row.shape };
    const copy = await this.#deps.copies?.find(key);
    return copy ? { value: storedValue<V>(copy.text), readAt: copy.readAt } : null;
  }

  /** Lets go of values in memory that are not fresh any more. */
  sweep(): void {
    this.#memory.sweep();
  }

  /** Writes what waits to be written. */
  async close(): Promise<void> {
    await this.#keeper?.idle();
  }

  async #marksOf(student: Student): Promise<StudentMarks> {
    const marks = await this.#deps.marks.marks(student.userid);
    if (marks === null) throw new Failure('token-user-gone');
    return marks;
  }

  #attemptOf<V>(student: Student, marks: StudentMarks, context: CallContext, read: Read<V>): ReadAttempt<V> {
    const { userid } = student;
    const { row } = read;
    const { settings } = this.#deps;
    const call = context.reads ?? silent;
    const freshSeconds = row.fresh === 'usual' ? settings.freshSeconds : row.fresh;
    // What is never fresh, and what the service reads for itself, is as new as it can be.
    const operatorSeconds = freshSeconds === 0 || call === silent ? 0 : settings.revalidateSeconds;
    const params = read.params === undefined ? '[]' : JSON.stringify(read.params);
    // The student comes last: nothing in the others can be taken for one.
    const name = `${marks.generation} ${row.name} ${params} ${userid}`;
    const writes = writesAt(marks, row.application, this.#deps.clock.now());
    return {
      read,
      student,
      marks,
      context,
      call,
      wish: student.personal?.copiesOnly ? copiesOnly : withOperator(saidOf(call.wish, freshSeconds), operatorSeconds),
      params,
      name,
      writes,
      place: `${name} ${writes}`,
      freshSeconds,
    };
  }

  #ageOf(copy: Held, { writes }: Pick<ReadAttempt<unknown>, 'writes'>): CopyAge | null {
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    return ageMs === null ? null : { ageMs, current: writes !== DURING_A_WRITE && copy.writes === writes };
  }

  #heldOf<V>({ read, name }: ReadAttempt<V>): Held<V> | null {
    const held = this.#memory.get(name);
    return held && ofRead(read, held);
  }

  /** A fresh one in memory, with which storage need not be asked. */
  #freshOf<V>(attempt: ReadAttempt<V>): Held<V> | null {
    const held = this.#heldOf(attempt);
    const age = held && this.#ageOf(held, attempt);
    return age && isFresh(age, attempt.freshSeconds, attempt.wish) ? held : null;
  }

  /** The newest copy there is, in memory or stored. */
  async #copyOf<V>(attempt: ReadAttempt<V>): Promise<Held<V> | null> {
    const { read, student, params, name } = attempt;
    const held = this.#heldOf(attempt);
    // One from ahead of the clock is no measure for what is stored.
    const own = held && this.#ageOf(held, attempt) && held;
    // A stored copy that is not newer than the one in memory is neither sent nor unsealed.
    const key = { userid: student.userid, read: read.row.name, params, shape: read.row.shape };
    const stored = (await this.#deps.copies?.find(key, own?.readAt)) ?? null;
    if (stored === null) return own;
    const opened = { ...stored, value: storedValue<V>(stored.text) };
    this.#memory.put(name, opened);
    return opened;
  }

  async #askOrServeStale<V>(attempt: ReadAttempt<V>): Promise<V> {
    const { call, wish } = attempt;
    const { staleIfErrorSeconds: ifError, staleIfPersonSeconds: ifPerson } = this.#deps.settings;
    if (standInSeconds(wish, ifError) > 0) call.mayStandIn();
    try {
      return await this.#ask(attempt);
    } catch (error) {
      if (!isCampusFailure(error)) throw error;
      const limit = standInAfter(error, wish, { ifError, ifPerson });
      if (limit === 0) throw error;
      const copy = await this.#copyOf(attempt);
      const age = copy && this.#ageOf(copy, attempt);
      if (copy === null || age === null || !mayStandIn(age, limit)) throw error;
      const { log } = attempt.context;
      log.warn({ read: attempt.read.row.name, failure: error.kind, reason: error.reason }, 'serving a stale copy');
      call.note({ source: 'stand-in', readAt: copy.readAt, old: true, value: copy.value, failure: error });
      return copy.value;
    }
  }

  /** Whether a reading runs behind the answer: one that is under way, or a new one where there may be one more. */
  #revalidate<V>(attempt: ReadAttempt<V>): boolean {
    const { read, student, context, wish, place } = attempt;
    if (this.#readings.at(place)) return true;
    if (wish.noStore) return false;
    return this.#readings.behind(`${read.row.name} ${student.userid}`, context, () => {
      const reading = this.#start(attempt, true);
      reading.keep = true;
      return reading;
    });
  }

  /** Asks the campus, or joins a reading that does. */
  async #ask<V>(attempt: ReadAttempt<V>): Promise<V> {
    const { read, context, call, wish, place } = attempt;
    let joined = this.#readings.at(place);
    for (;;) {
      const reading = joined ?? this.#start(attempt, context.unattended);
      reading.keep ||= !wish.noStore;
      try {
        const { value, readAt } = ofRead(read, await reading.wait(context.signal));
        const failure = read.failureOf?.(value) ?? null;
        if (failure !== null) throw failure;
        const source = joined ? 'joined' : skipsCopies(wish) ? 'asked-on-request' : 'asked';
        call.note({ source, readAt, old: false, value });
        return value;
      } catch (error) {
        // What was joined had no session to read with, and may not sign in for one.
        if (!joined?.unattended || !isFailure(error, 'session-lost')) throw error;
        joined = undefined;
      }
    }
  }

  #start<V>(attempt: ReadAttempt<V>, unattended?: boolean): SharedReading<Held> {
    const { read, student, context, place, writes } = attempt;
    if (student.personal) this.#personal.count(student.userid);
    const readAt = this.#deps.clock.now();
    const ask = async (reading: SharedReading<Held>): Promise<Held> => {
      const value = await read.ask(reading);
      const held = { value, text: reading.keep && isKept(attempt, value) ? JSON.stringify(value) : '', writes, readAt };
      if (held.text !== '') this.#keep(attempt, held);
      return held;
    };
    // What is read while something is being written is for its own call alone: it may show either side of it.
    const joinable = writes !== DURING_A_WRITE;
    return this.#readings.start(place, context, ask, { joinable, unattended, outlivesCalls: read.row.outlivesCalls });
  }

  #keep<V>({ read, student, call, marks, params, name }: ReadAttempt<V>, held: Held<V>): void {
    this.#memory.put(name, held);
    const { row, about } = read;
    const { text, writes, readAt } = held;
    const copy = { read: row.name, params, shape: row.shape, text, writes, readAt, about };
    call.afterAnswer(() => this.#keeper?.keep(student, marks.generation, copy));
  }
}

/** Not the class itself, so that others can take its place. */
export type Reads = Pick<CopiedReads, 'read' | 'lastCopy' | 'sweep' | 'close'>;

export const createReads = (deps: ReadsDeps): Reads => new CopiedReads(deps);
