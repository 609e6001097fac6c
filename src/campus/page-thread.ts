import { parentPort } from 'node:worker_threads';
import { Failure } from '../domain/errors.ts';
import { pageReaders } from './page-readers.ts';
import type { ThreadAnswer, ThreadQuestion } from './page-threads.ts';

/** The other thread: reads one page after the other. Errors leave as what may be logged of them, without page text. */
const answerTo = ({ name, text }: ThreadQuestion): ThreadAnswer => {
  try {
    return { kind: 'read', value: pageReaders[name]?.(text) };
  } catch (error) {
    if (!(error instanceof Failure)) return { kind: 'broken', name: error instanceof Error ? error.name : 'unknown' };
    const { kind, system, reason, part, upstreamMessage } = error;
    return { kind: 'refused', failure: kind, details: { system, reason, part, upstreamMessage } };
  }
};

parentPort?.on('message', (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));
