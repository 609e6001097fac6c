import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first, second } from '../support/campus-rig.ts';
import { call, cluster, enroll, newcomer, type Replica } from '../support/replicas.ts';
import { afterAllTests } from '../support/service-process.ts';

const summary = '/jwc/academic/info';
const list = '/isim/room/list';
const wholeTree = 1 + DORMITORIES.length + DORMITORIES.flatMap(({ floors }) => floors).length;

describe('several processes on one PostgreSQL', () => {
  const atEnd = afterAllTests();
  let demo: DemoCampus;
  let one: Replica;
  let two: Replica;
  let administrator: typeof first;

  beforeAll(async () => {
    const campus = await cluster(atEnd);
    demo = campus.demo;
    administrator = newcomer(demo);
    const start = () => campus.start({ ADMIN_USER_IDS: administrator.userid });
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

  it('the room list is read once, however many callers both have, and refreshed by one of them', async () => {
    const [admin, student] = [await enroll(one.address, administrator), await enroll(two.address, second)];
    const treeRequests = () => demo.requests({ system: 'isim' }).filter(({ path }) => path.startsWith('/about'));
    demo.resetRequests();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call(i % 2 ? one.address : two.address, 'GET', list, { token: i % 4 < 2 ? admin : student }),
      ),
    );
    for (const { status, body } of answers) expect([status, body.data]).toEqual([200, answers[0]?.body.data]);
    expect(treeRequests()).toHaveLength(wholeTree);

    demo.resetRequests();
    const refreshes = await Promise.all(
      [one, two, one, two].map(({ address }) => call(address, 'POST', '/isim/room/refresh', { token: admin })),
    );
    expect(refreshes.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429]);
    expect(treeRequests()).toHaveLength(wholeTree);
    const again = await call(two.address, 'POST', '/isim/room/refresh', { token: admin });
    expect([again.status, again.body.data.remaining_cooldown > 1_700]).toEqual([429, true]);
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
