import { describe, expect, it } from 'vitest';
import { Failure, type FailureKind } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleReading, exampleStudent, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const timestamp = '2026-03-18 10:00:00';
const success = (message: string, data: unknown) => ({ success: true, message, data, error: null, timestamp });

/** When the example tree was read, in campus time. */
const datetime = '2026-03-18 03:00:00';
const pine = {
  code: '01',
  name: '示例1号公寓',
  floors: [
    { code: '0101', name: '1-1层', rooms: [{ code: '010101', name: '1-101' }] },
    { code: '0102', name: '1-2层', rooms: [] },
  ],
};
const other = {
  code: '1',
  name: '示例公寓',
  floors: [{ code: '110', name: '一层', rooms: [{ code: '01', name: '北-1,东' }] }],
};
const displayText = '示例1号公寓/1-1层/1-101';

const get = async (url: string) => {
  const { app } = await appUnderTest();
  const answer = await app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

describe('the room list', () => {
  it('is the whole tree with the time at which it was read', async () => {
    expect(await get('/isim/room/list')).toEqual(success('获取寝室列表成功', { datetime, data: [pine, other] }));
  });

  it('is counted as a list of buildings', async () => {
    const buildings = [pine, other].map(({ code, name }) => ({ code, name }));
    expect(await get('/isim/room/list/buildings')).toEqual(
      success('获取楼栋列表成功，共 2 个楼栋', { buildings, building_count: 2, datetime }),
    );
  });

  it('has one building in the shape of the whole, under its exact code', async () => {
    for (const building of [pine, other]) {
      expect(await get(`/isim/room/list/building/${building.code}`)).toEqual(
        success(`获取楼栋 ${building.code} 信息成功`, { datetime, data: [building] }),
      );
    }
  });

  it('has the rooms of a floor with the building that named it', async () => {
    expect(await get('/isim/room/list/floor/0101')).toEqual(
      success('获取楼层 0101 的房间信息成功，共 1 个房间', {
        floor_code: '0101',
        floor_name: '1-1层',
        building_code: '01',
        rooms: [{ code: '010101', name: '1-101' }],
        room_count: 1,
      }),
    );
    expect((await get('/isim/room/list/floor/0102')).data).toMatchObject({ rooms: [], room_count: 0 });
    expect((await get('/isim/room/list/floor/110')).data).toMatchObject({ building_code: '1' });
  });

  it('has single rooms with floor, building and full name, short codes included', async () => {
    expect(await get('/isim/room/info/010101')).toEqual(
      success('获取房间 010101 的详细信息成功', {
        room_code: '010101',
        room_name: '1-101',
        floor_code: '0101',
        floor_name: '1-1层',
        building_code: '01',
        building_name: '示例1号公寓',
        display_text: displayText,
      }),
    );
    expect((await get('/isim/room/info/01')).data).toMatchObject({
      room_code: '01',
      floor_code: '110',
      building_code: '1',
      display_text: '示例公寓/一层/北-1,东',
    });
  });

  it.each([
    ['building', '0101'],
    ['building', '0'],
    ['floor', '01'],
    ['floor', '9999'],
  ])('knows no %s %s', async (kind, code) => {
    const { app } = await appUnderTest();
    const answer = await app.inject({ url: `/isim/room/list/${kind}/${code}`, headers });
    expect([answer.statusCode, answer.json().error]).toEqual([
      404,
      { code: 'ROOM_NOT_FOUND', message: '房间信息不存在', trace_id: expect.any(String), retryable: false },
    ]);
  });

  it.each(['0', '999999', '__proto__'])('knows no room %s', async (code) => {
    const { app } = await appUnderTest();
    const answer = await app.inject({ url: `/isim/room/info/${code}`, headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'ROOM_NOT_FOUND']);
  });

  it.each(['/isim/room/list/building/', '/isim/room/list/floor/%20', '/isim/room/info/'])(
    'is not looked at for the empty code of %s',
    async (url) => {
      const { app, services } = await appUnderTest();
      const answer = await app.inject({ url, headers });
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'EMPTY_PATH']);
      expect(services.electricity.rooms.calls).toEqual([]);
    },
  );
});

