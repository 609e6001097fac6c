import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { benchStudents } from './load.ts';

/** A demo campus in a separate process. Told a number of milliseconds, it answers the measured page only after them. */
const demo = await startDemoCampus();
for (const student of benchStudents) demo.addStudent(student);
process.on('message', (ms) => {
  demo.fault({ system: 'jwc', path: '/main/academicInfo', fault: { kind: 'delay', ms: Number(ms) } });
  process.send?.('slow');
});
process.send?.(demo.wiring);
// The parent disconnects when it has measured enough.
process.on('disconnect', () => process.exit());
