import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { EventJournal, JournalPage } from './ports.ts';
import type { EventSink, EventStreams } from './streams.ts';

/** Change events of the student behind a token. All methods throw `feeds-off` where no copies are kept. */
export interface ChangeEvents {
  /** At most `limit` events behind `after`; null: from the oldest there is. */
  page(student: Student, after: number | null, limit: number): Promise<JournalPage>;
  /** Sends what follows `after` as it comes; see `EventStreams.add`. */
  stream(student: Student, after: number | null, sink: EventSink): Promise<() => void>;
  /** Ends all streams. */
  close(): void;
}

/** Nobody is helped by asking again sooner. */
const RETRY_SECONDS = 3_600;

interface ChangeEventsDeps {
  readonly journal: EventJournal;
  readonly streams: EventStreams;
  /** Without copies there is nothing that a change could be seen by. */
  readonly offered: boolean;
}

export const createChangeEvents = ({ journal, streams, offered }: ChangeEventsDeps): ChangeEvents => {
  const checkOffered = (): void => {
    if (!offered) throw new Failure('feeds-off', { retryAfterSeconds: RETRY_SECONDS });
  };
  return {
    async page({ userid }, after, limit) {
      checkOffered();
      return journal.page(userid, after, limit);
    },
    async stream(student, after, sink) {
      checkOffered();
      return streams.add(student, after, sink);
    },
    close: () => streams.close(),
  };
};