describe('the bound room', () => {
  const bind = { method: 'POST', url: '/isim/room/bind', headers } as const;

  it('is set by its code', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ ...bind, payload: { room_id: '010101' } });
    expect([answer.statusCode, answer.json()]).toEqual([200, success('宿舍绑定成功', { success: true })]);
    expect(services.electricity.bindRoom.calls[0]?.slice(0, 2)).toEqual([exampleStudent, '010101']);
  });

  it.each([
    [{}, 'missing'],
    [{ room_id: '' }, 'string_too_short'],
    [{ room_id: '0'.repeat(21) }, 'string_too_long'],
    [{ room_id: 10101 }, 'string_type'],
    [{ room_id: null }, 'string_type'],
  ])('is not set by %j', async (payload, type) => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ ...bind, payload });
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      422,
      { code: 'VALIDATION_ERROR', details: [{ loc: ['body', 'room_id'], type }] },
    ]);
    expect(services.electricity.bindRoom.calls).toEqual([]);
  });

  it('is not set by another content type', async () => {
    const { app } = await appUnderTest();
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({ ...bind, headers: form, payload: 'room_id=010101' });
    expect([answer.statusCode, answer.json().error.details[0].loc]).toEqual([422, ['body']]);
  });

  it('is shown, and shown as nothing while there is none', async () => {
    const { app, services } = await appUnderTest();
    const url = '/isim/room/current';
    expect((await app.inject({ url, headers })).json()).toEqual(
      success('获取宿舍信息成功', { room_code: '010101', display_text: displayText }),
    );
    services.electricity.boundRoom.returns(null);
    expect((await app.inject({ url, headers })).json()).toEqual(
      success('获取宿舍信息成功，用户未绑定宿舍', { room_code: '', display_text: '' }),
    );
  });
});

describe('GET /isim/elec/info', () => {
  const url = '/isim/elec/info';

  it('answers room, balance, usage and payments member by member', async () => {
    expect(await get(url)).toEqual(
      success('获取寝室电费信息成功', {
        room_code: '010101',
        room_text: '1-101',
        room_display: displayText,
        balance: { remaining_purchased: -3.2, remaining_subsidy: 0 },
        usage_records: [{ record_time: '2026-03-18 00:05:00', usage_amount: 1.2, meter_name: '1-101空调' }],
        payments: [{ payment_time: '2026-03-01 11:30:00', amount: -1250.5, payment_type: '下发补助' }],
      }),
    );
  });

  it('has empty lists and names for a room without records that is not in the tree', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.reading.returns({ ...exampleReading, room_display: '', usage_records: [], payments: [] });
    expect((await app.inject({ url, headers })).json().data).toMatchObject({
      room_text: '1-101',
      room_display: '',
      usage_records: [],
      payments: [],
    });
  });

  it('is refused without a bound room', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.reading.fails(new Failure('room-unbound'));
    const answer = await app.inject({ url, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { success: false, message: '房间未绑定', data: null, error: { code: 'UNBOUND_ROOM' } },
    ]);
  });
});

