import { beforeAll, describe, expect, it } from 'vitest';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first, second } from '../support/campus-rig.ts';
import { call, cluster, enroll, type Replica } from '../support/replicas.ts';
import { afterAllTests } from '../support/service-process.ts';

const list = '/isim/room/list';
const wholeTree = 1 + DORMITORIES.length + DORMITORIES.flatMap(({ floors }) => floors).length;

describe('the room list of two processes on one PostgreSQL', () => {
  const atEnd = afterAllTests();
  let demo: DemoCampus;
  let one: Replica;
  let two: Replica;

  beforeAll(async () => {
    const campus = await cluster(atEnd);
    demo = campus.demo;
    const env = { ADMIN_USER_IDS: first.userid };
    [one, two] = await Promise.all([campus.start(env), campus.start(env)]);
  });

  it('is read once, however many callers both have, and refreshed by one of them', async () => {
    const [admin, student] = [await enroll(one.address, first), await enroll(two.address, second)];
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
});
