import { parentPort, workerData } from 'node:worker_threads';
import type { AttackOrder } from './attack-thread.ts';
import { attacks, type Outcomes } from './attacks.ts';

const { name, order, startedAfter, atMost }: AttackOrder = workerData;
const outcomes: Outcomes = {};
let total = 0;
let over = false;
let announced = false;

const announce = () => {
  if (announced) return;
  announced = true;
  parentPort?.postMessage('under way');
};
parentPort?.once('message', () => {
  over = true;
});
// Attacks that only hold connections get few answers or none: they are under way when a second is over.
setTimeout(announce, 1_000);
await attacks[name]({
  order,
  going: () => !over && total < atMost,
  count: (outcome) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    total += 1;
    if (total >= startedAfter) announce();
  },
});
parentPort?.postMessage(outcomes);
