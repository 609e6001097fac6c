import type { CallContext, Student } from '../context.ts';
import { isFailure, isPersonal } from '../errors.ts';

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

/** What went wrong with whoever's session was borrowed, and need not with another one's. */
export const isOfOneStudent = (error: unknown): boolean =>
  isPersonal(error) ||
  isFailure(error, 'rate-limited') ||
  (isFailure(error, 'upstream-unavailable') && error.reason === 'student-paused');
