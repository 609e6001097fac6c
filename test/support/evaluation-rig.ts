import { expect } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import type { Writes } from '../../src/domain/reads/writes.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { first } from './campus-rig.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from './gateway-rig.ts';
import { ManualClock } from './manual-clock.ts';

const page = 'jwc POST /student/teachingEvaluation/teachingEvaluation/evaluationPage';
const submission = 'jwc POST /student/teachingEvaluation/teachingEvaluation/assessment';
const list = 'jwc POST /student/teachingEvaluation/teachingEvaluation/search';
const index = 'jwc GET /student/teachingEvaluation/evaluation/index';

/** Sends writes without ending the freshness of anything. */
export const uncounted: Pick<Writes, 'during'> = {
  during: (_student, _application, _context, send) => send(),
};

export const evaluationPaths = {
  page: page.slice('jwc POST '.length),
  submission: submission.slice('jwc POST '.length),
  list: list.slice('jwc POST '.length),
  index: index.slice('jwc GET '.length),
};

/** Of one look at sockets and database; enough of them let a hanging request be overtaken by time. */
const LOOKS = 60;
const look = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Requests at the campus by kind. */
export interface EvaluationCounts {
  readonly page: number;
  readonly submission: number;
  readonly list: number;
  readonly index: number;
  readonly other: string[];
}

export const countsOf = (wire: readonly string[]): EvaluationCounts => {
  const of = (line: string) => wire.filter((each) => each === line).length;
  return {
    page: of(page),
    submission: of(submission),
    list: of(list),
    index: of(index),
    other: wire.filter((line) => ![page, submission, list, index].includes(line)),
  };
};

/**
 * Moves time in steps until `done`, each step only when every run rests: `resting` are the waits of the clock when
 * nothing is on its way, fewer mean that a request or a write is. `turn` lets what is on its way go on; without sockets
 * one of the event loop is enough. Fails after an hour of that time.
 */
export const until = async (
  clock: ManualClock,
  resting: () => number,
  done: () => boolean | Promise<boolean>,
  { stepMs = 1_000, turn = look }: { readonly stepMs?: number; readonly turn?: () => Promise<void> } = {},
): Promise<void> => {
  const end = clock.now() + 3_600_000;
  const rest = async (): Promise<void> => {
    await turn();
    for (let looks = 1; looks < LOOKS && clock.waiting < resting(); looks += 1) await turn();
  };
  await rest();
  while (!(await done())) {
    if (clock.now() > end) throw new Error('what was waited for did not happen');
    clock.advance(stepMs);
    await rest();
  }
};

export interface EvaluationRig {
  readonly clock: ManualClock;
  readonly demo: DemoCampus;
  readonly gateway: Gateway;
  readonly token: string;
  call(operation: string, token?: string): Promise<Answer>;
  /** Initializes and starts. */
  begin(token?: string): Promise<void>;
  /** `data` of status. */
  status(token?: string): Promise<Answer['body']>;
  /** Moves time until `done`. */
  until(done: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>;
  /** Moves time until no run is at work; gives the last status. */
  finished(token?: string): Promise<Answer['body']>;
  /** The answer to a call that needs time to pass. */
  answered(call: Promise<Answer>): Promise<Answer>;
  /** Requests at the campus since registration. */
  counts(userid?: string): EvaluationCounts;
  close(): Promise<void>;
}

/** The whole service over real sockets, on a clock that the test moves: 40 s of wait, a campus that wants 30. */
export const startEvaluationRig = async ({
  courses = 7,
  ...options
}: GatewayOptions & { courses?: number } = {}): Promise<EvaluationRig> => {
  const clock = new ManualClock();
  const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  demo.switches.evaluationWaitSeconds = 30;
  // The runs of these tests outlast what an untouched portal session would.
  demo.switches.portalIdleSeconds = 100_000;
  demo.student(first.userid).setEvaluation(courses);
  const env = {
    EVALUATION_WAIT_SECONDS: '40',
    EVALUATION_OPEN_EVERY_SECONDS: '6',
    ...options.env,
  };
  // The pause before a read is repeated is over at once; the clock stands still.
  const gateway = await startGateway({ ...options, clock: clock.skipping(300), demo, env });
  const token = await gateway.register(first);
  demo.resetRequests();
  const { evaluation } = gateway.services;
  /** The watch over the runs waits, and so does every run between two of its steps. */
  const resting = (): number => 1 + evaluation.running;
  const rig: EvaluationRig = {
    clock,
    demo,
    gateway,
    token,
    call: (operation, own = token) => gateway.a(`/jwc/evaluation/${operation}`, { token: own }),
    async begin(own = token) {
      expect((await rig.call('initialize', own)).body).toMatchObject({ code: 200 });
      const started = await rig.call('start', own);
      expect(started.body).toEqual({ code: 200, message: '任务已启动', data: { task_status: 'running' } });
    },
    async status(own = token) {
      const answer = await rig.call('status', own);
      expect([answer.status, answer.body.code], answer.text).toEqual([200, 200]);
      return answer.body.data;
    },
    until: (done, stepMs) => until(clock, resting, done, stepMs === undefined ? {} : { stepMs }),
    async finished(own = token) {
      await rig.until(() => evaluation.running === 0);
      return rig.status(own);
    },
    async answered(call) {
      let isOpen = true;
      const answer = call.finally(() => {
        isOpen = false;
      });
      await rig.until(() => !isOpen, 100);
      return answer;
    },
    counts: (userid) => countsOf(gateway.wire(userid)),
    async close() {
      await gateway.close();
      await demo.close();
    },
  };
  return rig;
};

/** Each course was stored at the campus exactly once. */
export const expectAllStoredOnce = (demo: DemoCampus, userid = first.userid): void => {
  const evaluations = demo.student(userid).evaluations();
  expect(evaluations.map(({ stored, done }) => [stored, done])).toEqual(evaluations.map(() => [1, true]));
};
