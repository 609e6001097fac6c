import type { Clock } from '../../lib/clock.ts';
import { Deadline } from '../../lib/deadline.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { type CallReads, copiesOnly, nothingSaid, type ReadWish } from '../context.ts';
import { asFailure, Failure, isFailure } from '../errors.ts';
import { noteReads } from '../reads/call-reads.ts';
import {
  ageOf,
  type Decision,
  decide,
  isCampusFailure,
  mayStandIn,
  saidOf,
  skipsCopies,
  standInAfter,
  standInSeconds,
  withOperator,
} from '../reads/decide.ts';
import type { HourlyReadings } from '../reads/hourly-readings.ts';
import type { Held } from '../reads/memory.ts';
import type { MarkStore } from '../reads/ports.ts';
import { CampusWideCopies } from './copies.ts';
import type { CampusLine } from './line.ts';
import {
  type CampusWideKey,
  type CampusWideRead,
  type CampusWideRow,
  type CampusWideStore,
  type Found,
  isOfOneStudent,
  type Kept,
} from './ports.ts';

/** No matter what the call says: thousands of students who want the newest would be a request each. */
const YOUNG_MS = 60_000;
/** For a reading, its wait in the line and a sign-in: it goes on when its callers have left. */
const OWN_MS = 60_000;

interface CampusWideDeps {
  readonly store: CampusWideStore;
  readonly line: CampusLine;
  readonly marks: Pick<MarkStore, 'marks'>;
  readonly clock: Clock;
  readonly log: Log;
  /** What one student may cause, and all personal tokens of one together. */
  readonly budget: HourlyReadings;
  readonly personal: HourlyReadings;
  readonly settings: {
    readonly staleIfErrorSeconds: number;
    readonly staleIfPersonSeconds: number;
    readonly revalidateSeconds: number;
  };
}

/** One attempt of a call to read something. */
interface ReadAttempt<V> {
  readonly read: CampusWideRead<V>;
  readonly student: Student;
  readonly context: CallContext;
  readonly call: CallReads;
  readonly wish: ReadWish;
  readonly key: CampusWideKey;
}

/** One reading for all who wait for it. It does not end with its callers. */
interface Flight {
  readonly userid: string;
  /** No caller waited for it when it began. */
  readonly unattended: boolean;
  keep: boolean;
  readonly result: Promise<Held>;
}

const silent = noteReads(nothingSaid, (work) => work());
const nothing = (): void => {};

/** Only a value of this row is found under its name. */
const ofRow = <V>(_row: CampusWideRow<V>, { value, readAt }: Held): Found<V> => ({ value: value as V, readAt });

const placeOf = ({ read, params }: CampusWideKey): string => `${read} ${params}`;

/** Reads that are made once for all students: in turn with all others, on the session of one who asks. */
export class CampusWideReads {
  readonly #deps: CampusWideDeps;
  readonly #copies: CampusWideCopies;
  readonly #flights = new Map<string, Flight>();
  readonly #closing = new AbortController();

  constructor(deps: CampusWideDeps) {
    this.#deps = deps;
    this.#copies = new CampusWideCopies(deps);
  }

