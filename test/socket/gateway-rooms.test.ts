import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const floors = DORMITORIES.flatMap((building) => building.floors);
/** The buildings, the floors of each, the rooms of each floor. */
const wholeTree = 1 + DORMITORIES.length + floors.length;
const list = '/isim/room/list';
const pines = '松园1号学生公寓';

type Reader = readonly [method: string, path: string, body?: unknown];

/** Every operation that reads the tree. */
const readers: readonly Reader[] = [
  ['GET', list],
  ['GET', `${list}/buildings`],
  ['GET', `${list}/building/01`],
  ['GET', `${list}/floor/0101`],
  ['GET', '/isim/room/info/010101'],
  ['POST', '/isim/room/bind', { room_id: '010101' }],
];

let gateway: Gateway;

const open = async (options: GatewayOptions = {}): Promise<void> => {
  gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
};

/** A gateway that can be started anew over the same database, with the time in the hands of the test. */
const openForRestarts = async (env: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-rooms-'));
  const clock = new ManualClock();
  const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  const start = async () => {
    gateway = await startGateway({ clock, demo, env: { ...env, DATABASE_URL: `sqlite:${join(folder, 'campus.db')}` } });
  };
  await start();
  onTestFinished(async () => {
    await gateway.close();
    await demo.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const restart = async () => {
    await gateway.close();
    await start();
  };
  return { clock, demo, restart };
};

const ask = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  gateway.b(method, path, body === undefined ? { token } : { token, body });
const read = async (token: string, path: string) => {
  const answer = await ask(token, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const refresh = (token: string) => ask(token, 'POST', '/isim/room/refresh');
const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  gateway.demo.resetRequests();
  await work();
  return gateway.wire();
};

describe('the room list over real sockets', () => {
  let token: string;
  beforeEach(async () => {
    gateway = await startGateway();
    token = await gateway.register();
    return () => gateway.close();
  });

  it('serves while the campus is down', async () => {
    await read(token, list);
    for (const system of ['vpn', 'isim'] as const) gateway.demo.fault({ system, fault: { kind: 'reset' } });
    await gateway.services.sessions.forget(first.userid);
    const wire = await wireOf(async () => {
      for (const reader of readers) expect((await ask(token, ...reader)).status).toBe(200);
      expect((await ask(token, 'GET', '/isim/room/current')).body.data.display_text).toBe(`${pines}/1-1层/1-101`);
    });
    expect(wire).toEqual([]);
  });
});

describe('a refresh of the room list', () => {
  const env = { ADMIN_USER_IDS: `2023000099,${first.userid}` };
  const running = '其他用户正在刷新房间列表，请稍后再试';

  it('is for administrators, and costs what the tree costs', async () => {
    await open({ env });
    const [admin, student] = [await gateway.register(first), await gateway.register(second)];
    const refused = await wireOf(async () => {
      const answer = await refresh(student);
      expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([403, 'FORBIDDEN', null]);
    });
    expect(refused).toEqual([]);
    const wire = await wireOf(async () => {
      const answer = await refresh(admin);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        {
          success: true,
          message: '房间列表刷新成功',
          data: { success: true, message: '房间列表刷新成功', remaining_cooldown: 0 },
          error: null,
        },
      ]);
    });
    expect(wire).toHaveLength(1 + wholeTree);
  });

  it('is one at a time; the old list serves meanwhile; thirty minutes later it may be done again, also after a restart', async () => {
    const { clock, demo, restart } = await openForRestarts(env);
    const admin = await gateway.register();
    const before = await read(admin, list);
    clock.advance(60_000);
    demo.fault({ system: 'isim', path: '/about', times: 1, exact: true, fault: { kind: 'delay', ms: 1_000 } });
    const refreshed = refresh(admin);
    await vi.waitFor(() => expect(demo.requests({ path: '/about' })).toHaveLength(2));
    const another = await refresh(admin);
    expect([another.status, another.body]).toMatchObject([
      429,
      {
        success: false,
        message: running,
        data: { success: false, message: running, remaining_cooldown: 0 },
        error: { code: 'COOLDOWN', message: running },
      },
    ]);
    expect(await read(admin, list)).toEqual(before);
    clock.advance(1_000);
    expect((await refreshed).status).toBe(200);
    expect((await read(admin, list)).datetime).not.toBe(before.datetime);

    clock.advance(500);
    await restart();
    const cooling = await refresh(admin);
    const message = '刷新操作冷却中，请在 30 分 0 秒后重试';
    expect([cooling.status, cooling.body]).toMatchObject([
      429,
      {
        success: false,
        message,
        data: { success: false, message, remaining_cooldown: 1800 },
        error: { code: 'COOLDOWN', message },
      },
    ]);
    expect(cooling.headers.get('retry-after')).toBe('1800');
    clock.advance(1_799_500);
    expect((await refresh(admin)).status).toBe(200);
  });
});
