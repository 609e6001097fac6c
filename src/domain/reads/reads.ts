import type { Clock } from '../../lib/time.ts';
import {
  type CallContext,
  type CallReads,
  copiesOnly,
  type Log,
  noDirectives,
  type Student,
  type StudentMarks,
} from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import type { CampusQueue } from './campus-queue.ts';
import { type Held, ofRow, ReadCopies } from './copies.ts';
import { isLaterPage } from './copy-limits.ts';
import {
  ageOf,
  type CopyAge,
  DURING_A_WRITE,
  decide,
  ignoringNoCacheOfFetch,
  isCampusFailure,
  isFresh,
  isOfOneStudent,
  isWithinStaleLimit,
  mayAnswer,
  skipsCopies,
  staleLimit,
  staleLimitAfter,
  type Terms,
  withOperatorDefaults,
  writesAt,
} from './decide.ts';
import type { HourlyReadings } from './hourly-readings.ts';
import type { CopyKey, CopyStore, MarkStore } from './ports.ts';
import { type Read, Readings, type SharedReading } from './shared-reading.ts';
import type { Found, Kept, ReadRow } from './types.ts';

interface ReadsDeps {
  readonly marks: Pick<MarkStore, 'marks'>;
  readonly copies: CopyStore;
  /** In front of what is read for everybody. */
  readonly line: CampusQueue;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits the readings for everybody that one student may cause, and all personal tokens of one together. */
  readonly budgets: Readonly<Record<'everybody' | 'personal', HourlyReadings>>;
  /** As they are configured. */
  readonly settings: Readonly<
    Record<'freshSeconds' | 'staleIfErrorSeconds' | 'staleIfPersonSeconds' | 'revalidateSeconds', number>
  > & {
    /** Off: what is fresh of a student is held in memory alone. */
    readonly keepCopies: boolean;
  };
}

/** Longer parameters are no terms, pages or ids. */
const LONGEST_PARAMS = 256;
/** So young a value for everybody answers whatever the call says: thousands who want the newest are one request. */
const YOUNG_SECONDS = 60;

const isForAll = ({ scope }: Pick<ReadRow<never>, 'scope'>): boolean => scope === 'campus';

/** One attempt of a call to read something. */
interface ReadAttempt<V> extends Terms {
  readonly read: Read<V>;
  readonly student: Student;
  readonly marks: StudentMarks;
  readonly context: CallContext;
  readonly call: CallReads;
  readonly key: CopyKey;
  /** In memory; nothing of an ended generation is found under it. */
  readonly name: string;
  /** To its application, when the call began. */
  readonly writes: number;
  /** Where calls that read the same at the same time meet. */
  readonly place: string;
}

const isKept = <V>({ read, key }: ReadAttempt<V>, value: V): boolean => {
  const { row, unkept } = read;
  if (unkept || key.params.length > LONGEST_PARAMS || row.isComplete?.(value) === false) return false;
  // There is no end to the numbers of pages that a list does not have.
  return !(isLaterPage(row, read.params ?? []) && row.pages?.isEmpty(value));
};

/** Of a call that says nothing, and is told nothing. */
const silent: CallReads = {
  directives: noDirectives,
  note: () => {},
  allowStaleIfError: () => {},
  lacksPart: () => {},
  afterAnswer: (work) => work(),
};

/** The one way to every read: of a student, or of everybody on the session of one. */
class CopiedReads {
  readonly #deps: ReadsDeps;
  readonly #copies: ReadCopies;
  readonly #readings: Readings<Held>;

  constructor(deps: ReadsDeps) {
    this.#deps = deps;
    this.#copies = new ReadCopies({ ...deps, keepsStudents: deps.settings.keepCopies });
    this.#readings = new Readings(deps.clock);
  }

  /**
   * A copy, or what the campus says, as freshness and cache directives decide.
   * @throws Failure what `ask` throws; `no-copy` where the campus is not to be asked; for everybody also `campus-busy`
   *   and `rate-limited`
   */
  async read<V>(student: Student, context: CallContext, read: Read<V>): Promise<V> {
    return (await this.found(student, context, read)).value;
  }

