import { firstCourse, type Input } from '../faults/inputs.ts';
import type { Student } from '../faults/world.ts';
import { record, type Subject, validCall } from './call.ts';
import type { Recorded } from './recorded.ts';
import type { GoldenWorld } from './world.ts';

type Step = (world: GoldenWorld, student: Student) => Promise<unknown>;

const does =
  (operation: string): Step =>
  (world, { token }) =>
    world.drive(world.gateway.a(`/jwc/evaluation/${operation}`, { token }));

const passes =
  (ms: number): Step =>
  (world) =>
    world.idle(ms);

const courses =
  (count: number, refused: readonly number[] = []): Step =>
  async (world, { userid }) =>
    world.gateway.demo.student(userid).setEvaluation(count, { refused });

const season =
  (open: boolean): Step =>
  async (world) => {
    world.gateway.demo.switches.evaluationOpen = open;
  };

const trouble =
  (path: string): Step =>
  async (world) => {
    world.gateway.demo.fault({ system: 'jwc', path, fault: { kind: 'status', status: 500 } });
  };

const evaluation = '/student/teachingEvaluation/teachingEvaluation';
const ready = [courses(2), does('initialize')];
const running = [...ready, does('start')];
/** More than two courses can take. */
const RUN_MS = 600_000;

/** How a task came to be what it is when the call meets it. What its way sent to the campus is recorded as well. */
const ways: ReadonlyArray<readonly [name: string, steps: readonly Step[]]> = [
  ['no task', []],
  ['a list of two', ready],
  ['a list with nothing to do', [courses(0), does('initialize')]],
  ['no season', [season(false), does('initialize')]],
  ['an unreadable list', [courses(2), trouble(`${evaluation}/search`), does('initialize')]],
  ['just started', running],
  ['at work for a minute', [...running, passes(60_000)]],
  ['ended', [...running, passes(RUN_MS)]],
  ['ended, one course refused', [courses(2, [1]), does('initialize'), does('start'), passes(RUN_MS)]],
  ['ended, no questionnaire opens', [...running, trouble(`${evaluation}/evaluationPage`), passes(RUN_MS)]],
  ['ended, no submission answered', [...running, trouble(`${evaluation}/assessment`), passes(RUN_MS)]],
  ['stopped', [...running, passes(60_000), does('terminate'), passes(RUN_MS)]],
  ['stopped and begun anew', [...running, passes(60_000), does('terminate'), ...ready]],
];

/** Where each way differs: beginning a task, and its state. Of the others every state that they tell apart. */
const allWays = /\/(?:courses|initialize|start|status)$/;
const usualWays: ReadonlySet<string> = new Set([
  'no task',
  'a list of two',
  'ended',
  'stopped',
  'stopped and begun anew',
]);

/** Calls that name a course: the first of those that the ways set up. */
const inputs: Readonly<Record<string, Input>> = {
  'GET /jwc/evaluation/preview': { query: `?course_key=${firstCourse}` },
  'PUT /jwc/evaluation/preview': { body: { course_key: firstCourse, answers: { ratings: [], comments: [] } } },
  'POST /jwc/evaluation/start': { body: { exclude: [firstCourse] } },
};

/** The operations of the evaluation task in every state of it. */
export const taskCases = async (subject: Subject): Promise<Recorded[]> => {
  const { world, operation } = subject;
  if (!operation.path.includes('/evaluation/')) return [];
  const recorded: Recorded[] = [];
  for (const [name, steps] of ways) {
    if (!allWays.test(operation.path) && !usualWays.has(name)) continue;
    await world.nextSlot();
    const student = await world.registered();
    const input = inputs[`${operation.method.toUpperCase()} ${operation.path}`] ?? {};
    const call = await validCall({ ...subject, given: { system: 'jwc', input: () => input }, student });
    world.traffic.reset();
    const before: string[] = [];
    for (const step of steps) {
      await step(world, student);
      before.push(...world.traffic.lines());
      world.traffic.reset();
    }
    const { answer, campus } = await record(world, name, call);
    recorded.push({ name: `task: ${name}`, answer, campus: [...before, 'the call:', ...campus] });
    world.gateway.demo.clearFaults();
    world.gateway.demo.switches.evaluationOpen = true;
    await does('terminate')(world, student);
    await world.drain();
  }
  return recorded;
};
