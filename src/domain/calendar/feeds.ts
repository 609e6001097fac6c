import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import { campusDate } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { randomToken, sha256 } from '../../lib/hash.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { ServiceObserver } from '../observation.ts';
import { ageOf } from '../reads/decide.ts';
import type { Reads } from '../reads/reads.ts';
import { buildCalendar, type Versions } from './build.ts';
import {
  type CopyOutline,
  type Feed,
  type FeedContents,
  type FeedPart,
  type FeedSources,
  type FeedStore,
  type FeedWish,
  feedParts,
  isMadeOf,
  nextSources,
  readingsOf,
  readsOf,
  type StoredFeed,
  sourceShapes,
} from './kinds.ts';
import { type Adjustments, adjusting, type CalendarWriter } from './types.ts';

/** More than all devices of a student ask for together. */
const MOST_POLLS = 60;
const HOUR_MS = 3_600_000;
/** Feeds counted at once in a process; the one not polled for longest is forgotten. */
const COUNTED = 50_000;

/**
 * How often a feed is polled in an hour, with any answer: one without a body costs the same look. By the hash of its
 * secret, so that a poll too many costs storage nothing.
 */
class PollLimit {
  readonly #clock: Clock;
  readonly #hours = new LRUCache<string, { polls: number; readonly endsAt: number }>(bounded(COUNTED));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a poll of a feed that is known. @throws Failure `rate-limited` {retryAfterSeconds} */
  again(secretHash: string): void {
    const hour = this.#hours.get(secretHash);
    if (hour === undefined) return;
    const left = hour.endsAt - this.#clock.monotonic();
    if (left <= 0) this.#hours.delete(secretHash);
    else if (hour.polls < MOST_POLLS) hour.polls += 1;
    else throw new Failure('rate-limited', { retryAfterSeconds: Math.ceil(left / 1000), reason: 'polls of a feed' });
  }