  /**
   * A kept value, or what the campus says, as age and cache directives decide.
   * @throws Failure `campus-busy`, `rate-limited`, `no-copy`, what `ask` throws
   */
  async read<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<Found<V>> {
    const attempt = await this.#attemptOf(student, context, read);
    const { call, wish } = attempt;
    for (;;) {
      const copy = await this.#copyOf(attempt);
      const decision = this.#decide(copy, attempt);
      if (decision.step === 'refuse') throw new Failure('no-copy');
      if (decision.step === 'answer' && copy !== null) {
        const { readAt, value } = copy;
        const isRead = decision.revalidate && this.#revalidate(attempt);
        call.note({ source: isRead ? 'revalidating' : 'copy', readAt, old: decision.old, value });
        return copy;
      }
      const running = this.#flights.get(placeOf(attempt.key));
      const isForeign = running !== undefined && running.userid !== student.userid;
      if (isForeign && !this.#copies.isShared(read.row.name)) {
        // Its outcome may show that both are shown the same.
        await raceSignal(running.result.then(nothing, nothing), context.signal);
        continue;
      }
      if (standInSeconds(wish, this.#deps.settings.staleIfErrorSeconds) > 0) call.mayStandIn();
      const begun = this.#deps.clock.now();
      try {
        const flight = running ?? this.#start(attempt);
        flight.keep ||= !wish.noStore;
        const found = ofRow(read.row, await raceSignal(flight.result, context.signal));
        const joined = running !== undefined || found.readAt < begun;
        const source = joined ? 'joined' : skipsCopies(wish) ? 'asked-on-request' : 'asked';
        call.note({ source, readAt: found.readAt, old: false, value: found.value });
        return found;
      } catch (error) {
        // One that no caller waited for had no session to read with, and may not sign in for one.
        if (running?.unattended && isFailure(error, 'session-lost')) continue;
        if (isForeign && isOfOneStudent(error)) continue;
        return this.#serveStale(attempt, copy, error);
      }
    }
  }

  /** What is kept, in the order asked for: several values of one read. The campus is not asked. */
  async kept<V>(
    student: Student,
    context: CallContext,
    row: CampusWideRow<V>,
    params: ReadonlyArray<readonly string[]>,
  ): Promise<ReadonlyArray<Kept<V> | null>> {
    const directives = this.#wishOf(student, context, row);
    const names = params.map((each) => JSON.stringify(each));
    const held = await this.#copies.all(row, names, student);
    return names.map((name) => {
      const found = held.get(name);
      const age = found && ageOf(found.readAt, this.#deps.clock.now());
      if (found === undefined || age === null || age === undefined) return null;
      const decision = this.#decideBy(age, row, directives);
      const isWanted = decision.step === 'ask' || (decision.step === 'answer' && decision.revalidate);
      return { ...ofRow(row, found), isOld: age >= row.freshSeconds * 1000, isWanted };
    });
  }

  /** Reads for later callers, on a live session. */
  async readAhead<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<void> {
    const attempt = await this.#attemptOf(student, context, read);
    const running = this.#flights.get(placeOf(attempt.key));
    const flight = running ?? this.#start(attempt, true);
    flight.keep = true;
    await raceSignal(flight.result, context.signal);
  }

  sweep(): void {
    this.#copies.sweep();
  }

  /** Ends what is running. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('overloaded', { reason: 'closing', retryAfterSeconds: 5 }));
    await Promise.allSettled([...this.#flights.values()].map(({ result }) => result));
  }

  #wishOf(student: Student, { reads }: CallContext, { freshSeconds }: CampusWideRow<never>): ReadWish {
    if (student.personal?.copiesOnly) return copiesOnly;
    const operatorSeconds = reads === undefined ? 0 : this.#deps.settings.revalidateSeconds;
    return withOperator(saidOf(reads?.wish ?? nothingSaid, freshSeconds), operatorSeconds);
  }

  async #attemptOf<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<ReadAttempt<V>> {
    const marks = student.marks ?? (await this.#deps.marks.marks(student.userid));
    if (marks === null) throw new Failure('token-user-gone');
    // A shared value never hides that the student has to log in again.
    if (marks.refusedStep !== null) throw new Failure('stored-credentials-refused', { step: marks.refusedStep });
    const { row, params } = read;
    const key = { read: row.name, params: JSON.stringify(params), shape: row.shape };
    return { read, student, context, call: context.reads ?? silent, wish: this.#wishOf(student, context, row), key };
  }

  #decideBy(age: number, { freshSeconds }: CampusWideRow<never>, directives: ReadWish): Decision {
    if (age < YOUNG_MS) return { step: 'answer', old: age >= freshSeconds * 1000, revalidate: false };
    return decide({ ageMs: age, current: true }, freshSeconds, directives);
  }

  #decide<V>(copy: Found<V> | null, { read: { row }, wish }: ReadAttempt<V>): Decision {
    const age = copy && ageOf(copy.readAt, this.#deps.clock.now());
    return age === null ? decide(null, row.freshSeconds, wish) : this.#decideBy(age, row, wish);
  }

  async #copyOf<V>({ read: { row }, student, key }: ReadAttempt<V>): Promise<Found<V> | null> {
    const held = await this.#copies.newest(row, key, student);
    return held && ofRow(row, held);
  }

  #revalidate<V>(attempt: ReadAttempt<V>): boolean {
    if (this.#flights.has(placeOf(attempt.key))) return true;
    if (attempt.wish.noStore) return false;
    try {
      this.#start(attempt, true);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  #serveStale<V>({ wish, call, context, read }: ReadAttempt<V>, copy: Found<V> | null, error: unknown): Found<V> {
    if (!isCampusFailure(error) || copy === null) throw error;
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    const { staleIfErrorSeconds: ifError, staleIfPersonSeconds: ifPerson } = this.#deps.settings;
    const limit = standInAfter(error, wish, { ifError, ifPerson });
    if (ageMs === null || !mayStandIn({ ageMs, current: true }, limit)) throw error;
    context.log.warn({ read: read.row.name, failure: error.kind, reason: error.reason }, 'serving a stale copy');
    call.note({ source: 'stand-in', readAt: copy.readAt, old: true, value: copy.value, failure: error });
    return copy;
  }

  /** @throws Failure `rate-limited` */
  #start<V>(attempt: ReadAttempt<V>, unattended = false): Flight {
    const { student, key, context } = attempt;
    const { clock, budget, personal } = this.#deps;
    const place = placeOf(key);
    budget.count(student.userid);
    if (student.personal) personal.count(student.userid);
    const end = new AbortController();
    const stopTimer = clock.timer(OWN_MS, () => end.abort(new Failure('timed-out', { system: 'academics' })));
    const signal = AbortSignal.any([end.signal, this.#closing.signal]);
    const { traceId, log, address, trail } = context;
    const own = { traceId, log, address, trail, signal, unattended, deadline: new Deadline(OWN_MS) };
    const result = Promise.resolve()
      .then(() => this.#ask(attempt, flight, own))
      .finally(() => {
        stopTimer();
        this.#flights.delete(place);
      });
    const flight: Flight = { userid: student.userid, unattended, keep: unattended, result };
    this.#flights.set(place, flight);
    result.catch((error: unknown) => {
      const { kind, reason } = asFailure(error);
      log.debug({ read: key.read, failure: kind, reason }, 'not read');
    });
    return flight;
  }

  #ask<V>(attempt: ReadAttempt<V>, flight: Flight, context: CallContext): Promise<Held> {
    const { read, student, key, wish } = attempt;
    const { row } = read;
    const { line, clock } = this.#deps;
    const enoughMs = Math.max(YOUNG_MS, 1000 * (skipsCopies(wish) ? 0 : (wish.maxAge ?? row.freshSeconds)));
    /** Another replica was faster. */
    const doneMeanwhile = async (): Promise<Held | undefined> => {
      if (!this.#copies.isShared(row.name)) return undefined;
      return (await this.#copies.load(key, clock.now() - enoughMs)) ?? undefined;
    };
    return line.run(
      { isQuery: row.isQuery, isAwaited: !flight.unattended, signal: context.signal, doneMeanwhile },
      async () => {
        const readAt = clock.now();
        const value = await read.ask(student, context);
        const held: Held = { value, text: JSON.stringify(value), writes: 0, readAt };
        this.#copies.compare(row, key, value, student);
        if (flight.keep) await this.#copies.keep(key, held, student);
        return held;
      },
    );
  }
}
