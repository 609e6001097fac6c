import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { randomToken, sha256 } from '../../lib/hash.ts';
import { type Clock, campusDate, HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { Student } from '../context.ts';
import { failures, isFailure } from '../errors.ts';
import { limits, WindowCounter } from '../limits.ts';
import type { ServiceObserver } from '../observation.ts';
import type { Reads } from '../reads/reads.ts';
import { buildCalendar } from './build.ts';
import { contentsForm, contentsOf, type FeedContents } from './contents.ts';
import {
  type CopyOutline,
  type Feed,
  type FeedPart,
  type FeedRequest,
  type FeedStore,
  feedParts,
  isMadeOf,
  nextSources,
  readingsOf,
  readsOf,
  type StoredFeed,
} from './kinds.ts';
import { type Adjustments, adjustDays, type CalendarWriter, type DayOfClasses } from './types.ts';

/** Feeds whose polls a process counts; the one not polled for longest is forgotten. */
const COUNTED = 50_000;

export interface FoundFeed {
  readonly stored: StoredFeed;
  readonly secret: string;
}

export interface Poll {
  readonly id: string;
  /** Compared with `If-None-Match`. */
  readonly tag: string;
  /** Null: the caller has it. */
  readonly calendar: string | null;
}

const MOST_FEEDS = 10;
const RETRY_SECONDS = 3_600;
/** A script that reads all the time would otherwise have it made all the time. */
const MADE_EVERY_MS = 5 * MINUTE_MS;
/** Two replicas may make the calendar at the same time: one of them starts again. */
const ATTEMPTS = 4;
/** Characters of calendars that one process caches. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

interface Rendered {
  readonly tag: string;
  readonly calendar: string;
  /** Digest of its copies and of the rules. */
  readonly seen: string;
  /** An empty reading waits for a second one that agrees. */
  readonly inDoubt: boolean;
  readonly scheduleParams: string;
  /** Revision of the feed. */
  readonly revision: number;
  /** On the monotonic clock. */
  readonly madeAt: number;
}

