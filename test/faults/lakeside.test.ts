import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchemas } from '../support/answer-schemas.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { asksCampus, callAsCase, caseOf, nameOf } from './calls.ts';
import { faultCases } from './cases.ts';
import { runMatrix } from './matrix.ts';
import { FaultWorld, type Student } from './world.ts';

/** The second demo campus, held to the rules of the first one. */
let world: FaultWorld;

beforeAll(async () => {
  world = await FaultWorld.start({ CAMPUS: 'demo-lakeside' });
});

afterAll(() => world.close());

const offered = () => answerSchemas(world.gateway.app).operations;

/** The requests that a student with a session costs the campus. */
const warm: Readonly<Record<string, readonly string[]>> = {
  'GET /jwc/academic/info': ['/api/student', '/api/terms'],
  'GET /jwc/term/all': ['/api/terms'],
  'GET /jwc/score/{term_code}/list': ['/api/scores'],
  'GET /jwc/schedule/{term_code}/table': ['/api/terms', '/api/timetable'],
  'GET /jwc/term/current': ['/api/terms'],
  'GET /jwc/exam/info': ['/api/exams', '/api/student', '/api/terms'],
  // Fresh for an hour, after which the session rests: the ticket comes first.
  'GET /profile/student': ['/api/student', '/cas/login', '/login/cas'],
  'POST /api/v1/jwc/fetch_academic_info': ['/api/student', '/api/terms'],
  'POST /api/v1/jwc/fetch_all_terms': ['/api/terms'],
  'POST /api/v1/jwc/fetch_term_score': ['/api/scores'],
  'POST /api/v1/jwc/fetch_course_schedule': ['/api/terms', '/api/timetable'],
  'POST /api/v1/jwc/fetch_exam_info': ['/api/exams', '/api/student', '/api/terms'],
};
const signIn = ['GET /cas/login', 'POST /cas/login', 'GET /login/cas'];

/** Of surface A, whose reads are those of surface B, one that reads and one that signs in. */
const ofA = ['POST /api/v1/jwc/fetch_course_schedule', 'POST /api/v1/user/login'];

it.each(['a', 'b'] as const)(
  'the operations of surface %s that ask it answer as they must under every fault',
  async (surface) => {
    const isWanted = (each: DocumentedOperation) => asksCampus(each) && (surface === 'b' || ofA.includes(nameOf(each)));
    const { operations, problems } = await runMatrix(world, surface, isWanted);
    expect(problems).toEqual([]);
    const reads = surface === 'a' ? ofA : Object.keys(warm).filter((name) => !name.includes(' /api/'));
    expect(operations.map(({ operation }) => operation)).toEqual(expect.arrayContaining(reads));
    expect(new Set(operations.flatMap(({ rows }) => rows.map(({ place }) => place)))).toEqual(
      new Set(['application', 'unified login']),
    );
  },
  300_000,
);

it('is asked no more than it takes, with a session and without one', async () => {
  const student: Student = await world.registered();
  const found: Record<string, readonly string[]> = {};
  for (const operation of offered().filter((each) => asksCampus(each) && caseOf(each).signsIn !== true)) {
    world.allOver();
    await callAsCase(world, operation, student);
    world.clock.advance(1_000);
    const { requests } = await callAsCase(world, operation, student);
    found[nameOf(operation)] = requests.map(({ path }) => path).toSorted();
  }
  expect(found).toEqual(warm);
  await world.forget(student);
  const [terms] = offered().filter((each) => nameOf(each) === 'GET /jwc/term/all');
  if (!terms) throw new Error('terms are not offered');
  const { requests } = await callAsCase(world, terms, student);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([...signIn, 'GET /api/terms']);
});

it('is asked nothing for what it does not offer, which is 501 on both surfaces', async () => {
  const { token } = await world.registered();
  const names = new Set(offered().map(nameOf));
  const missing = Object.entries(faultCases).filter(([name, { success }]) => success === undefined && !names.has(name));
  expect(missing.length).toBeGreaterThan(40);
  world.campus.resetRequests();
  for (const [name] of missing) {
    const [method = '', path = ''] = name.replaceAll(/\{\w+\}/g, '1').split(' ');
    const isA = path.startsWith('/api/');
    const body = isA ? { token } : method === 'GET' ? undefined : {};
    const { status, body: answer } = await world.drive(world.call(method, path, { token, body }));
    const code = isA ? answer.code : answer.error.code;
    expect([name, status, code, answer.data]).toEqual([name, isA ? 200 : 501, isA ? 501 : 'NOT_OFFERED', null]);
  }
  expect(world.campus.requests()).toEqual([]);
});
