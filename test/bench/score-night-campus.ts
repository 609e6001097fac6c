import { startDemoCampus } from '../../src/demo/demo-campus.ts';

/** The demo campus of the score night, in a process of its own. */
const [students = '0', answerMs = '0'] = process.argv.slice(2);
const demo = await startDemoCampus();
for (let at = 0; at < Number(students); at += 1) {
  demo.addStudent({ userid: `night${at}`, password: 'bench', vpnPassword: 'bench' });
}

const commands: Readonly<Record<string, () => void>> = {
  /** From now on academics takes its time, and requests are counted. */
  begin: () => {
    demo.clearFaults();
    demo.fault({ system: 'jwc', fault: { kind: 'delay', ms: Number(answerMs) } });
    demo.resetRequests();
  },
  fail: () => void demo.fault({ system: 'jwc', fault: { kind: 'status', status: 503 } }),
  recover: () => {
    demo.clearFaults();
    demo.fault({ system: 'jwc', fault: { kind: 'delay', ms: Number(answerMs) } });
  },
  count: () => {},
};
process.on('message', (command) => {
  commands[String(command)]?.();
  process.send?.({ requests: demo.requests().length });
});
process.send?.({ wiring: demo.wiring });
// The parent hangs up when it has measured enough.
process.on('disconnect', () => process.exit());
