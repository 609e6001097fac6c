import type { Clock } from '../../lib/clock.ts';
import { Deadline } from '../../lib/deadline.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { asFailure, Failure, isFailure, isPersonal } from '../errors.ts';
import { noteReads } from '../reads/call-reads.ts';
import {
  ageOf,
  asksAnew,
  type Decision,
  decide,
  isCampusFailure,
  mayStandIn,
  saidOf,
  standInAfter,
  standInSeconds,
  withOperator,
} from '../reads/decide.ts';
import type { HourlyReadings } from '../reads/hourly-readings.ts';
import { keptLimits } from '../reads/kept.ts';
import { type Held, ReadMemory } from '../reads/memory.ts';
import type { MarkStore } from '../reads/ports.ts';
import { type CallReads, copiesOnly, nothingSaid, type ReadWish } from '../reads/types.ts';
import type { CampusLine } from './line.ts';
import type { CampusWideKey, CampusWideStore } from './ports.ts';
import { SameForAll } from './proof.ts';

/** One declared read of what the campus tells everybody alike. */
export interface CampusWideRow<V> {
  readonly name: string;
  /** Another one where the members of its value change. */
  readonly shape: number;
  readonly freshSeconds: number;
  /** A query of the offerings, which the campus limits. */
  readonly isQuery: boolean;
  /** What of a value two students must be shown alike before it is shared; undefined: it says nothing either way. */
  readonly alike: (value: V) => unknown;
}

export interface CampusWideRead<V> {
  readonly row: CampusWideRow<V>;
  readonly params: readonly string[];
  /** One request. */
  ask(student: Student, context: CallContext): Promise<V>;
}

export interface Found<V> {
  readonly value: V;
  /** Start of the reading, epoch ms. */
  readonly readAt: number;
}

/** A value of any age, as one call sees it. */
export interface Kept<V> extends Found<V> {
  /** Older than its freshness. */
  readonly isOld: boolean;
  /** Too old for what the call says. */
  readonly isWanted: boolean;
}

/** Whatever the call says: thousands of students who want the newest would be a request each. */
const YOUNG_MS = 60_000;
/** For a reading, its wait in the line and a sign-in: it goes on when its callers have left. */
const OWN_MS = 60_000;
const HOUR_MS = 3_600_000;

interface CampusWideDeps {
  readonly store: CampusWideStore;
  readonly line: CampusLine;
  readonly marks: Pick<MarkStore, 'marks'>;
  readonly clock: Clock;
  readonly log: Log;
  /** What one student may cause, and all personal tokens of one together. */
  readonly budget: HourlyReadings;
  readonly personal: HourlyReadings;
  readonly settings: { readonly staleIfErrorSeconds: number; readonly revalidateSeconds: number };
}

interface Flight {
  readonly userid: string;
  keep: boolean;
  readonly result: Promise<Held>;
}

/** One call's look at one read. */
interface Look<V> {
  readonly read: CampusWideRead<V>;
  readonly student: Student;
  readonly context: CallContext;
  readonly call: CallReads;
  readonly wish: ReadWish;
  readonly key: CampusWideKey;
}

const silent = noteReads(nothingSaid, (work) => work());
const nothing = (): void => {};

/** Only a value of this row is found under its name. */
const ofRow = <V>(_row: CampusWideRow<V>, { value, readAt }: Held): Found<V> => ({ value: value as V, readAt });

const placeOf = ({ read, params }: CampusWideKey): string => `${read} ${params}`;

/** What went wrong with whoever's session was borrowed, and need not with another one's. */
export const isOfOneStudent = (error: unknown): boolean =>
  isPersonal(error) ||
  isFailure(error, 'rate-limited') ||
  (isFailure(error, 'upstream-unavailable') && error.reason === 'student-paused');

/** Reads that are made once for all students: in turn with all others, on the session of one who asks. */
export class CampusWideReads {
  readonly #deps: CampusWideDeps;
  readonly #memory: ReadMemory;
  readonly #proof: SameForAll;
  readonly #flights = new Map<string, Flight>();
  readonly #closing = new AbortController();

  constructor(deps: CampusWideDeps) {
    this.#deps = deps;
    this.#memory = new ReadMemory(deps.clock, HOUR_MS);
    this.#proof = new SameForAll(deps.clock, deps.log);
  }

