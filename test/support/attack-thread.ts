import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AttackName, Order, Outcomes } from './attacks.ts';

export interface AttackOrder {
  readonly name: AttackName;
  readonly order: Order;
  /** Answers after which the attack counts as under way. */
  readonly startedAfter: number;
  /** Answers after which it ends by itself. */
  readonly atMost: number;
}

/** An attack in its own thread, so that its work is not measured as that of whom it attacks or of who measures. */
export const startAttack = async (order: AttackOrder): Promise<{ stop(): Promise<Outcomes> }> => {
  const worker = new Worker(new URL('./attack-thread-main.ts', import.meta.url), { execArgv: [], workerData: order });
  await once(worker, 'message');
  const ended = once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [outcomes] = await ended;
      await worker.terminate();
      return outcomes;
    },
  };
};
