import type { Clock } from '../../lib/clock.ts';
import type { KeyedNames, TagOf } from '../../lib/keyed-names.ts';
import { readRows } from '../all-reads.ts';
import { copiesOf } from '../calendar/sources.ts';
import type { Log } from '../context.ts';
import { asFailure } from '../errors.ts';
import type { EventJournal, JournalEntry, NewEvent } from '../events/ports.ts';
import type { Reads } from '../reads/reads.ts';

/** A class of fewer who take part raises no signal: it could be told whose mark it was. */
const LEAST_MEMBERS = 5;
/** Hashes last for 60 days, and a term for longer: they are told again as long as the student takes part. */
const TOLD_MS = 20 * 86_400_000;
const LOOK_EVERY_MS = 10 * 60_000;
const MOST_AT_ONCE = 100;
/** Nor does one student alone. */
const LEAST_PUBLISHED = 2;

export interface ClassMarkStore {
  /** A hook of the student is on and takes part. */
  takesPart(userid: string): Promise<boolean>;
  /** Students behind `after` who take part, and whose classes were not told since `since`; by their ids. */
  untold(since: number, after: string, most: number): Promise<readonly string[]>;
  /** Of classes by their keyed names, from now on for 60 days. */
  join(userid: string, classes: readonly string[], now: number): Promise<void>;
  /**
   * The student has a mark in the class. Once `least.published` of at least `least.members` have one, gives the others
   * who take part, each once.
   */
  publish(
    userid: string,
    name: string,
    least: { readonly members: number; readonly published: number },
    now: number,
  ): Promise<readonly string[]>;
}

interface ClassSignalDeps {
  readonly store: ClassMarkStore;
  readonly journal: Pick<EventJournal, 'append' | 'onAppended'>;
  readonly reads: Pick<Reads, 'lastCopy'>;
  /** A student was told, and may be read. */
  readonly signalled: (userid: string) => Promise<void>;
  readonly names: KeyedNames;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
}

/** It identifies no one: not the course, not the class, not whose mark it was. */
const expected: NewEvent = {
  ...{ type: 'score.expected', readAt: null, about: {}, ask: '/jwc/score/current/list', detail: {} },
};

/** Sources write a term with or without its last part. */
const termOf = (code: string): string => code.split('-').slice(0, 3).join('-');

const isMark = ({ type, about }: JournalEntry): boolean => type === 'score.published' && about.part === 'score';
const changesClasses = ({ type }: JournalEntry): boolean => type === 'schedule.changed' || type === 'term.began';

/**
 * Students who have asked for it share that marks of a class are coming out, and nothing else. A hint that is lost with a
 * process is lost.
 */
export const startClassSignal = (deps: ClassSignalDeps) => {
  const { store, journal, reads, signalled, names, clock, log, tagOf } = deps;
  const running = new Set<Promise<void>>();
  const nameOf = (term = '', course = '', group = ''): string => names.one('class-signal', termOf(term), course, group);

  const begin = (userid: string, work: () => Promise<void>): void => {
    const done = work()
      .catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        const student = userid === '' ? null : tagOf(userid);
        log.warn({ student, failure: kind, reason }, 'class signal not processed');
      })
      .finally(() => running.delete(done));
    running.add(done);
  };

  const joinAll = async (userid: string): Promise<void> => {
    const copies = copiesOf(reads, userid);
    const term = await copies.term();
    const timetable = term && (await copies.last(readRows.schedule, [term.code]));
    if (!term || !timetable) return;
    const classes = timetable.value.courses.map(({ code, sequence }) => nameOf(term.code, code, sequence));
    await store.join(userid, [...new Set(classes)], clock.now());
  };

  const heard = async (userid: string, entries: readonly JournalEntry[]): Promise<void> => {
    if (!(await store.takesPart(userid))) return;
    await joinAll(userid);
    const others = new Set<string>();
    const least = { members: LEAST_MEMBERS, published: LEAST_PUBLISHED };
    for (const { about } of entries.filter(isMark)) {
      const name = nameOf(about.term_code, about.course_code, about.course_class);
      for (const other of await store.publish(userid, name, least, clock.now())) others.add(other);
    }
    for (const other of others) {
      await journal.append(other, [expected]);
      await signalled(other);
    }
  };

  let lookedAt = '';
  /** Has some of those take part again whose classes were told long ago, or could not be told. */
  const look = async (): Promise<void> => {
    const untold = await store.untold(clock.now() - TOLD_MS, lookedAt, MOST_AT_ONCE);
    for (const userid of untold) await joinAll(userid);
    // From the beginning again, once all were looked at.
    lookedAt = untold.length < MOST_AT_ONCE ? '' : (untold.at(-1) ?? '');
  };
  const timer = setInterval(() => begin('', look), LOOK_EVERY_MS);
  timer.unref();

  const stop = journal.onAppended((entries) => {
    const [first] = entries;
    if (first === undefined || !entries.some((entry) => isMark(entry) || changesClasses(entry))) return;
    begin(first.userid, () => heard(first.userid, entries));
  });

  /** Resolves once what was heard so far is done. */
  const quiet = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  return {
    /** The student takes part from now on. */
    join: (userid: string): void => begin(userid, () => joinAll(userid)),
    look,
    quiet,
    close(): Promise<void> {
      clearInterval(timer);
      stop();
      return quiet();
    },
  };
};