  /**
   * A kept value, or what the campus says, as age and the call's wish decide.
   * @throws Failure `campus-busy`, `rate-limited`, `no-copy`, what `ask` throws
   */
  async read<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<Found<V>> {
    const look = await this.#look(student, context, read);
    const { call, wish } = look;
    for (;;) {
      const copy = await this.#copyOf(look);
      const decision = this.#decide(copy, look);
      if (decision.step === 'refuse') throw new Failure('no-copy');
      if (decision.step === 'answer' && copy !== null) {
        const { readAt, value } = copy;
        const isRead = decision.revalidate && this.#revalidate(look);
        call.note({ source: isRead ? 'revalidating' : 'copy', readAt, old: decision.old, value });
        return copy;
      }
      const running = this.#flights.get(placeOf(look.key));
      const isForeign = running !== undefined && running.userid !== student.userid;
      if (isForeign && !this.#proof.isProven(read.row.name)) {
        // What comes of it may prove that both are shown the same.
        await raceSignal(running.result.then(nothing, nothing), context.signal);
        continue;
      }
      if (standInSeconds(wish, this.#deps.settings.staleIfErrorSeconds) > 0) call.mayStandIn();
      const begun = this.#deps.clock.now();
      try {
        const flight = running ?? this.#start(look);
        flight.keep ||= !wish.noStore;
        const found = ofRow(read.row, await raceSignal(flight.result, context.signal));
        const joined = running !== undefined || found.readAt < begun;
        const source = joined ? 'joined' : asksAnew(wish) ? 'asked-on-request' : 'asked';
        call.note({ source, readAt: found.readAt, old: false, value: found.value });
        return found;
      } catch (error) {
        if (isForeign && isOfOneStudent(error)) continue;
        return this.#standIn(look, copy, error);
      }
    }
  }

  /** What is kept, in the order asked for: several values of one read. Nobody is asked. */
  async kept<V>(
    student: Student,
    context: CallContext,
    row: CampusWideRow<V>,
    params: ReadonlyArray<readonly string[]>,
  ): Promise<ReadonlyArray<Kept<V> | null>> {
    const { store, clock } = this.#deps;
    const wish = this.#wishOf(student, context, row);
    const names = params.map((each) => JSON.stringify(each));
    const held = new Map<string, Held>();
    const unsure: string[] = [];
    for (const name of names) {
      const found = this.#heldOf(row.name, name, student);
      if (found !== null) held.set(name, found);
      const age = found && ageOf(found.readAt, clock.now());
      if (age === null || age >= row.freshSeconds * 1000) unsure.push(name);
    }
    if (unsure.length > 0 && this.#proof.isProven(row.name)) {
      for (const [name, readAt] of await store.times({ read: row.name, shape: row.shape }, unsure)) {
        if (readAt <= (held.get(name)?.readAt ?? 0)) continue;
        const stored = await this.#load({ read: row.name, params: name, shape: row.shape });
        if (stored !== null) held.set(name, stored);
      }
    }
    return names.map((name) => {
      const found = held.get(name);
      const age = found && ageOf(found.readAt, clock.now());
      if (found === undefined || age === null || age === undefined) return null;
      const decision = this.#decideBy(age, row, wish);
      const isWanted = decision.step === 'ask' || (decision.step === 'answer' && decision.revalidate);
      return { ...ofRow(row, found), isOld: age >= row.freshSeconds * 1000, isWanted };
    });
  }

  /** Reads for whoever asks later, on a session that is live. */
  async readAhead<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<void> {
    const look = await this.#look(student, context, read);
    const running = this.#flights.get(placeOf(look.key));
    const flight = running ?? this.#start(look, { isAhead: true });
    flight.keep = true;
    await raceSignal(flight.result, context.signal);
  }

  sweep(): void {
    this.#memory.sweep();
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

  async #look<V>(student: Student, context: CallContext, read: CampusWideRead<V>): Promise<Look<V>> {
    const marks = student.marks ?? (await this.#deps.marks.marks(student.userid));
    if (marks === null) throw new Failure('token-user-gone');
    // A value of others never hides that the student has to log in anew.
    if (marks.refusedStep !== null) throw new Failure('stored-credentials-refused', { step: marks.refusedStep });
    const { row, params } = read;
    const key = { read: row.name, params: JSON.stringify(params), shape: row.shape };
    const wish = this.#wishOf(student, context, row);
    return { read, student, context, call: context.reads ?? silent, wish, key };
  }

  #decideBy(age: number, { freshSeconds }: CampusWideRow<never>, wish: ReadWish): Decision {
    if (age < YOUNG_MS) return { step: 'answer', old: age >= freshSeconds * 1000, revalidate: false };
    return decide({ ageMs: age, current: true }, freshSeconds, wish);
  }

  #decide<V>(copy: Found<V> | null, { read: { row }, wish }: Look<V>): Decision {
    const age = copy && ageOf(copy.readAt, this.#deps.clock.now());
    return age === null ? decide(null, row.freshSeconds, wish) : this.#decideBy(age, row, wish);
  }

  /** Where this process holds it: until it is proven to be the same for all, for its reader alone. */
  #nameIn(read: string, params: string, { userid }: Student): string {
    return this.#proof.isProven(read) ? `${read} ${params}` : `${read} ${params} ${userid}`;
  }

  #heldOf(read: string, params: string, student: Student): Held | null {
    return this.#memory.get(this.#nameIn(read, params, student));
  }

