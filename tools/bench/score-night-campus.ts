import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { useridOf } from './enrolled.ts';

/** How academics behaves from now on; neither: as before. */
export interface NightOrder {
  readonly delayMs?: number;
  readonly status?: number;
  /** Requests are counted from here. */
  readonly resets?: boolean;
}

/** The demo campus of the score night, in a separate process: obeys orders, and says how many requests there were. */
const [students = '0'] = process.argv.slice(2);
const demo = await startDemoCampus();
for (let at = 0; at < Number(students); at += 1) {
  demo.addStudent({ userid: useridOf(at), password: 'bench', vpnPassword: 'bench' });
}
process.on('message', ({ delayMs, status, resets }: NightOrder) => {
  if (delayMs !== undefined) demo.clearFaults();
  if (delayMs !== undefined) demo.fault({ system: 'jwc', fault: { kind: 'delay', ms: delayMs } });
  if (status !== undefined) demo.fault({ system: 'jwc', fault: { kind: 'status', status } });
  if (resets) demo.resetRequests();
  process.send?.({ requests: demo.requests().length });
});
process.send?.({ wiring: demo.wiring });
// The parent disconnects when it has measured enough.
process.on('disconnect', () => process.exit());
