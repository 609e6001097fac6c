import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchemas } from '../support/answer-schemas.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { asksCampus, callAsCase, nameOf } from './calls.ts';
import { runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

/** An academic system of several applications, each opened with a ticket of a unified login, held to the same rules. */
let world: FaultWorld;

beforeAll(async () => {
  world = await FaultWorld.start({ CAMPUS: 'demo-jinzhi' });
});

afterAll(() => world.close());

const isOneOf = (names: readonly string[], name: string) => names.includes(name);

it.each([
  ['a', ['POST /api/v1/user/login', 'POST /api/v1/jwc/fetch_course_schedule', 'POST /api/v1/jwc/fetch_exam_info']],
  ['b', ['GET /jwc/term/all', 'GET /jwc/score/all', 'GET /jwc/exam/info', 'GET /jwc/schedule/{term_code}/table']],
] as const)(
  'the operations of surface %s that ask it answer as they must under every fault',
  async (surface, some) => {
    // Of surface A, whose reads are those of surface B, a few.
    const isWanted = (each: DocumentedOperation) =>
      asksCampus(each) && (surface === 'b' || isOneOf(some, nameOf(each)));
    const { operations, problems } = await runMatrix(world, surface, isWanted);
    expect(problems).toEqual([]);
    expect(operations.map(({ operation }) => operation)).toEqual(expect.arrayContaining([...some]));
    const places = operations.flatMap(({ rows }) => rows.map(({ place }) => place));
    expect(new Set(places)).toEqual(new Set(['application', 'unified login']));
  },
  300_000,
);

/** The requests that a student with a session costs the campus, below `/jwapp/sys`. */
const lists = '/wdkb/modules/jshkcb';
const tables = '/wdkb/modules/xskcb';
const scores = ['/cjcx/modules/cjcx/xscjcx.do'];
const warm: Readonly<Record<string, readonly string[]>> = {
  // The session knows the current term for an hour.
  'GET /jwc/term/all': [`${lists}/xnxqcx.do`],
  // Its first day is the same for all students, and known.
  'GET /jwc/term/current': [`${lists}/dqxnxq.do`],
  'GET /jwc/score/{term_code}/list': scores,
  'GET /jwc/score/current/list': scores,
  'GET /jwc/score/all': scores,
  'GET /jwc/schedule/{term_code}/table': [`${tables}/cxxszhxqkb.do`, `${tables}/xsdkkc.do`, `${tables}/cxxsllsywpk.do`],
  'GET /jwc/exam/info': ['/studentWdksapApp/modules/wdksap/wdksap.do'],
};

it('is asked no more than it takes', async () => {
  const student = await world.registered();
  const found: Record<string, readonly string[]> = {};
  for (const operation of answerSchemas(world.gateway.app).operations.filter((each) => nameOf(each) in warm)) {
    world.allOver();
    await callAsCase(world, operation, student);
    world.clock.advance(1_000);
    const { requests } = await callAsCase(world, operation, student);
    found[nameOf(operation)] = requests.map(({ path }) => path.replace('/jwapp/sys', ''));
  }
  expect(found).toEqual(warm);
});
