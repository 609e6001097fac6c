import { Failure } from '../domain/errors.ts';
import type { ThreadAnswer, ThreadQuestion } from './page-threads.ts';
import { readerAt } from './parsing/page-reader.ts';

/** The other thread: reads one page after the other. Errors leave as what may be logged of them, without page text. */
export const answerTo = async ({ place, text }: ThreadQuestion): Promise<ThreadAnswer> => {
  try {
    await import(place.module);
    return { kind: 'read', value: readerAt(place)(text) };
  } catch (error) {
    if (!(error instanceof Failure)) return { kind: 'broken', name: error instanceof Error ? error.name : 'unknown' };
    const { kind, system, reason, part, upstreamMessage } = error;
    return { kind: 'refused', failure: kind, details: { system, reason, part, upstreamMessage } };
  }
};
