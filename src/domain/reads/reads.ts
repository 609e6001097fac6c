import type { Clock } from '../../lib/time.ts';
import {
  type CallContext,
  type CallReads,
  type Log,
  type Student,
  type StudentMarks,
  silentReads,
} from '../context.ts';
import { failures, isFailure, type SignInStep, toldStep } from '../errors.ts';
import type { CampusQueue } from './campus-queue.ts';
import { type CacheEntry, isKept, ofRow, ReadCopies } from './copies.ts';
import {
  ageOf,
  type CopyAge,
  DURING_A_WRITE,
  decide,
  type FreshnessTerms,
  isCampusFailure,
  isForAll,
  isFresh,
  isOfOneStudent,
  isWithinStaleLimit,
  mayAnswer,
  skipsCopies,
  staleLimit,
  staleLimitAfter,
  termsOf,
  writesAt,
  YOUNG_SECONDS,
} from './decide.ts';
import type { CopyKey, CopyStore, MarkStore } from './ports.ts';
import { ReadingBudgets } from './reading-budgets.ts';
import { type ReadRequest, type SharedReading, SharedReadings } from './shared-reading.ts';
import type { CachedValue, ReadRow, TimedValue } from './types.ts';

interface ReadsDeps {
  readonly marks: Pick<MarkStore, 'marks'>;
  readonly copies: CopyStore;
  /** Queue for what everybody is shown. */
  readonly queue: Pick<CampusQueue, 'enter'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The halves that the campus takes, in the order of asking. */
  readonly taken?: readonly SignInStep[];
  readonly settings: Readonly<
    Record<'freshSeconds' | 'staleIfErrorSeconds' | 'staleIfPersonSeconds' | 'revalidateSeconds', number>
  > & {
    /** If off, a student's fresh values are cached in memory only. */
    readonly keepCopies: boolean;
  };
}

interface ReadAttempt<V> extends FreshnessTerms {
  readonly read: ReadRequest<V>;
  readonly student: Student;
  readonly marks: StudentMarks;
  readonly context: CallContext;
  readonly call: CallReads;
  readonly key: CopyKey;
  /** Name of the cache entry, which includes the generation. */
  readonly name: string;
  /** Writes to its application when the call began. */
  readonly writes: number;
  /** Name of the shared reading. */
  readonly reading: string;
}

/** Every read goes through here: of a student, or of everybody on the session of one. */
export class Reads {
  readonly #deps: ReadsDeps;
  readonly #copies: ReadCopies;
  readonly #readings: SharedReadings<CacheEntry>;
  readonly #budgets: ReadingBudgets;

  constructor(deps: ReadsDeps) {
    this.#deps = deps;
    this.#copies = new ReadCopies({ ...deps, keepsStudents: deps.settings.keepCopies });
    this.#readings = new SharedReadings(deps.clock);
    this.#budgets = new ReadingBudgets(deps.clock);
  }

  /**
   * A copy, or what the campus says, as freshness and cache directives decide.
   * @throws Failure what `ask` throws; `no-copy` where the campus is not to be asked; for everybody also `campus-busy`
   *   and `rate-limited`
   */
  async read<V>(student: Student, context: CallContext, read: ReadRequest<V>): Promise<V> {
    return (await this.find(student, context, read)).value;
  }

