import { campusDate } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { randomToken, sha256 } from '../../lib/hash.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { ServiceObserver } from '../observation.ts';
import type { Reads } from '../reads/reads.ts';
import { type Adjustments, adjusting } from './adjustments.ts';
import { buildCalendar, type Versions } from './build.ts';
import type { CopyOutline, FeedContents, FeedStore, StoredFeed } from './ports.ts';
import { readingsOf, readsOf, sourceShapes } from './readings.ts';
import { type FeedSources, nextActivities, nextClasses, nextExams } from './sources.ts';
import { type CalendarWriter, type Feed, type FeedWish, feedParts } from './types.ts';

/** What a poll is answered with. */
export interface Poll {
  readonly id: string;
  /** For `If-None-Match`. */
  readonly tag: string;
  /** Null: the caller has it. */
  readonly calendar: string | null;
}

/**
 * Calendars that a student's calendar programs poll. They are made of copies: nobody who polls one costs the campus a
 * request. All methods throw `feeds-off` where no copies are kept.
 */
export interface CalendarFeeds {
  /** The secret is told this once. @throws Failure `feed-limit` */
  create(student: Student, wish: FeedWish): Promise<{ readonly feed: Feed; readonly secret: string }>;
  /** The oldest first. */
  list(student: Student): Promise<Feed[]>;
  /** @throws Failure `feed-unknown` */
  revoke(student: Student, id: string): Promise<void>;
  /**
   * `isKnown` tells whether the caller has the version of a tag.
   * @throws Failure `feed-unknown`; `feed-lost` while what its events were made of cannot be had
   */
  poll(secret: string, isKnown: (tag: string) => boolean): Promise<Poll>;
}

const MOST_FEEDS = 10;
/** Nobody is helped by asking again sooner. */
const RETRY_SECONDS = 3_600;
const HOUR_MS = 3_600_000;
/** Grows with every change of what the code makes of the same copies, or of what it keeps. */
const FORM = 1;
/** Two replicas that are polled at once may make the calendar at the same time: one of them begins anew. */
const ATTEMPTS = 4;

/** Sealed with the feed, so that what was read is of this form. */
interface Kept {
  readonly form: string;
  readonly sources: FeedSources;
  readonly versions: Versions;
}

const form = `${FORM} ${sourceShapes}`;
const nothing: FeedSources = { classes: null, exams: null, activities: null };

/** Null for what another version of the service has kept. */
const keptOf = ({ sources }: FeedContents): Kept | null => {
  const kept: Kept | null = sources === null ? null : JSON.parse(sources);
  return kept?.form === form ? kept : null;
};

interface CalendarFeedsDeps {
  /** Null: no copies are kept. */
  readonly store: FeedStore | null;
  readonly reads: Pick<Reads, 'lastCopy'>;
  readonly write: CalendarWriter;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly adjustments: Adjustments;
  readonly observer: Pick<ServiceObserver, 'feedPolled'>;
}

