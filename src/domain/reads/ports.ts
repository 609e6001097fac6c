import type { StudentMarks, WrittenApplication } from '../context.ts';

/** Subject of an event where the parameters of its read do not name it. */
export type ReadAbout = Readonly<Partial<Record<'term_code' | 'course_code' | 'course_class', string>>>;

/** One copy per student, read and parameters. */
export interface CopyKey {
  /** Null: everybody's. */
  readonly userid: string | null;
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  readonly shape: number;
}

export interface Copy {
  /** JSON of the value. */
  readonly text: string;
  /** Writes to its application when its reading began. */
  readonly writes: number;
  /** Start of the reading, epoch ms. */
  readonly readAt: number;
}

export interface FoundCopy extends Copy {
  readonly shape: number;
}

export interface CopyToKeep extends Copy, Omit<CopyKey, 'userid'> {
  /** Passed to events, but not stored. */
  readonly about?: ReadAbout | undefined;
}

/** What is stored in the place of a copy. */
export interface CopyState extends Omit<Copy, 'text'> {
  readonly shape: number;
  /** It is the same value, and its digest was made with the key of today. */
  readonly isSame: boolean;
}

/** Copies of students are sealed, outlive generations and go with the account, or with its last token. */
export interface CopyStore {
  /** Also one of another shape, if it is a student's. Null: none can be opened, or none was read after `after`. */
  find(wanted: CopyKey, after?: number): Promise<FoundCopy | null>;
  /**
   * All of them or none, and none unless the student's generation is still `generation`. An older reading never
   * replaces a newer one. Where there are too many, the oldest are deleted.
   */
  keep(userid: string, generation: number, copies: readonly CopyToKeep[]): Promise<void>;
  /** The same for a copy of everybody, which holds nothing of a student. */
  keepForAll(copy: CopyToKeep): Promise<void>;
  /** When copies of everybody were read, by their parameters. */
  timesForAll(of: Pick<CopyKey, 'read' | 'shape'>, params: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface StoredCopies extends Omit<CopyStore, 'keep'> {
  /** What is stored in the places of these; null: nothing. */
  states(userid: string, copies: readonly CopyToKeep[]): Promise<ReadonlyArray<CopyState | null>>;
}

/** Until when a write may be under way, after such an earlier mark. */
export type WriteMarking = (before: number) => {
  readonly until: number;
  /** Another write was under way. */
  readonly overlaps: boolean;
};

export interface AnnouncedWrite extends ReturnType<WriteMarking> {
  readonly count: number;
}

export interface MarkStore {
  /** Null when there is no such student. */
  marks(userid: string): Promise<StudentMarks | null>;
  /** Counts and marks a write before it is sent. Null when there is no such student. */
  announceWrite(userid: string, application: WrittenApplication, mark: WriteMarking): Promise<AnnouncedWrite | null>;
  /** Counts again; the mark ends unless another write may be under way. */
  endWrite(userid: string, application: WrittenApplication, write: AnnouncedWrite): Promise<void>;
}

/** State of the queue, shared by all replicas, for what is read for everybody. */
export interface CampusQueueState {
  /** Since the end of the last request; null: there was none. */
  readonly sinceMs: number | null;
  /** The rest of a pause that the campus wanted. */
  readonly pauseLeftMs: number;
  /** How long the last such pause was; 0: the campus has answered since. */
  readonly pauseMs: number;
}

export interface CampusQueueStore {
  state(name: string, now: number): Promise<CampusQueueState>;
  /** Notes the end of a request. `pauseMs`: 0 if the campus answered, more if it wants a pause; left out: neither. */
  end(name: string, now: number, pauseMs?: number): Promise<void>;
}
