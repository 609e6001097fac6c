import { startDemoCampus } from '../../src/demo/demo-campus.ts';

/** The demo campus in a separate process, so that what is measured beside it is the service alone. */
const [students = '0', courses = '0', waitSeconds = '0'] = process.argv.slice(2);
const demo = await startDemoCampus();
// Otherwise the first answer begins the term of today, and with it another list of courses to evaluate.
demo.switches.datesMove = false;
demo.switches.evaluationWaitSeconds = Number(waitSeconds);
const userids = Array.from({ length: Number(students) }, (_, at) => `bench${at}`);
for (const userid of userids) {
  demo.addStudent({ userid, password: 'bench', vpnPassword: 'bench' });
  demo.student(userid).setEvaluation(Number(courses));
}
process.on('message', () => {
  const stored = userids.flatMap((userid) =>
    demo
      .student(userid)
      .evaluations()
      .map((each) => each.stored),
  );
  process.send?.({
    once: stored.filter((times) => times === 1).length,
    more: stored.filter((times) => times > 1).length,
  });
});
process.send?.({ wiring: demo.wiring });
// The parent disconnects when it has measured enough.
process.on('disconnect', () => process.exit());
