import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DemoWiring } from '../../src/demo/types.ts';
import { isNotice, type Student } from './campus-thread-messages.ts';
import { wiringEnv } from './wiring-env.ts';

export interface CampusThread {
  readonly wiring: DemoWiring;
  /** The gateway's settings that lead to this campus. */
  readonly env: Record<string, string>;
  admit(students: readonly Student[]): Promise<void>;
  close(): Promise<void>;
}

/** A demo campus in its own thread, so that neither its memory nor its sockets are counted as the gateway's. */
export const startCampusThread = async (): Promise<CampusThread> => {
  const worker = new Worker(new URL('./campus-thread-main.ts', import.meta.url), { execArgv: [] });
  const next = async () => {
    const [notice]: unknown[] = await once(worker, 'message');
    if (!isNotice(notice)) throw new Error('an unknown message from the campus thread');
    return notice;
  };
  const started = await next();
  if (started.kind !== 'listening') throw new Error('the campus thread does not listen');
  return {
    wiring: started.wiring,
    env: wiringEnv(started.wiring),
    async admit(students) {
      const admitted = next();
      worker.postMessage(students);
      await admitted;
    },
    close: async () => void (await worker.terminate()),
  };
};
