import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import type { DemoFaultRule } from '../../src/demo/types.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const floors = DORMITORIES.flatMap((building) => building.floors);
const rooms = floors.flatMap((floor) => floor.rooms);
/** The buildings, the floors of each, the rooms of each floor. */
const wholeTree = 1 + DORMITORIES.length + floors.length;

const go = 'isim GET /go';
const about = 'isim GET /about';
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
const treeRequests = () => gateway.wire().filter((line) => line.startsWith(about));

describe('the room list over real sockets', () => {
  let token: string;
  beforeEach(async () => {
    gateway = await startGateway();
    token = await gateway.register();
    return () => gateway.close();
  });

  it('is the whole campus: buildings and floors by code, rooms as delivered, parents as the lists named them', async () => {
    const { data, datetime } = await read(token, list);
    expect(datetime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    type Node = { code: string; name: string; floors: Node[]; rooms: Node[] };
    const tree: Node[] = data;
    expect(tree.map(({ code }) => code)).toEqual(['01', '02', '08', '1', '11', '12', '35']);
    expect(tree.flatMap((building) => building.floors).flatMap((floor) => floor.rooms)).toHaveLength(rooms.length);
    expect(
      tree.every(
        (one) =>
          one.floors.map((f) => f.code).join() ===
          one.floors
            .map((f) => f.code)
            .toSorted()
            .join(),
      ),
    ).toBe(true);

    // A code that begins another one names its own building only.
    const short = await read(token, `${list}/building/1`);
    expect(short).toEqual({ datetime, data: [tree.find(({ code }) => code === '1')] });
    expect(short.data[0].floors.map((floor: Node) => floor.code)).toEqual(['101', '110']);
    expect(await read(token, `${list}/buildings`)).toEqual({
      buildings: tree.map(({ code, name }) => ({ code, name })),
      building_count: 7,
      datetime,
    });
    expect(await read(token, `${list}/floor/110`)).toEqual({
      floor_code: '110',
      floor_name: '十层:北',
      building_code: '1',
      rooms: [
        { code: '11001', name: '北-1,东' },
        { code: '11002', name: "北-1'西" },
      ],
      room_count: 2,
    });
    expect(await read(token, `${list}/floor/1206`)).toMatchObject({ rooms: [], room_count: 0 });
    expect(await read(token, '/isim/room/info/010101')).toEqual({
      room_code: '010101',
      room_name: '1-101',
      floor_code: '0101',
      floor_name: '1-1层',
      building_code: '01',
      building_name: pines,
      display_text: `${pines}/1-1层/1-101`,
    });
  });

  it.each(readers.filter((_, at) => at % 3 === 2).map((reader) => ({ reader, name: `${reader[0]} ${reader[1]}` })))(
    '$name costs one request per building and floor cold, and nothing warm',
    async ({ reader: coldReader }) => {
      const cold = await wireOf(async () => expect((await ask(token, ...coldReader)).status).toBe(200));
      expect(cold.slice(0, 2)).toEqual([go, about]);
      expect(cold).toHaveLength(1 + wholeTree);
      for (const reader of readers) {
        expect(await wireOf(async () => expect((await ask(token, ...reader)).status).toBe(200))).toEqual([]);
      }
    },
  );

  it('is read once for a hundred callers of two students at once', async () => {
    const other = await gateway.register(second);
    gateway.demo.resetRequests();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const [method, path, body] = readers[i % readers.length] ?? ['GET', list];
        return ask(i % 2 ? token : other, method, path, body);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(gateway.wire()).toHaveLength(1 + wholeTree);
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

  it('is not read for the bound room, which nobody has yet', async () => {
    const wire = await wireOf(async () =>
      expect((await ask(token, 'GET', '/isim/room/current')).body).toMatchObject({
        success: true,
        message: '获取宿舍信息成功，用户未绑定宿舍',
        data: { room_code: '', display_text: '' },
      }),
    );
    expect(wire).toEqual([]);
  });
});

describe('a room list that cannot be read', () => {
  const picker = (lists: string) => `<html><script>var pickerBuilding = { ${lists} };</script></html>`;
  const empty = picker('values: [""], displayValues: ["请选择"]');
  const rows: Array<[string, Omit<DemoFaultRule, 'system'>, number, string]> = [
    ['opens no session', { path: '/go', fault: { kind: 'status', status: 500 } }, 502, 'REMOTE_SERVICE_ERROR'],
    ['breaks its picker off', { path: '/about', fault: { kind: 'truncated' } }, 502, 'REMOTE_SERVICE_ERROR'],
    ['breaks a part', { path: '/about/floors/', fault: { kind: 'malformed' } }, 502, 'REMOTE_SERVICE_ERROR'],
    ['offers nothing', { path: '/about', exact: true, fault: { kind: 'body', body: empty } }, 502, 'NULL_RESPONSE'],
    ['never answers', { path: '/about', fault: { kind: 'hang' } }, 504, 'TIMEOUT'],
  ];

  it.each(rows)('because the campus %s is an error, stores nothing, and is read by the next call', async (...row) => {
    const [, fault, status, code] = row;
    await open({
      env: { REQUEST_TIMEOUT_SECONDS: '8', CAMPUS_ATTEMPT_SECONDS: '0.5', ADMIN_USER_IDS: first.userid },
    });
    const token = await gateway.register();
    const { remove } = gateway.demo.fault({ system: 'isim', ...fault });
    const answers = await Promise.all([...readers.map((reader) => ask(token, ...reader)), refresh(token)]);
    for (const { status: actual, body } of answers) {
      expect([actual, body.error.code, body.data]).toEqual([status, code, null]);
    }
    remove();
    expect(await gateway.services.storage.roomTree.revision()).toBeNull();
    expect((await read(token, list)).data).toHaveLength(7);
  });
});

it('a reading goes on after its caller’s time has ended, and the next caller profits', async () => {
  await open({ env: { REQUEST_TIMEOUT_SECONDS: '1.5', CAMPUS_ATTEMPT_SECONDS: '1.4' } });
  const token = await gateway.register();
  gateway.demo.fault({ system: 'isim', path: '/about/rooms/', times: 8, fault: { kind: 'hang' } });
  gateway.demo.resetRequests();
  const late = await ask(token, 'GET', list);
  expect([late.status, late.body.error.code, late.body.data]).toEqual([504, 'TIMEOUT', null]);
  await vi.waitFor(async () => expect(await gateway.services.storage.roomTree.revision()).not.toBeNull(), 10_000);
  expect((await read(token, list)).data).toHaveLength(7);
  // The eight that hung were asked for again, nothing else was.
  expect(treeRequests()).toHaveLength(wholeTree + 8);
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

  it('that fails keeps the old list and may be tried again at once', async () => {
    await open({ env });
    const admin = await gateway.register();
    const before = await read(admin, list);
    const { remove } = gateway.demo.fault({
      system: 'isim',
      path: '/about',
      exact: true,
      fault: { kind: 'status', status: 500 },
    });
    const failed = await refresh(admin);
    expect([failed.status, failed.body.error.code, failed.body.data]).toEqual([502, 'REMOTE_SERVICE_ERROR', null]);
    expect(await read(admin, list)).toEqual(before);
    remove();
    expect((await refresh(admin)).status).toBe(200);
  });
});

it('a service that starts with an expired list answers from it while one reading runs', async () => {
  const { clock, demo, restart } = await openForRestarts();
  const token = await gateway.register();
  const before = await read(token, list);
  clock.advance(7 * 24 * 60 * 60_000);
  await restart();
  demo.fault({ system: 'isim', path: '/about', times: 1, exact: true, fault: { kind: 'delay', ms: 1_000 } });
  demo.resetRequests();
  const old = await Promise.all(Array.from({ length: 10 }, () => read(token, list)));
  expect(old).toEqual(Array(10).fill(before));
  await vi.waitFor(() => expect(treeRequests()).toEqual([about]));
  expect(await read(token, list)).toEqual(before);
  clock.advance(1_000);
  await vi.waitFor(async () => expect((await read(token, list)).datetime).not.toBe(before.datetime));
  expect(treeRequests()).toHaveLength(wholeTree);
});
