import type { CampusSystem, Failure, SignInStep } from '../errors.ts';
import type { ReadEvents } from '../events/ports.ts';
import type { EventType } from '../events/records.ts';

/** The cache directives of a call; ages in seconds, null: not said. */
export interface ReadWish {
  /** The campus is to be asked. */
  readonly noCache: boolean;
  /** `noCache` has come in the form in which `fetch` adds it to a call with `If-None-Match`; see `saidOf`. */
  readonly noCacheOfFetch: boolean;
  /** In place of the freshness of the read. */
  readonly maxAge: number | null;
  /** Beyond its freshness; Infinity: any age will do. */
  readonly maxStale: number | null;
  /** The campus is not to be asked. */
  readonly onlyIfCached: boolean;
  /** How old a copy may be that is served when the campus fails. */
  readonly staleIfError: number | null;
  /** How far beyond its freshness a copy may be that answers while a reading runs behind it. */
  readonly staleWhileRevalidate: number | null;
  /** What is read is not to be kept. */
  readonly noStore: boolean;
}

export const nothingSaid: ReadWish = {
  noCache: false,
  noCacheOfFetch: false,
  maxAge: null,
  maxStale: null,
  onlyIfCached: false,
  staleIfError: null,
  staleWhileRevalidate: null,
  noStore: false,
};

/** With any directives: a copy of any age, and nothing of the campus. */
export const copiesOnly: ReadWish = { ...nothingSaid, onlyIfCached: true };

/** A copy as a decision sees it. */
export interface CopyAge {
  readonly ageMs: number;
  /** No write to its application has begun since it was read, as far as is known. */
  readonly current: boolean;
}

/** Where a value came from. `revalidating`: a copy, and a reading runs behind the answer. */
export type ReadSource = 'asked' | 'asked-on-request' | 'joined' | 'revalidating' | 'copy' | 'stand-in';

/** What became of one read of a call. */
export interface ReadNote {
  readonly source: ReadSource;
  /** Start of the reading at the campus, epoch ms. */
  readonly readAt: number;
  /** Older than its freshness: the answer has to say so. */
  readonly old: boolean;
  /** What was read: the same object as long as it is the same reading in memory. */
  readonly value: unknown;
  /** Why a stale copy is served. */
  readonly failure?: Failure;
}

/** The cache directives of one call, and where the outcome of its reads is noted. */
export interface CallReads {
  readonly wish: ReadWish;
  note(note: ReadNote): void;
  /** A stale copy may be served for what is being asked: the call's own end is worth a moment's wait. */
  mayStandIn(): void;
  /** The answer lacks a part: it is no value that could be told again by a tag. */
  lacksPart(): void;
  /** Runs `work` once the answer to the call has left, or at once when it has. */
  afterAnswer(work: () => void): void;
}

/** The applications that the service writes to. */
export const writtenApplications = ['academics', 'labor-club', 'electricity'] as const;
export type WrittenApplication = (typeof writtenApplications)[number];

/** Writes to one application. */
export interface WriteMark {
  /** Grows at the beginning and at the end of every write. */
  readonly count: number;
  /** Until then a write may be under way; epoch ms, 0: none. */
  readonly until: number;
}

/** What the student's row says at the beginning of a call. */
export interface StudentMarks {
  readonly generation: number;
  /** Not null: the stored pair is rejected. */
  readonly refusedStep: SignInStep | null;
  /** The room that the student has chosen. */
  readonly roomCode: string | null;
  readonly writes: Readonly<Record<WrittenApplication, WriteMark>>;
}

/** One declared read. The type parameter is the value that it gives. */
export interface ReadRow<V> {
  readonly name: string;
  readonly application: CampusSystem;
  /** Grows with every change of the value's members: copies of another shape are absent. */
  readonly shape: number;
  /** How long a value is fresh, in seconds; `usual`: `FRESH_SECONDS`. */
  readonly fresh: 'usual' | number;
  /** A reading goes on for the copy when all calls that wait for it are out of time. */
  readonly outlivesCalls?: boolean;
  /** Only values that are whole are kept; left out: every value is. */
  readonly isWhole?: (value: V) => boolean;
  /** The pages of a list: which of the parameters is the number, from 1, and what a page behind the last one is like. */
  readonly pages?: { readonly at: number; readonly isEmpty: (value: V) => boolean };
  /** Left out: it makes none. */
  readonly events?: ReadEvents<V>;
  /** Its events depend on thresholds of hooks. */
  readonly usesThresholds?: boolean;
  /** Left out: the service never reads it on its own. */
  readonly ownReading?: OwnReading;
}

/** How a read serves the hooks whose students are read by the service on its own. */
export interface OwnReading {
  /** The events that it may make. */
  readonly tells: readonly EventType[];
  /** It comes before all others. */
  readonly first?: true;
  /** Its parameter, which copies tell; left out: it has none. */
  readonly of?: 'term' | 'room';
  /** Reads that show the same, of the current term where they have one. */
  readonly shownBy?: readonly string[];
}