  /** The same, with the start of its reading. */
  async found<V>(student: Student, context: CallContext, read: Read<V>): Promise<Found<V>> {
    const attempt = this.#attemptOf(student, student.marks ?? (await this.#marksOf(student)), context, read);
    const { call, directives, marks } = attempt;
    const step = marks.refusedStep;
    // A copy never hides that the student has to log in again; what is still open may be used.
    if (step !== null && (directives.onlyIfCached || isForAll(read.row)))
      throw new Failure('stored-credentials-refused', { step });
    if (step !== null) return this.#ask(attempt);

    if (mayAnswer(attempt)) {
      const fresh = this.#freshOf(attempt);
      const copy = fresh ?? (await this.#copyOf(attempt));
      const decision = decide(copy && this.#ageOf(copy, attempt), attempt);
      if (copy !== null && decision.step === 'answer') {
        const source = decision.revalidate && this.#revalidate(attempt) ? 'revalidating' : 'copy';
        call.note({ source, readAt: copy.readAt, old: decision.old, value: copy.value });
        return copy;
      }
    }
    if (directives.onlyIfCached) throw new Failure('no-copy');
    return this.#askOrServeStale(attempt);
  }

  /** Gives the copies of a read for everybody, in the order asked for. The campus is not asked. */
  async kept<V>(
    student: Student,
    context: CallContext,
    row: ReadRow<V>,
    params: ReadonlyArray<readonly string[]>,
  ): Promise<ReadonlyArray<Kept<V> | null>> {
    const terms = this.#termsOf(student, context.reads ?? silent, row);
    const names = params.map((each) => JSON.stringify(each));
    const held = await this.#copies.several(row, names, terms.freshSeconds * 1000);
    return names.map((name) => {
      const found = held.get(name);
      const age = found && ageOf(found.readAt, this.#deps.clock.now());
      if (found === undefined || age === null || age === undefined) return null;
      const decision = decide({ ageMs: age, current: true }, terms);
      const isWanted = decision.step === 'ask' || (decision.step === 'answer' && decision.revalidate);
      const { value, readAt } = ofRow(row, found);
      return { value, readAt, isOld: age >= terms.freshSeconds * 1000, isWanted };
    });
  }

  /** Reads for later callers, on a live session. */
  async ahead<V>(student: Student, context: CallContext, read: Read<V>): Promise<void> {
    const attempt = this.#attemptOf(student, student.marks ?? (await this.#marksOf(student)), context, read);
    const reading = this.#readings.at(attempt.place) ?? this.#start(attempt, true);
    reading.keep = true;
    await reading.wait(context.signal);
  }

  /** The last copy, of any age, without the campus and without the student: for calendar feeds. */
  async lastCopy<V>(userid: string, row: ReadRow<V>, params: readonly string[] = []) {
    return this.#copies.stored(row, { userid, read: row.name, params: JSON.stringify(params), shape: row.shape });
  }

  /** Lets go of values in memory that are not fresh any more. */
  sweep(): void {
    this.#copies.sweep();
  }

  /** Ends what is being read, and writes what waits to be written. */
  async close(): Promise<void> {
    await this.#readings.close();
    await this.#copies.idle();
  }

  async #marksOf(student: Student): Promise<StudentMarks> {
    const marks = await this.#deps.marks.marks(student.userid);
    if (marks === null) throw new Failure('token-user-gone');
    return marks;
  }

  #termsOf<V>(student: Student, call: CallReads, row: ReadRow<V>): Terms {
    const { settings } = this.#deps;
    const freshSeconds = row.fresh === 'usual' ? settings.freshSeconds : row.fresh;
    // Values that are never fresh, and those that the service reads for itself, are as new as they can be.
    const operatorSeconds = freshSeconds === 0 || call === silent ? 0 : settings.revalidateSeconds;
    const said = ignoringNoCacheOfFetch(call.directives, freshSeconds);
    return {
      directives: student.personal?.copiesOnly ? copiesOnly : withOperatorDefaults(said, operatorSeconds),
      freshSeconds,
      youngSeconds: isForAll(row) ? YOUNG_SECONDS : 0,
    };
  }

  #attemptOf<V>(student: Student, marks: StudentMarks, context: CallContext, read: Read<V>): ReadAttempt<V> {
    const { row } = read;
    const call = context.reads ?? silent;
    const terms = this.#termsOf(student, call, row);
    const params = read.params === undefined ? '[]' : JSON.stringify(read.params);
    const common = { ...terms, read, student, marks, context, call };
    if (isForAll(row)) {
      const name = `${row.name} ${params}`;
      return {
        ...common,
        key: { userid: null, read: row.name, params, shape: row.shape },
        name,
        writes: 0,
        place: name,
      };
    }
    const { userid } = student;
    // The student comes last: nothing in the others can be taken for one.
    const name = `${marks.generation} ${row.name} ${params} ${userid}`;
    const writes = writesAt(marks, row.application, this.#deps.clock.now());
    return {
      ...common,
      key: { userid, read: row.name, params, shape: row.shape },
      name,
      writes,
      place: `${name} ${writes}`,
    };
  }

  #ageOf(copy: Held, { writes }: Pick<ReadAttempt<unknown>, 'writes'>): CopyAge | null {
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    return ageMs === null ? null : { ageMs, current: writes !== DURING_A_WRITE && copy.writes === writes };
  }