  /** The first poll of an hour. Guesses are not counted here: they would push out what is. */
  found(secretHash: string): void {
    if (!this.#hours.has(secretHash))
      this.#hours.set(secretHash, { polls: 1, endsAt: this.#clock.monotonic() + HOUR_MS });
  }
}

/** A feed that is going to be polled: whose it is, and how it was found. */
export interface FoundFeed {
  readonly stored: StoredFeed;
  readonly secret: string;
}

/** What a poll is answered with. */
export interface Poll {
  readonly id: string;
  /** For `If-None-Match`. */
  readonly tag: string;
  /** Null: the caller has it. */
  readonly calendar: string | null;
}

type Known = (tag: string) => boolean;

const MOST_FEEDS = 10;
/** Asking again sooner does not help. */
const RETRY_SECONDS = 3_600;
/** Grows with every change of what the code makes of the same copies, or of what it keeps. */
const FORM = 1;
/** A student who reads all the time, or a script, would otherwise have it made all the time. */
const MADE_EVERY_MS = 5 * 60_000;
/** Two replicas that are polled at once may make the calendar at the same time: one of them starts again. */
const ATTEMPTS = 4;

/** Sealed with the feed, so that what was read is of this form. */
interface Kept {
  readonly form: string;
  readonly sources: FeedSources;
  readonly versions: Versions;
}

const form = `${FORM} ${sourceShapes}`;

/** Null for what another version of the service has kept, unless it only knew fewer kinds. */
const keptOf = ({ sources }: FeedContents): Kept | null => {
  const kept: Kept | null = sources === null ? null : JSON.parse(sources);
  return kept && `${form}.`.startsWith(`${kept.form}.`) ? kept : null;
};

interface CalendarFeedsDeps {
  /** Null: no copies are kept. */
  readonly store: FeedStore | null;
  /** Parts that the campus can fill; left out: all of them. */
  readonly offered?: readonly FeedPart[];
  readonly reads: Pick<Reads, 'lastCopy'>;
  readonly write: CalendarWriter;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly adjustments: Adjustments;
  readonly observer: Pick<ServiceObserver, 'feedPolled'>;
}

/**
 * Calendars that a student's calendar programs poll. They are made of copies: a poll never costs the campus a
 * request. All methods throw `feeds-off` where no copies are kept.
 */
export const createCalendarFeeds = (deps: CalendarFeedsDeps) => {
  const { store, offered = feedParts, reads, write, clock, timeZone, observer, adjustments } = deps;
  const heldOn = adjusting(adjustments);
  const notOffered = feedParts.filter((part) => !offered.includes(part));
  /** What makes another calendar of the same copies. The number grows with what `seen` is made of. */
  const rules = sha256(JSON.stringify([2, form, timeZone, adjustments, ...notOffered]));

  const polls = new PollLimit(clock);

  const kept = (): FeedStore => {
    if (store === null) throw new Failure('feeds-off', { retryAfterSeconds: RETRY_SECONDS });
    return store;
  };

  const loaded = async (store: FeedStore, secretHash: string): Promise<StoredFeed> => {
    const feed = await store.bySecret(secretHash);
    if (feed === null) throw new Failure('feed-unknown');
    return feed;
  };

  const answerTo = async (store: FeedStore, { stored, secret }: FoundFeed, isKnown: Known): Promise<Poll> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const feed = attempt === 1 ? stored : await loaded(store, sha256(secret));
      await notePoll(store, feed);
      const answer = (tag: string, calendar: string): Poll => ({
        id: feed.id,
        tag,
        calendar: isKnown(tag) ? null : calendar,
      });
      // Before any copy is opened: one that is replaced in between is looked at again when the calendar is next made.
      const outlines = isYoung(feed) ? null : await store.outlines(feed.userid, readsOf(feed.parts));
      const current = feed.tag !== '' && (outlines === null || seen(outlines, feed) === feed.seen);
      if (current && isKnown(feed.tag)) return { id: feed.id, tag: feed.tag, calendar: null };
      const contents = await store.contents(feed);
      if (current && contents.calendar !== null) return answer(feed.tag, contents.calendar);
      const found = outlines ?? (await store.outlines(feed.userid, readsOf(feed.parts)));
      const made = await make(store, feed, contents, found, secret);
      if (made !== null) return answer(made.tag, made.calendar);
    }
    throw new Failure('overloaded', { reason: 'calendar made by others each time' });
  };

  const isYoung = ({ madeAt }: StoredFeed): boolean => {
    const age = ageOf(madeAt, clock.now());
    return age !== null && age < MADE_EVERY_MS;
  };

  /** To the hour, and not before it was made: enough to see which feed is unused, for one write an hour. */
  const notePoll = async (store: FeedStore, { id, createdAt, polledAt }: StoredFeed): Promise<void> => {
    const at = Math.max(Math.floor(clock.now() / HOUR_MS) * HOUR_MS, createdAt);
    if (polledAt !== at) await store.polled(id, at);
  };

  /** A value that was read again counts by the day, which is what a calendar says of its age; in doubt by the moment. */
  const seen = (
    outlines: readonly CopyOutline[],
    { scheduleParams, inDoubt }: Pick<StoredFeed, 'scheduleParams' | 'inDoubt'>,
  ): string => {
    const used = outlines.filter((outline) => isMadeOf(scheduleParams, outline));
    const seen = used.map(({ read, params, digest, readAt }) => [
      read,
      params,
      digest,
      inDoubt ? readAt : campusDate(readAt, timeZone),
    ]);
    return sha256(JSON.stringify([rules, seen]));
  };

  /**
   * Names the calendar and nothing but it: after an older backup was restored, a number would come again for another
   * one. Keyed with the secret, of which storage has the hash, so that the calendar cannot be guessed there.
   */
  const tagOf = ({ id }: StoredFeed, secret: string, text: string): string =>
    `"${id}.${createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)}"`;

  /** Null when another call has changed the feed. */
  const make = async (
    store: FeedStore,
    feed: StoredFeed,
    contents: FeedContents,
    outlines: readonly CopyOutline[],
    secret: string,
  ): Promise<{ readonly calendar: string; readonly tag: string } | null> => {
    const now = clock.now();
    const before = keptOf(contents);
    const { scheduleParams, read } = await readingsOf(reads, feed.userid, feed.parts);
    const sources = nextSources(before?.sources ?? null, read, { now, timeZone });
    // A part without its data would take its events from every subscriber. What the campus does not offer any more will
    // not be read again: the other parts do not wait for it.
    if (feed.had.some((part) => sources[part] === null && !notOffered.includes(part))) {
      if (contents.calendar === null) {
        throw new Failure('feed-lost', { retryAfterSeconds: RETRY_SECONDS, reason: `feed ${feed.id}` });
      }
      return { calendar: contents.calendar, tag: tagOf(feed, secret, contents.calendar) };
    }
    const options = { timeZone, notOffered, heldOn, now };
    const { calendar, versions } = buildCalendar(feed, sources, before?.versions ?? null, options);
    const text = write(calendar);
    const revision = text === contents.calendar ? feed.revision : feed.revision + 1;
    const inDoubt = feedParts.some((part) => (sources[part]?.emptySince ?? null) !== null);
    const keeping: Kept = { form, sources, versions };
    const tag = tagOf(feed, secret, text);
    const stored = await store.update(feed, {
      seen: seen(outlines, { scheduleParams, inDoubt }),
      scheduleParams,
      tag,
      madeAt: now,
      revision,
      inDoubt,
      had: feed.parts.filter((part) => sources[part] !== null),
      calendar: text,
      sources: JSON.stringify(keeping),
    });
    return stored ? { calendar: text, tag } : null;
  };

  const counted = async <T>(poll: () => Promise<T>): Promise<T> => {
    try {
      return await poll();
    } catch (error) {
      observer.feedPolled(error instanceof Failure ? error.kind : 'internal');
      throw error;
    }
  };

  return {
    /** The secret is shown only once. @throws Failure `feed-limit` */
    async create(student: Student, wish: FeedWish): Promise<{ readonly feed: Feed; readonly secret: string }> {
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
    /** The oldest first. */
    list: async ({ userid }: Student): Promise<Feed[]> => kept().list(userid),
    /** @throws Failure `feed-unknown` */
    async revoke({ userid }: Student, id: string): Promise<void> {
      if (!(await kept().delete(userid, id))) throw new Failure('feed-unknown');
    },
    /** Counts the poll. @throws Failure `feed-unknown`, `rate-limited` {retryAfterSeconds} */
    find: (secret: string): Promise<FoundFeed> =>
      counted(async () => {
        const secretHash = sha256(secret);
        polls.again(secretHash);
        const stored = await loaded(kept(), secretHash);
        polls.found(secretHash);
        return { stored, secret };
      }),
    /**
     * `isKnown` tells whether the caller has the version of a tag.
     * @throws Failure `feed-unknown`; `feed-lost` while what its events were made of cannot be had
     */
    poll: (feed: FoundFeed, isKnown: Known): Promise<Poll> =>
      counted(async () => {
        const poll = await answerTo(kept(), feed, isKnown);
        observer.feedPolled(poll.calendar === null ? 'unchanged' : 'sent');
        return poll;
      }),
  };
};

export type CalendarFeeds = ReturnType<typeof createCalendarFeeds>;
