import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvaluationClient } from '../../src/campus/products/urp/evaluation-client.ts';
import { silentLog } from '../../src/domain/context.ts';
import { builtInPools } from '../../src/domain/evaluation/answers.ts';
import { RunningEvaluation } from '../../src/domain/evaluation/evaluation.ts';
import type { EvaluationPlan } from '../../src/domain/evaluation/task.ts';
import { type CampusRig, callContext, first, startCampusRig } from '../support/campus-rig.ts';
import { uncounted, until } from '../support/evaluation-rig.ts';
import { MortalProcess } from '../support/mortal-process.ts';

/** With three of them, courses overlap in every way; where they follow each other two show the same. */
const COURSES = 3;
const FEWER = 2;
let rig: CampusRig;
beforeAll(async () => {
  rig = await startCampusRig();
  rig.demo.switches.portalIdleSeconds = 1_000_000;
  await rig.enroll(first);
});
afterAll(() => rig.close());

let processes = 0;
const startProcess = (plan: EvaluationPlan, life = new MortalProcess()): RunningEvaluation => {
  processes += 1;
  return new RunningEvaluation({
    tagOf: (userid) => `tag of ${userid}`,
    campus: life.campus(createEvaluationClient({ sessions: rig.sessions })),
    writes: uncounted,
    store: life.store(rig.storage.evaluation),
    clock: life.clock(rig.clock),
    log: silentLog,
    random: () => 0.5,
    owner: `process ${processes}`,
    isAlone: () => false,
    settings: {
      plan,
      timing: { waitMs: 5_000, pauseMs: 1_000, openEveryMs: 1_000 },
      maxRunning: 10,
      pools: builtInPools,
      callMs: 10_000,
    },
  });
};

/** Until a student who looks again and again sees that nothing runs any more. */
const over = (process: RunningEvaluation): Promise<void> =>
  until(
    rig.clock,
    () => 1 + process.running,
    async () => !['running', 'initializing'].includes((await process.status(first))?.status ?? ''),
  );

/**
 * Runs until the process dies at its `moment`; a minute later its student begins again at another one, as long as courses
 * are left. False: it lived to the end.
 */
const runAndDie = async (plan: EvaluationPlan, moment: number, courses: number): Promise<boolean> => {
  rig.demo.student(first.userid).setEvaluation(courses);
  const life = new MortalProcess();
  const before = startProcess(plan, life);
  expect((await before.initialize(first, callContext())).kind).toBe('loaded');
  expect(await before.start(first)).toEqual({ accepted: true, status: 'running' });
  life.dieAt(moment);
  await until(
    rig.clock,
    () => 1 + before.running,
    () => life.dead || before.running === 0,
  );
  if (!life.dead) {
    await before.close();
    return false;
  }
  const next = startProcess(plan);
  await over(next);
  const interrupted = await next.status(first);
  const evaluationsOf = () => rig.demo.student(first.userid).evaluations();
  const told = `killed at moment ${moment}: ${JSON.stringify({ ...interrupted, courses: [] })} ${JSON.stringify(evaluationsOf())}`;
  const unknown = (interrupted?.failed ?? []).filter(({ fault }) => fault === 'interrupted').length;
  if (interrupted?.status !== 'completed') {
    expect(interrupted, told).toMatchObject({ status: 'failed', fault: 'interrupted' });
    // Every course stored at the campus is counted, or is the one whose outcome is unknown.
    const stored = evaluationsOf().filter(({ done }) => done).length;
    const success = interrupted?.successCount ?? 0;
    expect(stored >= success && stored <= success + unknown, told).toBe(true);
    await next.initialize(first, callContext());
    await next.start(first);
    await over(next);
    expect(await next.status(first), told).toMatchObject({ pending: 0 });
  }
  for (const { stored = 0 } of evaluationsOf()) expect(stored, told).toBe(1);
  await next.close();
  return true;
};

describe('a process that ends', () => {
  it.each([
    ['overlapped', COURSES],
    ['sequential', FEWER],
  ] as const)(
    'by kill at any moment of a run (%s) has it fail, and no course is sent twice when its student begins again',
    async (plan, courses) => {
      let moment = 1;
      while (await runAndDie(plan, moment, courses)) {
        for (const { received } of rig.demo.student(first.userid).evaluations())
          expect(received).toBeLessThanOrEqual(1);
        moment += 1;
      }
      expect(moment).toBeGreaterThan(10 * courses);
    },
    120_000,
  );

  it('by kill at any moment of a run that falls back repeats no more than the refused submission', async () => {
    rig.demo.switches.evaluationClock = 'session';
    let moment = 1;
    while (await runAndDie('overlapped', moment, FEWER)) {
      const received = rig.demo
        .student(first.userid)
        .evaluations()
        .map((each) => each.received);
      expect(received[0]).toBeLessThanOrEqual(2);
      expect(Math.max(...received.slice(1))).toBeLessThanOrEqual(1);
      moment += 1;
    }
    rig.demo.switches.evaluationClock = 'page';
    expect(moment).toBeGreaterThan(10 * FEWER);
  }, 120_000);

  it('by kill while it initializes leaves a task that says so and may be initialized again', async () => {
    for (const moment of [1, 2, 3, 4]) {
      rig.demo.student(first.userid).setEvaluation(COURSES);
      const life = new MortalProcess();
      const before = startProcess('overlapped', life);
      // The task itself is stored first; the season and the list follow.
      life.dieAt(2 + moment);
      // The caller is gone; the call's deadline ends it long after.
      before.initialize(first, callContext()).catch(() => {});
      await until(
        rig.clock,
        () => 1,
        () => life.dead,
      );
      const next = startProcess('overlapped');
      await over(next);
      expect(await next.status(first)).toMatchObject({ status: 'failed', fault: 'interrupted' });
      expect((await next.initialize(first, callContext())).kind).toBe('loaded');
      await next.close();
    }
  });
});