export const createCalendarFeeds = (deps: CalendarFeedsDeps): CalendarFeeds => {
  const { store, reads, write, clock, timeZone, observer, adjustments } = deps;
  const heldOn = adjusting(adjustments);
  /** What makes another calendar of the same copies. */
  const rules = sha256(JSON.stringify([form, timeZone, adjustments]));

  const kept = (): FeedStore => {
    if (store === null) throw new Failure('feeds-off', { retryAfterSeconds: RETRY_SECONDS });
    return store;
  };

  const answerTo = async (store: FeedStore, secretHash: string, isKnown: (tag: string) => boolean): Promise<Poll> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const feed = await store.bySecret(secretHash);
      if (feed === null) throw new Failure('feed-unknown');
      await notePoll(store, feed);
      const tagged = ({ id, revision }: Pick<StoredFeed, 'id' | 'revision'>) => ({ id, tag: `"${id}.${revision}"` });
      // Before any copy is opened: one that is replaced meanwhile is looked at again with the next poll.
      const outlines = await store.outlines(feed.userid, readsOf(feed.parts));
      const current = feed.revision > 0 && seen(outlines, feed.inDoubt) === feed.seen;
      if (current && isKnown(tagged(feed).tag)) return { ...tagged(feed), calendar: null };
      const contents = await store.contents(feed);
      if (current && contents.calendar !== null) return { ...tagged(feed), calendar: contents.calendar };
      const made = await make(store, feed, contents, outlines);
      if (made === null) continue;
      const { calendar, revision } = made;
      const answer = tagged({ id: feed.id, revision });
      return { ...answer, calendar: isKnown(answer.tag) ? null : calendar };
    }
    throw new Failure('overloaded', { reason: 'calendar made by others each time' });
  };

  /** To the hour: enough to see which feed nobody uses, for one write an hour. */
  const notePoll = async (store: FeedStore, { id, polledAt }: StoredFeed): Promise<void> => {
    const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
    if (polledAt !== hour) await store.polled(id, hour);
  };

  /** A value that was read again counts by the day, which is what a calendar says of its age; in doubt by the moment. */
  const seen = (outlines: readonly CopyOutline[], inDoubt: boolean): string => {
    const seen = outlines.map(({ read, params, digest, readAt }) => [
      read,
      params,
      digest,
      inDoubt ? readAt : campusDate(readAt, timeZone),
    ]);
    return sha256(JSON.stringify([rules, seen]));
  };

  /** Null when somebody else has changed the feed meanwhile. */
  const make = async (
    store: FeedStore,
    feed: StoredFeed,
    contents: FeedContents,
    outlines: readonly CopyOutline[],
  ): Promise<{ readonly calendar: string; readonly revision: number } | null> => {
    const before = keptOf(contents);
    const read = await readingsOf(reads, feed.userid, feed.parts);
    const known = before?.sources ?? nothing;
    const sources: FeedSources = {
      classes: nextClasses(known.classes, read.classes),
      exams: nextExams(known.exams, read.exams, timeZone),
      activities: nextActivities(known.activities, read.activities),
    };
    // A part without its data would take its events from every subscriber.
    if (feed.had.some((part) => sources[part] === null)) {
      if (contents.calendar === null) {
        throw new Failure('feed-lost', { retryAfterSeconds: RETRY_SECONDS, reason: `feed ${feed.id}` });
      }
      return { calendar: contents.calendar, revision: feed.revision };
    }
    const options = { timeZone, heldOn: heldOn, now: clock.now() };
    const { calendar, versions } = buildCalendar(feed, sources, before?.versions ?? null, options);
    const text = write(calendar);
    const revision = text === contents.calendar ? feed.revision : feed.revision + 1;
    const inDoubt = feedParts.some((part) => (sources[part]?.emptySince ?? null) !== null);
    const keeping: Kept = { form, sources, versions };
    const stored = await store.update(feed, {
      seen: seen(outlines, inDoubt),
      revision,
      inDoubt,
      had: feed.parts.filter((part) => sources[part] !== null),
      calendar: text,
      sources: JSON.stringify(keeping),
    });
    return stored ? { calendar: text, revision } : null;
  };

  return {
    async create(student, wish) {
      const secret = randomToken();
      const parts = feedParts.filter((part) => wish.parts.includes(part));
      const feed: Feed = {
        ...wish,
        parts,
        id: sha256(randomToken()).slice(0, 16),
        createdAt: clock.now(),
        polledAt: null,
      };
      const entry = { ...feed, userid: student.userid, secretHash: sha256(secret) };
      const outcome = await kept().create(entry, MOST_FEEDS);
      if (outcome === 'too-many') throw new Failure('feed-limit');
      if (outcome === 'user-gone') throw new Failure('token-user-gone');
      return { feed, secret };
    },
    async list({ userid }) {
      return kept().list(userid);
    },
    async revoke({ userid }, id) {
      if (!(await kept().delete(userid, id))) throw new Failure('feed-unknown');
    },
    async poll(secret, isKnown) {
      try {
        const poll = await answerTo(kept(), sha256(secret), isKnown);
        observer.feedPolled(poll.calendar === null ? 'unchanged' : 'sent');
        return poll;
      } catch (error) {
        observer.feedPolled(error instanceof Failure ? error.kind : 'internal');
        throw error;
      }
    },
  };
};