  /** The same, with the start of its reading. */
  async find<V>(student: Student, context: CallContext, read: ReadRequest<V>): Promise<TimedValue<V>> {
    const attempt = await this.#attemptOf(student, context, read);
    const { call, directives, marks } = attempt;
    const step = marks.refusedStep;
    // A copy never hides that the student has to log in again, but a session still open may be used.
    if (step !== null && (directives.onlyIfCached || isForAll(read.row))) {
      throw failures.storedCredentialsRefused(toldStep(step, this.#deps.taken));
    }
    if (step !== null) return this.#ask(attempt);

    if (mayAnswer(attempt)) {
      const copy = await this.#copyOf(attempt, 'fresh');
      const decision = decide(copy && this.#ageOf(copy, attempt), attempt);
      if (copy !== null && decision !== null) {
        const source = decision.revalidate && this.#revalidate(attempt) ? 'revalidating' : 'copy';
        call.note({ source, readAt: copy.readAt, old: decision.old, value: copy.value });
        return copy;
      }
    }
    if (directives.onlyIfCached) throw failures.noCopy();
    return this.#askOrServeStale(attempt);
  }

  /** The copies of a read for everybody, in the order of `params`. The campus is not asked. */
  async readCached<V>(
    student: Student,
    context: CallContext,
    row: ReadRow<V>,
    params: ReadonlyArray<readonly string[]>,
  ): Promise<ReadonlyArray<CachedValue<V> | null>> {
    const terms = termsOf(this.#deps.settings, student, context.reads ?? silentReads, row);
    const freshMs = terms.freshSeconds * 1000;
    const names = params.map((each) => JSON.stringify(each));
    const entries = await this.#copies.several(row, names, freshMs);
    return names.map((name) => {
      const entry = entries.get(name);
      const ageMs = entry === undefined ? null : ageOf(entry.readAt, this.#deps.clock.now());
      if (entry === undefined || ageMs === null) return null;
      const decision = decide({ ageMs, current: true }, terms);
      const isDue = decision === null ? !terms.directives.onlyIfCached : decision.revalidate;
      return { value: entry.value, readAt: entry.readAt, isStale: ageMs >= freshMs, isDue };
    });
  }

  /** Reads for later callers, on a live session. */
  async prefetch<V>(student: Student, context: CallContext, read: ReadRequest<V>): Promise<void> {
    const attempt = await this.#attemptOf(student, context, read);
    const reading = this.#readings.at(attempt.reading) ?? this.#start(attempt, true);
    reading.keep = true;
    await reading.wait(context.signal);
  }

  /** The last copy, of any age. */
  lastCopy<V>(userid: string, row: ReadRow<V>, params: readonly string[] = []): Promise<TimedValue<V> | null> {
    return this.#copies.readStored(row, { userid, read: row.name, params: JSON.stringify(params), shape: row.shape });
  }

  sweep(): void {
    this.#copies.sweep();
  }

  /** Ends what is being read, and writes what waits to be written. */
  async close(): Promise<void> {
    await this.#readings.close();
    await this.#copies.idle();
  }

  async #attemptOf<V>(student: Student, context: CallContext, read: ReadRequest<V>): Promise<ReadAttempt<V>> {
    const marks = student.marks ?? (await this.#deps.marks.marks(student.userid));
    if (marks === null) throw failures.tokenUserGone();
    const { row } = read;
    const call = context.reads ?? silentReads;
    const params = read.params === undefined ? '[]' : JSON.stringify(read.params);
    const userid = isForAll(row) ? null : student.userid;
    const key = { userid, read: row.name, params, shape: row.shape };
    const common = { ...termsOf(this.#deps.settings, student, call, row), read, student, marks, context, call, key };
    if (userid === null) {
      const name = `${row.name} ${params}`;
      return { ...common, name, writes: 0, reading: name };
    }
    // The student id comes last, so that no part before it can be taken for one.
    const name = `${marks.generation} ${row.name} ${params} ${userid}`;
    const writes = writesAt(marks, row.application, this.#deps.clock.now());
    return { ...common, name, writes, reading: `${name} ${writes}` };
  }

  #ageOf(copy: CacheEntry, { writes }: Pick<ReadAttempt<unknown>, 'writes'>): CopyAge | null {
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    if (ageMs === null) return null;
    const current = writes !== DURING_A_WRITE && copy.writes === writes;
    return { ageMs, current, isCompleted: copy.isCompleted ?? false };
  }

  /** The newest copy, or one in memory that is `fresh`. A stored one that is not newer is neither sent nor unsealed. */
  async #copyOf<V>(attempt: ReadAttempt<V>, enough: 'fresh' | 'newest'): Promise<CacheEntry<V> | null> {
    const { read, name } = attempt;
    const entry = this.#copies.readCached(read.row, name);
    const age = entry && this.#ageOf(entry, attempt);
    if (age && enough === 'fresh' && isFresh(age, attempt)) return entry;
    // An entry from ahead of the clock does not hide what is stored.
    const own = age && entry;
    return (await this.#copies.load(read.row, attempt, own?.readAt)) ?? own;
  }

  async #askOrServeStale<V>(attempt: ReadAttempt<V>): Promise<TimedValue<V>> {
    const { call, directives, read, context } = attempt;
    const { staleIfErrorSeconds: ifError, staleIfPersonSeconds: ifPerson } = this.#deps.settings;
    if (staleLimit(directives, ifError) > 0) call.allowStaleIfError();
    try {
      return await this.#ask(attempt);
    } catch (error) {
      if (!isCampusFailure(error)) throw error;
      const limit = staleLimitAfter(error, directives, { ifError, ifPerson });
      if (limit === 0) throw error;
      const copy = await this.#copyOf(attempt, 'newest');
      const age = copy && this.#ageOf(copy, attempt);
      if (copy === null || age === null || !isWithinStaleLimit(age, limit)) throw error;
      context.log.warn({ read: read.row.name, failure: error.kind, reason: error.reason }, 'serving a stale copy');
      call.note({ source: 'stale-if-error', readAt: copy.readAt, old: true, value: copy.value, failure: error });
      return copy;
    }
  }

  /** Starts a reading behind the answer; false if none runs. */
  #revalidate<V>(attempt: ReadAttempt<V>): boolean {
    const { read, student, context, directives, key } = attempt;
    if (this.#readings.at(attempt.reading)) return true;
    if (directives.noStore) return false;
    const owner = key.userid === null ? attempt.reading : `${read.row.name} ${student.userid}`;
    return this.#readings.behind(owner, context, () => Object.assign(this.#start(attempt, true), { keep: true }));
  }

  /** Asks the campus, or joins a reading that does. */
  async #ask<V>(attempt: ReadAttempt<V>): Promise<TimedValue<V>> {
    const { read, student, context, call, directives } = attempt;
    const begun = this.#deps.clock.now();
    for (;;) {
      const joined = this.#readings.at(attempt.reading);
      const reading = joined ?? this.#start(attempt, context.unattended);
      reading.keep ||= !directives.noStore;
      try {
        const found = ofRow(read.row, await reading.wait(context.signal));
        const { value, readAt } = found;
        const failure = read.failureOf?.(value) ?? null;
        if (failure !== null) throw failure;
        // Another replica may have read it while this one waited for its turn.
        const isJoined = joined !== undefined || readAt < begun;
        const source = isJoined ? 'joined' : skipsCopies(directives) ? 'asked-on-request' : 'asked';
        call.note({ source, readAt, old: false, value });
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
  #start<V>(attempt: ReadAttempt<V>, unattended?: boolean): SharedReading<CacheEntry> {
    const { read, student, context, writes } = attempt;
    const forAll = isForAll(read.row);
    // A reading for everybody counts when its turn has come.
    if (forAll) this.#budgets.check(student, forAll);
    else if (student.personal) this.#budgets.count(student, forAll);
    const ask = (reading: SharedReading<CacheEntry>): Promise<CacheEntry> =>
      forAll ? this.#inTurn(attempt, reading) : this.#readOnce(attempt, reading);
    return this.#readings.start(attempt.reading, context, ask, {
      userid: student.userid,
      // A value that is read during a write may show either side of it: no other call joins it.
      joinable: writes !== DURING_A_WRITE,
      unattended,
      outlives: forAll ? 'any' : read.row.outlivesCalls ? 'time' : undefined,
    });
  }

  async #inTurn<V>(attempt: ReadAttempt<V>, reading: SharedReading<CacheEntry>): Promise<CacheEntry> {
    const { read, student, directives, freshSeconds } = attempt;
    const { queue, clock } = this.#deps;
    const enoughSeconds = Math.max(YOUNG_SECONDS, skipsCopies(directives) ? 0 : (directives.maxAge ?? freshSeconds));
    await using turn = await queue.enter<CacheEntry>({
      isQuery: read.row.isQuery === true,
      isAwaited: !reading.unattended,
      userid: student.userid,
      signal: reading.context.signal,
      doneMeanwhile: async () =>
        (await this.#copies.load(read.row, attempt, clock.now() - enoughSeconds * 1000)) ?? undefined,
    });
    if (turn.done !== undefined) return turn.done;
    this.#budgets.count(student, true);
    return await turn.answer(this.#readOnce(attempt, reading));
  }

  async #readOnce<V>(attempt: ReadAttempt<V>, reading: SharedReading<CacheEntry>): Promise<CacheEntry> {
    const { read, student, call, marks, key, name, writes } = attempt;
    const readAt = this.#deps.clock.now();
    const value = await read.ask(reading.context);
    const text = reading.keep && isKept(read, key.params, value) ? JSON.stringify(value) : '';
    const entry = { value, text, writes, readAt };
    if (text === '') return entry;
    this.#copies.cache(name, entry);
    const copy = { read: read.row.name, params: key.params, shape: key.shape, text, writes, readAt, about: read.about };
    if (key.userid === null) await this.#copies.keepForAll(copy);
    else call.afterAnswer(() => this.#copies.keep(student, marks.generation, copy));
    return entry;
  }
}
