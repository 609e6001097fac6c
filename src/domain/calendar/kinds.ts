import { allReads } from '../all-reads.ts';
import { type CampusFacts, lackOf } from '../capabilities.ts';
import type { Reads } from '../reads/reads.ts';
import { activitiesFeed } from './activities.ts';
import { classesFeed } from './classes.ts';
import { examsFeed } from './exams.ts';
import { confirmSource, type FeedKind, type FeedReading, type FeedSource, StudentCopies } from './sources.ts';

/** The parts that a feed may hold, in the order in which answers name it. Storage has a column of each name. */
const kinds = { classes: classesFeed, exams: examsFeed, activities: activitiesFeed };
export type FeedPart = keyof typeof kinds;

export const feedKinds: Readonly<Record<FeedPart, FeedKind<unknown>>> = kinds;
export const feedParts = Object.keys(kinds) as readonly FeedPart[];

export const offeredParts = (campus: Pick<CampusFacts, 'capabilities'>): FeedPart[] =>
  feedParts.filter((part) => lackOf(campus, feedKinds[part].needs) === null);

/** A feed as its student and the operator see it. Times in epoch ms. */
export interface Feed {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly FeedPart[];
  /** Minutes before the beginning; null: no alarms. */
  readonly alarmMinutes: number | null;
  readonly createdAt: number;
  /** Rounded to the hour; null: never polled. */
  readonly polledAt: number | null;
}

export type FeedRequest = Pick<Feed, 'name' | 'parts' | 'alarmMinutes'>;

export type FeedSources = Readonly<Record<FeedPart, FeedSource<unknown> | null>>;

export const readsOf = (parts: readonly FeedPart[]): string[] => [
  ...new Set(parts.flatMap((part) => feedKinds[part].reads)),
];

/** The names of the reads that each part is made of. */
export const feedReads = feedParts.map((part) => [part, feedKinds[part].reads] as const);

/** Whether the feed of this schedule uses the copy, one of those that `readsOf` names. */
export const isMadeOf = (
  scheduleParams: string,
  { read, params }: { readonly read: string; readonly params: string },
): boolean => params === (read === allReads.schedule.name ? scheduleParams : '[]');

/** Shapes of the values that a feed stores. Contents from before a kind was added have one less. */
export const sourceShapes = feedParts.map((part) => feedKinds[part].shape).join('.');

interface FeedReadings {
  readonly scheduleParams: string;
  readonly read: Readonly<Partial<Record<FeedPart, FeedReading<unknown> | null>>>;
}

/** Reads these parts from the copies of a student. The campus is not asked. */
export const readingsOf = async (
  reads: Pick<Reads, 'lastCopy'>,
  userid: string,
  parts: readonly FeedPart[],
): Promise<FeedReadings> => {
  const copies = new StudentCopies(reads, userid);
  const read: { -readonly [Part in FeedPart]?: FeedReading<unknown> | null } = {};
  for (const part of feedParts) if (parts.includes(part)) read[part] = await feedKinds[part].read(copies);
  const usesTerm = readsOf(parts).includes(allReads.currentTerm.name);
  const term = usesTerm ? await copies.term() : null;
  return { scheduleParams: term ? JSON.stringify([term.code]) : '', read };
};

export const nextSources = (
  sources: Partial<FeedSources> | null,
  read: FeedReadings['read'],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): FeedSources => {
  const next = (part: FeedPart): FeedSource<unknown> | null => {
    const found = read[part] ?? null;
    return feedKinds[part].next(confirmSource(sources?.[part] ?? null, found, now), found, timeZone);
  };
  return Object.fromEntries(feedParts.map((part) => [part, next(part)])) as FeedSources;
};

export interface StoredFeed extends Feed {
  readonly userid: string;
  /** JSON of the parameters of the schedule that it is made of; `""` while that is not known. */
  readonly scheduleParams: string;
  /** Grows with every change of its contents; 0: none were stored. */
  readonly revision: number;
  /** Parts that have had data. */
  readonly had: readonly FeedPart[];
}

interface FeedUpdate extends Pick<StoredFeed, 'scheduleParams' | 'had'> {
  /** Its sources, and the version of each event that was told last. */
  readonly contents: string;
}

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
  /** Returns false if the student has no feed of that id. */
  delete(userid: string, id: string): Promise<boolean>;
  bySecret(secretHash: string): Promise<StoredFeed | null>;
  /** Null: none were stored, or no key opens them. */
  contents(feed: StoredFeed): Promise<string | null>;
  /** Returns false if the feed is gone or was updated since `feed` was read. */
  update(feed: StoredFeed, update: FeedUpdate): Promise<boolean>;
  notePoll(id: string, at: number): Promise<void>;
  /** The copies of these reads, in a fixed order. */
  outlines(userid: string, reads: readonly string[]): Promise<CopyOutline[]>;
}