  /** A fresh one in memory, with which storage need not be asked. */
  #freshOf<V>(attempt: ReadAttempt<V>): Held<V> | null {
    const held = this.#copies.held(attempt.read.row, attempt.name);
    const age = held && this.#ageOf(held, attempt);
    return age && isFresh(age, attempt) ? held : null;
  }

  /** The newest copy there is, in memory or stored. */
  #copyOf<V>(attempt: ReadAttempt<V>): Promise<Held<V> | null> {
    const { read, name } = attempt;
    const held = this.#copies.held(read.row, name);
    // One from ahead of the clock is no measure for what is stored.
    return this.#copies.newest(read.row, attempt, held && this.#ageOf(held, attempt) && held);
  }

  async #askOrServeStale<V>(attempt: ReadAttempt<V>): Promise<Found<V>> {
    const { call, directives } = attempt;
    const { staleIfErrorSeconds: ifError, staleIfPersonSeconds: ifPerson } = this.#deps.settings;
    if (staleLimit(directives, ifError) > 0) call.allowStaleIfError();
    try {
      return await this.#ask(attempt);
    } catch (error) {
      if (!isCampusFailure(error)) throw error;
      const limit = staleLimitAfter(error, directives, { ifError, ifPerson });
      if (limit === 0) throw error;
      const copy = await this.#copyOf(attempt);
      const age = copy && this.#ageOf(copy, attempt);
      if (copy === null || age === null || !isWithinStaleLimit(age, limit)) throw error;
      const { log } = attempt.context;
      log.warn({ read: attempt.read.row.name, failure: error.kind, reason: error.reason }, 'serving a stale copy');
      call.note({ source: 'stale-if-error', readAt: copy.readAt, old: true, value: copy.value, failure: error });
      return copy;
    }
  }

  /** Whether a reading runs behind the answer: one that is under way, or a new one where there may be one more. */
  #revalidate<V>(attempt: ReadAttempt<V>): boolean {
    const { read, student, context, directives, key, place } = attempt;
    if (this.#readings.at(place)) return true;
    if (directives.noStore) return false;
    const owner = key.userid === null ? place : `${read.row.name} ${student.userid}`;
    return this.#readings.behind(owner, context, () => {
      const reading = this.#start(attempt, true);
      reading.keep = true;
      return reading;
    });
  }

  /** Asks the campus, or joins a reading that does. */
  async #ask<V>(attempt: ReadAttempt<V>): Promise<Found<V>> {
    const { read, student, context, call, directives, place } = attempt;
    const begun = this.#deps.clock.now();
    for (;;) {
      const joined = this.#readings.at(place);
      const reading = joined ?? this.#start(attempt, context.unattended);
      reading.keep ||= !directives.noStore;
      try {
        const found = ofRow(read.row, await reading.wait(context.signal));
        const { value, readAt } = found;
        const failure = read.failureOf?.(value) ?? null;
        if (failure !== null) throw failure;
        // Another replica may have read it while this one waited for its turn.
        const isJoined = joined !== undefined || readAt < begun;
        call.note({
          source: isJoined ? 'joined' : skipsCopies(directives) ? 'asked-on-request' : 'asked',
          ...{ readAt, old: false, value },
        });
        return found;
      } catch (error) {
        // The joined reading had no session to read with and may not sign in for one, or had trouble of another student.
        const hadNoSession = joined?.unattended && isFailure(error, 'session-lost');
        const isTheirs = joined && joined.userid !== student.userid && isOfOneStudent(error);
        if (context.signal.aborted || !(hadNoSession || isTheirs)) throw error;
      }
    }
  }

  /** @throws Failure `rate-limited` */
  #start<V>(attempt: ReadAttempt<V>, unattended?: boolean): SharedReading<Held> {
    const { read, student, context, place, writes } = attempt;
    const { userid } = student;
    const { everybody, personal } = this.#deps.budgets;
    const forAll = isForAll(read.row);
    if (student.personal) personal[forAll ? 'check' : 'count'](userid);
    if (forAll) everybody.check(userid);
    const ask = (reading: SharedReading<Held>): Promise<Held> =>
      forAll ? this.#inTurn(attempt, reading) : this.#readOnce(attempt, reading);
    return this.#readings.start(place, context, ask, {
      userid,
      // A value that is read during a write is for its own call alone: it may show either side of it.
      joinable: writes !== DURING_A_WRITE,
      unattended,
      outlives: forAll ? 'any' : read.row.outlivesCalls ? 'time' : undefined,
    });
  }

  /** Once it is this reading's turn; what is refused before that costs the student nothing. */
  #inTurn<V>(attempt: ReadAttempt<V>, reading: SharedReading<Held>): Promise<Held> {
    const { read, student, directives, freshSeconds } = attempt;
    const { line, clock, budgets } = this.#deps;
    const enoughSeconds = Math.max(YOUNG_SECONDS, skipsCopies(directives) ? 0 : (directives.maxAge ?? freshSeconds));
    const turn = {
      isQuery: read.row.isQuery === true,
      isAwaited: !reading.unattended,
      userid: student.userid,
      signal: reading.context.signal,
      // Another replica was faster.
      doneMeanwhile: async () =>
        (await this.#copies.load(read.row, attempt, clock.now() - enoughSeconds * 1000)) ?? undefined,
    };
    return line.run(turn, () => {
      budgets.everybody.count(student.userid);
      if (student.personal) budgets.personal.count(student.userid);
      return this.#readOnce(attempt, reading);
    });
  }

  async #readOnce<V>(attempt: ReadAttempt<V>, reading: SharedReading<Held>): Promise<Held> {
    const { read, student, call, marks, key, name, writes } = attempt;
    const readAt = this.#deps.clock.now();
    const value = await read.ask(reading.context);
    const text = reading.keep && isKept(attempt, value) ? JSON.stringify(value) : '';
    const held = { value, text, writes, readAt };
    if (text === '') return held;
    this.#copies.hold(name, held);
    const copy = { read: read.row.name, params: key.params, shape: key.shape, text, writes, readAt, about: read.about };
    if (key.userid === null) await this.#copies.keepForAll(copy);
    else call.afterAnswer(() => this.#copies.keep(student, marks.generation, copy));
    return held;
  }
}

/** Not the class itself, so that others can take its place. */
export type Reads = Pick<CopiedReads, 'read' | 'found' | 'kept' | 'ahead' | 'lastCopy' | 'sweep' | 'close'>;

export const createReads = (deps: ReadsDeps): Reads => new CopiedReads(deps);
