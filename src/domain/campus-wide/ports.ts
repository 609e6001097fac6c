import type { CallContext, Student } from '../context.ts';
import { isFailure, isPersonal } from '../errors.ts';

/** One declared read of what the campus tells all students alike. */
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

/** What went wrong with the borrowed session, and need not with another one. */
export const isOfOneStudent = (error: unknown): boolean =>
  isPersonal(error) ||
  isFailure(error, 'rate-limited') ||
  (isFailure(error, 'upstream-unavailable') && error.reason === 'student-paused');

/** Which value: one per read and parameters, for all. */
export interface CampusWideKey {
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  /** Values of another shape are absent. */
  readonly shape: number;
}

interface CampusWideCopy {
  /** JSON of the value. Nothing in it belongs to the student on whose session it was read. */
  readonly text: string;
  /** Start of the reading, epoch ms. */
  readonly readAt: number;
}

/** What is kept once for all, in clear. */
export interface CampusWideStore {
  /** Null when there is none, or none that was read after `after`. */
  find(key: CampusWideKey, after?: number): Promise<CampusWideCopy | null>;
  /** When those that there are were read, by their parameters. */
  times(read: Omit<CampusWideKey, 'params'>, params: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** An older reading never replaces a newer one. The oldest readings go where there are too many. */
  keep(key: CampusWideKey, copy: CampusWideCopy): Promise<void>;
}

/** Where the line in front of a page of the campus stands, over all replicas. */
export interface LineState {
  /** Since the end of the last request; null: there was none. */
  readonly sinceMs: number | null;
  /** What is left of a pause that the campus wanted. */
  readonly pauseLeftMs: number;
  /** How long the last such pause was; 0: the campus has answered since. */
  readonly pauseMs: number;
}

export interface LineStore {
  state(name: string, now: number): Promise<LineState>;
  /** A request has ended. `pauseMs`: 0, the campus has answered; above, it wants that pause; left out: neither. */
  ended(name: string, now: number, pauseMs?: number): Promise<void>;
}
