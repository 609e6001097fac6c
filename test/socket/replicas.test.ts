import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { call, cluster, enroll, newcomer, type Replica, type Reply } from '../support/replicas.ts';
import { afterAllTests } from '../support/service-process.ts';

const summary = '/jwc/academic/info';
const loginBody = ({ userid, password, vpnPassword }: typeof first) => ({
  userid,
  password,
  vpn_password: vpnPassword,
});

describe('several processes on one PostgreSQL', () => {
  const atEnd = afterAllTests();
  let demo: DemoCampus;
  let one: Replica;
  let two: Replica;
  let three: Replica;

  beforeAll(async () => {
    const campus = await cluster(atEnd);
    demo = campus.demo;
    const start = () => campus.start({ INVITE_CODES: 'SCALE:100,ONCE:1' });
    [one, two, three] = await Promise.all([start(), start(), start()]);
  });

  it('start at the same moment on an empty database', async () => {
    for (const { address } of [one, two, three]) expect((await call(address, 'GET', '/ready')).status).toBe(200);
  });

  it('a student registers on one and reads on the other without another login', async () => {
    const token = await enroll(one.address, first);
    demo.resetRequests();
    const read = await call(two.address, 'GET', summary, { token });
    expect([read.status, read.body.data.completed_courses]).toEqual([200, 51]);
    expect(demo.requests().map(({ path }) => path)).toEqual(['/main/academicInfo']);
  });

  it('a token revoked on one is dead on the other at once', async () => {
    const token = await enroll(one.address, newcomer(demo));
    expect((await call(two.address, 'GET', summary, { token })).status).toBe(200);
    await call(one.address, 'POST', '/auth/logout/all', { token });
    expect((await call(two.address, 'GET', summary, { token })).status).toBe(401);
  });

  it('a cool-down that one starts holds on the other', async () => {
    const student = newcomer(demo);
    await enroll(one.address, student);
    const login = (at: Replica, password: string) =>
      call(at.address, 'POST', '/auth/login/next', { body: { ...loginBody(student), password } });
    expect((await login(one, 'wrong')).status).toBe(403);
    demo.resetRequests();
    expect((await login(two, 'another wrong one')).status).toBe(429);
    // The pair that the campus refused is refused again from memory, here as there.
    expect((await login(two, 'wrong')).status).toBe(403);
    expect(demo.requests()).toEqual([]);
  });

  it('the last use of an invite code is given once, whichever process is asked', async () => {
    const invited = await Promise.all(
      [one, two].map(({ address }) =>
        call(address, 'POST', '/auth/register/invite', { body: { invite_code: 'ONCE' } }),
      ),
    );
    const register = ({ address }: Replica, answer: Reply | undefined) =>
      call(address, 'POST', '/auth/register/next', {
        body: { ...loginBody(newcomer(demo)), invite_token: answer?.body.data.invite_token },
      });
    const answers = await Promise.all([register(one, invited[0]), register(two, invited[1])]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  it('first calls on both at once cost one login', async () => {
    const student = newcomer(demo);
    const token = await enroll(one.address, student);
    demo.student(student.userid).expirePortal();
    demo.student(student.userid).expireUnifiedLogin();
    demo.student(student.userid).expireService('jwc');
    demo.resetRequests();
    const calls = Array.from({ length: 20 }, (_, i) =>
      call(i % 2 ? one.address : two.address, 'GET', summary, { token }),
    );
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    const posts = demo.requests().filter(({ method, system }) => method === 'POST' && system !== 'jwc');
    expect(posts.map(({ system }) => system)).toEqual(['vpn', 'cas']);
  });

  it('one killed in the middle of a login does not keep the other from logging in', async () => {
    const student = newcomer(demo);
    const token = await enroll(one.address, student);
    demo.student(student.userid).expirePortal();
    demo.fault({ system: 'vpn', fault: { kind: 'hang' }, times: 1 });
    demo.resetRequests();
    const lost = call(one.address, 'GET', summary, { token }).catch(() => null);
    await vi.waitFor(() => expect(demo.requests({ system: 'vpn' })).toHaveLength(1));
    one.kill('SIGKILL');
    await lost;
    // The lease of the dead process ends by itself after ten seconds; the other one's call waits for that.
    expect((await call(two.address, 'GET', summary, { token })).status).toBe(200);
  }, 60_000);
});
