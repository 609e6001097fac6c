import type { Feed, FeedPart } from './kinds.ts';

/** A feed as a poll finds it. */
export interface StoredFeed extends Feed {
  readonly userid: string;
  /** Names what its calendar was made of; `""` while none has been made. */
  readonly seen: string;
  /** JSON of the parameters of the schedule that it is made of; `""` while that is not known. */
  readonly scheduleParams: string;
  /** Names its calendar; `""` while none has been made. */
  readonly tag: string;
  /** When its copies were last opened for it, epoch ms. */
  readonly madeAt: number;
  /** Grows with every change of its calendar; 0: none has been made. */
  readonly revision: number;
  /** A reading without anything waits for a second one that agrees. */
  readonly inDoubt: boolean;
  /** Parts that have had data. */
  readonly had: readonly FeedPart[];
}

/** What a feed keeps, opened. Null: none has been made, or none of the keys opens it. */
export interface FeedContents {
  readonly calendar: string | null;
  readonly sources: string | null;
}

type FeedUpdate = Pick<StoredFeed, 'seen' | 'scheduleParams' | 'tag' | 'madeAt' | 'revision' | 'inDoubt' | 'had'> & {
  readonly calendar: string;
  readonly sources: string;
};

/** A copy of a read without its value. */
export interface CopyOutline {
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  /** The same for the same value. */
  readonly digest: string;
  readonly readAt: number;
}

export interface FeedStore {
  /** `too-many` when the student has `most` of them already. */
  create(
    feed: Feed & { userid: string; secretHash: string },
    most: number,
  ): Promise<'created' | 'too-many' | 'user-gone'>;
  /** The oldest first. */
  list(userid: string): Promise<Feed[]>;
  /** False when the student has none of that id. */
  delete(userid: string, id: string): Promise<boolean>;
  bySecret(secretHash: string): Promise<StoredFeed | null>;
  contents(feed: StoredFeed): Promise<FeedContents>;
  /** False when the feed is gone or was updated since `feed` was read. */
  update(feed: StoredFeed, update: FeedUpdate): Promise<boolean>;
  polled(id: string, at: number): Promise<void>;
  /** The copies of these reads, in a fixed order. */
  outlines(userid: string, reads: readonly string[]): Promise<CopyOutline[]>;
}