interface CalendarFeedsDeps {
  /** Null: no copies are stored. */
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
 * Calendars that programs of a student poll, made of copies alone. A calendar is rendered once for each change and process;
 * its sources and the last version of each event are stored. All methods throw `feeds-off` where no copies are stored.
 */
export class FeedService {
  readonly #deps: CalendarFeedsDeps;
  /** Keyed by the hash of the secret, so that refusing a poll costs no storage access. */
  readonly #polls: WindowCounter;
  readonly #heldOn: DayOfClasses;
  readonly #notOffered: readonly FeedPart[];
  /** Changes when the same copies make another calendar. */
  readonly #rules: string;
  readonly #made = new LRUCache<string, Rendered>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ calendar }) => calendar.length,
  });

  constructor(deps: CalendarFeedsDeps) {
    const { offered = feedParts, timeZone, adjustments, clock } = deps;
    this.#deps = deps;
    this.#polls = new WindowCounter(clock, limits.feedPolls, limits.feedPolls.most, COUNTED);
    this.#heldOn = adjustDays(adjustments);
    this.#notOffered = feedParts.filter((part) => !offered.includes(part));
    this.#rules = sha256(JSON.stringify([2, contentsForm, timeZone, adjustments, ...this.#notOffered]));
  }

  /** The secret is shown only once. @throws Failure `feed-limit` */
  async create(student: Student, request: FeedRequest): Promise<{ readonly feed: Feed; readonly secret: string }> {
    const secret = randomToken();
    const parts = feedParts.filter((part) => request.parts.includes(part));
    const id = sha256(randomToken()).slice(0, 16);
    const feed: Feed = { ...request, parts, id, createdAt: this.#deps.clock.now(), polledAt: null };
    const entry = { ...feed, userid: student.userid, secretHash: sha256(secret) };
    const outcome = await this.#store.create(entry, MOST_FEEDS);
    if (outcome === 'too-many') throw failures.feedLimit();
    if (outcome === 'user-gone') throw failures.tokenUserGone();
    return { feed, secret };
  }

  async list({ userid }: Student): Promise<Feed[]> {
    return this.#store.list(userid);
  }

  /** @throws Failure `feed-unknown` */
  async revoke({ userid }: Student, id: string): Promise<void> {
    if (!(await this.#store.delete(userid, id))) throw failures.feedUnknown();
    this.#made.delete(id);
  }

  /** Counts the poll. @throws Failure `feed-unknown`, `rate-limited` {retryAfterSeconds} */
  find(secret: string): Promise<FoundFeed> {
    return this.#count(async () => {
      const secretHash = sha256(secret);
      this.#polls.check(secretHash);
      const stored = await this.#load(secretHash);
      // Others may have been counted since. Guesses are not: they would push out real feeds.
      this.#polls.check(secretHash);
      this.#polls.count(secretHash);
      return { stored, secret };
    });
  }

  /**
   * `isKnown` tells whether the caller has the version of a tag.
   * @throws Failure `feed-unknown`; `feed-lost` while the copies of its events cannot be had
   */
  poll(feed: FoundFeed, isKnown: (tag: string) => boolean): Promise<Poll> {
    return this.#count(async () => {
      const { id } = feed.stored;
      const { tag, calendar } = await this.#renderCurrent(feed);
      const poll = { id, tag, calendar: isKnown(tag) ? null : calendar };
      this.#deps.observer.feedPolled(poll.calendar === null ? 'unchanged' : 'sent');
      return poll;
    });
  }

  get #store(): FeedStore {
    const { store } = this.#deps;
    if (store === null) throw failures.feedsOff(RETRY_SECONDS);
    return store;
  }

  async #count<T>(poll: () => Promise<T>): Promise<T> {
    try {
      return await poll();
    } catch (error) {
      this.#deps.observer.feedPolled(isFailure(error) ? error.kind : 'internal');
      throw error;
    }
  }

  async #load(secretHash: string): Promise<StoredFeed> {
    const feed = await this.#store.bySecret(secretHash);
    if (feed === null) throw failures.feedUnknown();
    return feed;
  }

  async #renderCurrent({ stored, secret }: FoundFeed): Promise<Rendered> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const feed = attempt === 1 ? stored : await this.#load(sha256(secret));
      await this.#notePoll(feed);
      const last = this.#made.get(feed.id);
      const made = last?.revision === feed.revision ? last : null;
      if (made && this.#deps.clock.monotonic() - made.madeAt < MADE_EVERY_MS) return made;
      // Looked at before any copy is opened: one that is replaced in between is seen the next time.
      const outlines = await this.#store.outlines(feed.userid, readsOf(feed.parts));
      if (made && this.#readSeen(outlines, made) === made.seen) return made;
      const next = await this.#make(feed, outlines, secret);
      if (next === null) continue;
      this.#made.set(feed.id, next);
      return next;
    }
    throw failures.overloaded(undefined, 'calendar made by others each time');
  }

  /** Rounds down to the hour, but not to before the feed was made: one write an hour is enough to show unused feeds. */
  async #notePoll({ id, createdAt, polledAt }: StoredFeed): Promise<void> {
    const at = Math.max(Math.floor(this.#deps.clock.now() / HOUR_MS) * HOUR_MS, createdAt);
    if (polledAt !== at) await this.#store.notePoll(id, at);
  }

  /** A value that was read again counts by the day, as a calendar states its age; in doubt by the moment. */
  #readSeen(
    outlines: readonly CopyOutline[],
    { scheduleParams, inDoubt }: Pick<Rendered, 'scheduleParams' | 'inDoubt'>,
  ): string {
    const used = outlines.filter((outline) => isMadeOf(scheduleParams, outline));
    const seen = used.map(({ read, params, digest, readAt }) => [
      read,
      params,
      digest,
      inDoubt ? readAt : campusDate(readAt, this.#deps.timeZone),
    ]);
    return sha256(JSON.stringify([this.#rules, seen]));
  }

  /** Null when another call has changed the feed. */
  async #make(feed: StoredFeed, outlines: readonly CopyOutline[], secret: string): Promise<Rendered | null> {
    const { reads, clock, timeZone, write } = this.#deps;
    const now = clock.now();
    const text = await this.#store.contents(feed);
    const before = contentsOf(text);
    const { scheduleParams, read } = await readingsOf(reads, feed.userid, feed.parts);
    const sources = nextSources(before?.sources ?? null, read, { now, timeZone });
    // A part without its data would take its events from every subscriber. One that the campus no longer offers will not
    // be read again, and the others do not wait for it.
    if (feed.had.some((part) => sources[part] === null && !this.#notOffered.includes(part)))
      throw failures.feedLost(RETRY_SECONDS, `feed ${feed.id}`);
    const options = { timeZone, notOffered: this.#notOffered, heldOn: this.#heldOn, now };
    const { calendar, versions } = buildCalendar(feed, sources, before?.versions ?? null, options);
    const rendered = write(calendar);
    const inDoubt = feedParts.some((part) => (sources[part]?.emptySince ?? null) !== null);
    const update = {
      scheduleParams,
      had: feed.parts.filter((part) => sources[part] !== null),
      contents: JSON.stringify({ form: contentsForm, sources, versions } satisfies FeedContents),
    };
    const isStored = update.contents === text && scheduleParams === feed.scheduleParams;
    if (!isStored && !(await this.#store.update(feed, update))) return null;
    return {
      tag: entityTagOf(feed, secret, rendered),
      calendar: rendered,
      seen: this.#readSeen(outlines, { scheduleParams, inDoubt }),
      inDoubt,
      scheduleParams,
      revision: isStored ? feed.revision : feed.revision + 1,
      madeAt: clock.monotonic(),
    };
  }
}

/** Keyed with the secret, of which storage has the hash alone, so that the calendar cannot be guessed from its tag. */
const entityTagOf = ({ id }: StoredFeed, secret: string, text: string): string =>
  `"${id}.${createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)}"`;

export type CalendarFeeds = Pick<FeedService, keyof FeedService>;
