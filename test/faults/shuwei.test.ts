import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchemas } from '../support/answer-schemas.ts';
import { asksCampus, callAsCase, nameOf } from './calls.ts';
import { runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

/** A campus of one half: an academic system with a login of its own, held to the rules of the first one. */
let world: FaultWorld;

beforeAll(async () => {
  world = await FaultWorld.start({ CAMPUS: 'demo-shuwei' });
});

afterAll(() => world.close());

it('the operations of surface b that ask it answer as they must under every fault', async () => {
  const { operations, problems } = await runMatrix(world, 'b', asksCampus);
  expect(problems).toEqual([]);
  expect(operations.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['GET /jwc/term/all', 'GET /jwc/score/all', 'GET /jwc/exam/info']),
  );
}, 300_000);

/** The requests that a student with a session costs the campus, below `/student`. */
const table = '/for-std/course-table';
const terms = [`${table}/info/*`];
const warm: Readonly<Record<string, readonly string[]>> = {
  'GET /jwc/term/all': terms,
  'GET /jwc/term/current': terms,
  'GET /jwc/score/{term_code}/list': ['/for-std/grade/sheet/info/*'],
  'GET /jwc/score/all': ['/for-std/grade/sheet/info/*'],
  'GET /jwc/schedule/{term_code}/table': [`${table}/semester/*/print-data`],
};

it('is asked no more than it takes', async () => {
  const student = await world.registered();
  const found: Record<string, readonly string[]> = {};
  for (const operation of answerSchemas(world.gateway.app).operations.filter((each) => nameOf(each) in warm)) {
    world.allOver();
    await callAsCase(world, operation, student);
    world.clock.advance(1_000);
    const { requests } = await callAsCase(world, operation, student);
    found[nameOf(operation)] = requests.map(({ path }) =>
      path.replace('/student', '').replace(/(?<=\/)\d+(?=\/|$)/g, '*'),
    );
  }
  expect(found).toEqual(warm);
});
