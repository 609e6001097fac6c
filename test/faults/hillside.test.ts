import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hillside } from '../../src/demo/hillside/campus.ts';
import type { DemoFault, DemoMessage } from '../../src/demo/types.ts';
import { answerSchemas } from '../support/answer-schemas.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { nameOf } from './calls.ts';
import { faultName, faultsAt, isEndless } from './kinds.ts';
import { FaultWorld, type Student } from './world.ts';

/** A campus that shows an image at every login: what the matrix does unattended is done by a person here. */
let world: FaultWorld;
const shown: DemoMessage[] = [];

beforeAll(async () => {
  const onMessage = (message: DemoMessage) => void shown.push(message);
  world = await FaultWorld.start({ CAMPUS: 'demo-hillside' }, { onMessage });
  const model = world.gateway.services.simulated?.model;
  if (!(model instanceof Hillside)) throw new Error('no simulator');
  model.switches.datesMove = false;
});

afterAll(() => world.close());

const internalText = /127\.0\.0\.1|hillside\.test|elsewhere\.invalid|<\/?[a-z!][^>]*>|ECONN|UND_ERR|Error:|undefined/i;

const pairOf = ({ userid, password }: Student) => ({ userid, password });

const post = (path: string, body: unknown, token = '') => world.call('POST', path, { token, body });

const begin = async (student: Student): Promise<Answer> =>
  post('/auth/register/next', { ...pairOf(student), invite_token: await world.inviteToken() });

const answer = (met: Answer): Promise<Answer> =>
  post(`/auth/challenges/${met.body.data.challenge.id}/answer`, { answer: shown.at(-1)?.text });

const registered = async (student = world.newcomer()): Promise<Student> => {
  const met = await world.drive(begin(student));
  const { body } = await world.drive(answer(met));
  return { ...student, token: body.data.token };
};

const passwords = (): number => world.campus.requests().filter(({ method }) => method === 'POST').length;

/** The call under the fault, which is over afterwards. */
const under = async (fault: DemoFault, call: () => Promise<Answer>): Promise<Answer> => {
  world.campus.resetRequests();
  world.campus.fault('jwc', fault);
  const { result, ms } = await world.timed(call(), fault, 'jwc');
  world.campus.clearFaults();
  if (isEndless(fault)) await world.drain();
  expect(ms).toBeLessThanOrEqual(31_000);
  expect(result.text).not.toMatch(internalText);
  return result;
};

const isDocumented = (name: string, { status, body }: Answer): void => {
  const schemas = answerSchemas(world.gateway.app);
  const operation = schemas.operations.find((each) => nameOf(each) === name);
  expect(operation && schemas.findings(operation, status, body)).toBe('');
};

/** There is no portal, whose pages are those of the campus then. */
const isNone = ({ kind }: DemoFault): boolean => kind.startsWith('portal-') || kind === 'delay';
/** A redirect has no body that could be damaged. */
const sparesRedirects = (fault: DemoFault): boolean =>
  isNone(fault) || ['gbk', 'truncated', 'drip'].includes(fault.kind);

const faults = faultsAt('application').map((fault) => [faultName(fault), fault] as const);

it.each(faults)('under %s a registration sends no password before its image, or says what failed', async (_, fault) => {
  world.allOver();
  const student = world.newcomer();
  const met = await under(fault, () => begin(student));
  isDocumented('POST /auth/register/next', met);
  expect(passwords()).toBe(0);
  if (isNone(fault)) expect(met.status).toBe(428);
  else expect([met.status, met.body.data]).toEqual([isEndless(fault) ? 504 : 502, null]);
  expect((await registered(student)).token).toMatch(/^\S{20,}$/);
});

it.each(faults)('under %s the answer sends one password, and what comes back is no refusal', async (_, fault) => {
  world.allOver();
  const student = world.newcomer();
  const met = await world.drive(begin(student));
  const passed = await under(fault, () => answer(met));
  isDocumented('POST /auth/challenges/{id}/answer', passed);
  expect(passwords()).toBe(1);
  if (sparesRedirects(fault)) return expect(passed.status).toBe(200);
  expect([passed.status, passed.body.data]).toEqual([isEndless(fault) ? 504 : 502, null]);
  world.allOver();
  expect((await registered(student)).token).toMatch(/^\S{20,}$/);
});

it.each(faults)('under %s a read shows no failure as data, and sends no password', async (_, fault) => {
  world.allOver();
  const student = await registered();
  const reads = ['/jwc/academic/info', '/jwc/term/all'];
  for (const path of reads) {
    const well = await world.drive(world.call('GET', path, { token: student.token }));
    expect([path, well.status]).toEqual([path, 200]);
    world.clock.advance(4_000);
    const read = await under(fault, () => world.call('GET', path, { token: student.token }));
    isDocumented(`GET ${path}`, read);
    if (read.status === 200) expect(read.body.data).toEqual(well.body.data);
    else expect([403, 502, 504]).toContain(read.status);
    if (read.status === 403) expect(read.body.error.code).toBe('PERSON_NEEDED');
    expect(world.campus.requests().filter(({ path: asked }) => asked.includes('security_check'))).toEqual([]);
    world.allOver();
    if (read.status !== 403) continue;
    const renewal = await world.drive(post('/auth/challenges', undefined, student.token));
    if (renewal.body.data !== null) expect((await world.drive(answer(renewal))).status).toBe(200);
  }
});

it('is asked no more than it takes, and nothing once a person is needed', async () => {
  world.campus.resetRequests();
  const student = await registered();
  const wire = () => world.campus.requests().map(({ method, path }) => `${method} ${path}`);
  expect(wire()).toEqual(['GET /login', 'GET /img/captcha.jpg', 'POST /j_spring_security_check']);
  world.campus.resetRequests();
  await world.drive(world.call('GET', '/jwc/term/all', { token: student.token }));
  expect(wire()).toEqual(['GET /student/courseSelect/calendarSemesterCurriculum/index']);
  world.allOver();
  for (const end of Object.values(world.campus.endings(student.userid))) end();
  world.campus.resetRequests();
  for (let time = 0; time < 3; time += 1)
    await world.drive(world.call('GET', '/jwc/term/all', { token: student.token }));
  expect(wire()).toHaveLength(1);
});