  async #load(key: CampusWideKey, after?: number): Promise<Held | null> {
    const stored = await this.#deps.store.find(key, after);
    if (stored === null) return null;
    const held: Held = { ...stored, writes: 0, value: JSON.parse(stored.text) };
    this.#memory.put(placeOf(key), held);
    return held;
  }

  async #copyOf<V>({ read: { row }, student, key }: Look<V>): Promise<Found<V> | null> {
    const held = this.#heldOf(key.read, key.params, student);
    const age = held && ageOf(held.readAt, this.#deps.clock.now());
    const isFresh = age !== null && age < row.freshSeconds * 1000;
    if (isFresh || !this.#proof.isProven(key.read)) return held && ofRow(row, held);
    const newer = await this.#load(key, age === null ? undefined : held?.readAt);
    const found = newer ?? held;
    return found && ofRow(row, found);
  }

  #revalidate<V>(look: Look<V>): boolean {
    if (this.#flights.has(placeOf(look.key))) return true;
    if (look.wish.noStore) return false;
    try {
      this.#start(look, { isAhead: true }).keep = true;
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  #standIn<V>({ wish, call, context, read }: Look<V>, copy: Found<V> | null, error: unknown): Found<V> {
    if (!isCampusFailure(error) || copy === null) throw error;
    const ageMs = ageOf(copy.readAt, this.#deps.clock.now());
    const limit = standInAfter(error, wish, this.#deps.settings.staleIfErrorSeconds);
    if (ageMs === null || !mayStandIn({ ageMs, current: true }, limit)) throw error;
    context.log.warn({ read: read.row.name, failure: error.kind, reason: error.reason }, 'a copy stands in');
    call.note({ source: 'stand-in', readAt: copy.readAt, old: true, value: copy.value, failure: error });
    return copy;
  }

  /** @throws Failure `rate-limited` */
  #start<V>(look: Look<V>, { isAhead = false } = {}): Flight {
    const { student, context } = look;
    const { clock, budget, personal } = this.#deps;
    budget.count(student.userid);
    if (student.personal) personal.count(student.userid);
    const place = placeOf(look.key);
    const end = new AbortController();
    const stopTimer = clock.timer(OWN_MS, () => end.abort(new Failure('timed-out', { system: 'academics' })));
    const signal = AbortSignal.any([end.signal, this.#closing.signal]);
    const { traceId, log, address, trail } = context;
    const inner = { traceId, log, address, trail, signal, deadline: new Deadline(OWN_MS), unattended: isAhead };
    const flight: { -readonly [M in keyof Flight]: Flight[M] } = {
      userid: student.userid,
      keep: false,
      result: Promise.resolve()
        .then(() => this.#ask(look, inner, flight, !isAhead))
        .finally(() => {
          stopTimer();
          this.#flights.delete(place);
        }),
    };
    flight.result.catch((error: unknown) => {
      const { kind, reason } = asFailure(error);
      log.debug({ read: look.key.read, failure: kind, reason }, 'not read');
    });
    this.#flights.set(place, flight);
    return flight;
  }

  #ask<V>(look: Look<V>, inner: CallContext, flight: Flight, isAwaited: boolean): Promise<Held> {
    const { read, student, key, wish } = look;
    const { row } = read;
    const { line, clock } = this.#deps;
    const enoughMs = Math.max(YOUNG_MS, 1000 * (asksAnew(wish) ? 0 : (wish.maxAge ?? row.freshSeconds)));
    /** Another replica was quicker. */
    const doneMeanwhile = async (): Promise<Held | undefined> => {
      if (!this.#proof.isProven(row.name)) return undefined;
      return (await this.#load(key, clock.now() - enoughMs)) ?? undefined;
    };
    return line.run({ isQuery: row.isQuery, isAwaited, signal: inner.signal, doneMeanwhile }, async () => {
      const readAt = clock.now();
      const value = await read.ask(student, inner);
      const held: Held = { value, text: JSON.stringify(value), writes: 0, readAt };
      this.#proof.note(row.name, key.params, student.userid, row.alike(value));
      if (flight.keep) await this.#keep(look, held);
      return held;
    });
  }

  /** Before the line goes on: whoever comes next, on any replica, finds it. */
  async #keep<V>({ key, student, context }: Look<V>, held: Held): Promise<void> {
    this.#memory.put(this.#nameIn(key.read, key.params, student), held);
    const { text, readAt } = held;
    if (Buffer.byteLength(text) > keptLimits.bytesOfOne) return;
    try {
      await this.#deps.store.keep(key, { text, readAt });
    } catch (error) {
      if (!isFailure(error, 'storage-failed')) throw error;
      context.log.warn({ read: key.read, failure: error.kind }, 'not kept for others');
    }
  }
}