describe('POST /isim/room/refresh', () => {
  const request = { method: 'POST', url: '/isim/room/refresh', headers } as const;

  it.each([
    ['nothing', {}],
    ['nothing that says it is JSON', { headers: { ...headers, 'content-type': 'application/json' } }],
    ['a text that is no JSON', { headers: { ...headers, 'content-type': 'application/json' }, payload: '{' }],
  ])('answers what it did, whatever is sent: %s', async (_name, sent) => {
    const { app } = await appUnderTest();
    const answer = await app.inject({ ...request, ...sent });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      success('房间列表刷新成功', { success: true, message: '房间列表刷新成功', remaining_cooldown: 0 }),
    ]);
  });

  it('says that another one is running', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.refreshRooms.fails(new Failure('room-refresh-running'));
    const answer = await app.inject(request);
    const message = '其他用户正在刷新房间列表，请稍后再试';
    expect([answer.statusCode, answer.json()]).toMatchObject([
      429,
      {
        success: false,
        message,
        data: { success: false, message, remaining_cooldown: 0 },
        error: { code: 'COOLDOWN', message },
      },
    ]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('says what is left of the cool-down in whole seconds, the same in message, data and Retry-After', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.refreshRooms.fails(
      new Failure('room-refresh-cool-down', { remainingMs: 750_250, retryAfterSeconds: 751 }),
    );
    const answer = await app.inject(request);
    const message = '刷新操作冷却中，请在 12 分 31 秒后重试';
    expect([answer.statusCode, answer.json()]).toMatchObject([
      429,
      {
        success: false,
        message,
        data: { success: false, message, remaining_cooldown: 751 },
        error: { code: 'COOLDOWN', message },
      },
    ]);
    expect(answer.headers['retry-after']).toBe('751');
  });

  it('is for administrators', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.refreshRooms.fails(new Failure('forbidden'));
    const answer = await app.inject(request);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { success: false, data: null, error: { code: 'FORBIDDEN', message: '禁止访问' } },
    ]);
  });
});

type Method = 'rooms' | 'bindRoom' | 'refreshRooms' | 'reading';
const campusOperations: ReadonlyArray<readonly [request: string, method: Method]> = [
  ['GET /isim/room/list', 'rooms'],
  ['GET /isim/room/list/buildings', 'rooms'],
  ['GET /isim/room/list/building/01', 'rooms'],
  ['GET /isim/room/list/floor/0101', 'rooms'],
  ['GET /isim/room/info/010101', 'rooms'],
  ['POST /isim/room/bind', 'bindRoom'],
  ['POST /isim/room/refresh', 'refreshRooms'],
  ['GET /isim/elec/info', 'reading'],
];

// Every case sets what its service answers, so one application serves them all.
const { app: failing, services: failingServices } = await appUnderTest({});

describe.each(campusOperations)('the failures of %s', (request, name) => {
  const [method, url = ''] = request.split(' ');
  const sent = { method: method === 'POST' ? 'POST' : 'GET', url, headers } as const;
  const payload = url.endsWith('/bind') ? { payload: { room_id: '010101' } } : {};

  it.each<[FailureKind, number, string]>([
    ['token-user-gone', 401, 'INVALID_AUTHENTICATION'],
    ['stored-credentials-refused', 403, 'USER_NEED_RESET_PASSWORD'],
    ['stored-credentials-unreadable', 403, 'USER_NEED_RESET_PASSWORD'],
    ['sign-in-guarded', 502, 'REMOTE_SERVICE_ERROR'],
    ['sign-in-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unreadable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-refused', 502, 'REMOTE_SERVICE_ERROR'],
    ['session-lost', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-empty', 502, 'NULL_RESPONSE'],
    ['timed-out', 504, 'TIMEOUT'],
    ['storage-failed', 500, 'SERVER_ERROR'],
    ['overloaded', 503, 'SERVICE_UNAVAILABLE'],
  ])('%s is %i %s, without data', async (kind, status, code) => {
    failingServices.electricity[name].fails(new Failure(kind));
    const answer = await failing.inject({ ...sent, ...payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { success: false, data: null, error: { code } }]);
  });
});

it.each([...campusOperations.map(([request]) => request), 'GET /isim/room/current'])(
  'without a token nothing happens: %s',
  async (request) => {
    const { app, services } = await appUnderTest();
    const [method, url = ''] = request.split(' ');
    const answer = await app.inject({ method: method === 'POST' ? 'POST' : 'GET', url });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'INVALID_AUTHENTICATION']);
    for (const { calls } of Object.values(services.electricity)) expect(calls).toEqual([]);
  },
);
