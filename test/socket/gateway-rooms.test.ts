import { expect, it, onTestFinished, vi } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const list = '/isim/room/list';
/** Every operation that reads the tree. */
const readers: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
  ['GET', list],
  ['GET', `${list}/buildings`],
  ['GET', `${list}/building/01`],
  ['GET', `${list}/floor/0101`],
  ['GET', '/isim/room/info/010101'],
  ['POST', '/isim/room/bind', { room_id: '010101' }],
];

const open = async (clock?: ManualClock): Promise<Gateway> => {
  const env = { ADMIN_USER_IDS: `2023000099,${first.userid}` };
  const gateway = await startGateway({ env, ...(clock ? { clock } : {}) });
  onTestFinished(() => gateway.close());
  return gateway;
};
const refresh = (gateway: Gateway, token: string): Promise<Answer> =>
  gateway.b('POST', '/isim/room/refresh', { token });

it('the room list serves while the campus is down', async () => {
  const gateway = await open();
  const token = await gateway.register();
  await gateway.b('GET', list, { token });
  for (const system of ['vpn', 'isim'] as const) gateway.demo.fault({ system, fault: { kind: 'reset' } });
  await gateway.services.sessions.forget(first.userid);
  const ask = (method: string, path: string, body?: unknown) =>
    gateway.b(method, path, { token, ...(body === undefined ? {} : { body }) });
  expect(await gateway.wireOf(...readers.map((reader) => () => ask(...reader)))).toEqual([]);
  const { data } = (await ask('GET', '/isim/room/current')).body;
  expect(data.display_text).toBe('松园1号学生公寓/1-1层/1-101');
});

it('a refresh of the room list is one at a time, and one in thirty minutes over all replicas', async () => {
  const clock = new ManualClock();
  const gateway = await open(clock);
  const token = await gateway.register();
  const shown = async () => (await gateway.b('GET', list, { token })).body.data;
  const refusedWith = ({ status, body }: Answer, message: string, seconds: number) =>
    expect([status, body]).toMatchObject([
      429,
      {
        success: false,
        message,
        data: { success: false, message, remaining_cooldown: seconds },
        error: { code: 'COOLDOWN', message },
      },
    ]);
  const before = await shown();
  clock.advance(60_000);
  const fault = { kind: 'delay', ms: 1_000 } as const;
  gateway.demo.fault({ system: 'isim', path: '/about', times: 1, exact: true, fault });
  const refreshed = refresh(gateway, token);
  await vi.waitFor(() => expect(gateway.demo.requests({ path: '/about' })).toHaveLength(2));
  refusedWith(await refresh(gateway, token), '其他用户正在刷新房间列表，请稍后再试', 0);
  expect(await shown()).toEqual(before);
  clock.advance(1_000);
  expect((await refreshed).status).toBe(200);
  expect((await shown()).datetime).not.toBe(before.datetime);

  clock.advance(500);
  const other = await gateway.replica();
  onTestFinished(() => other.close());
  const cooling = await refresh(other, token);
  refusedWith(cooling, '刷新操作冷却中，请在 30 分 0 秒后重试', 1_800);
  expect(cooling.headers.get('retry-after')).toBe('1800');
  clock.advance(1_799_500);
  expect((await refresh(other, token)).status).toBe(200);
});
