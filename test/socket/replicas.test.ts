import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { call, cluster, enroll, newcomer, type Replica } from '../support/replicas.ts';
import { afterAllTests } from '../support/service-process.ts';

const summary = '/jwc/academic/info';

describe('several processes on one PostgreSQL', () => {
  const atEnd = afterAllTests();
  let demo: DemoCampus;
  let one: Replica;
  let two: Replica;

  beforeAll(async () => {
    const campus = await cluster(atEnd);
    demo = campus.demo;
    const start = () => campus.start();
    [one, two] = await Promise.all([start(), start()]);
  });

  it('a student registers on one and reads on the other without another login', async () => {
    const token = await enroll(one.address, first);
    demo.resetRequests();
    const read = await call(two.address, 'GET', summary, { token });
    expect([read.status, read.body.data.completed_courses]).toEqual([200, 50]);
    expect(demo.requests().map(({ path }) => path)).toEqual(['/main/academicInfo']);
  });

  it('a token revoked on one is dead on the other at once', async () => {
    const token = await enroll(one.address, newcomer(demo));
    expect((await call(two.address, 'GET', summary, { token })).status).toBe(200);
    await call(one.address, 'POST', '/auth/logout/all', { token });
    expect((await call(two.address, 'GET', summary, { token })).status).toBe(401);
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
