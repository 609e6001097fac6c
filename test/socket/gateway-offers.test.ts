import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultCases } from '../faults/cases.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

/** A campus of which the academic affairs alone are connected. */
let gateway: Gateway;
let token: string;

beforeAll(async () => {
  gateway = await startGateway({
    manifest: ({ vpnUrl, vpnDomain, casUrl, jwcUrl, jwcService }) => ({
      name: { zh: '小城大学', en: 'Small Town University' },
      time_zone: 'Asia/Urumqi',
      portal: { driver: 'ssl-vpn', url: vpnUrl, domain: vpnDomain },
      login: { driver: 'cas', url: casUrl },
      applications: [{ driver: 'jwc', url: `${jwcUrl}/`, service: jwcService }],
    }),
  });
  token = await gateway.register();
});

afterAll(() => gateway.close());

/** Of what the document has all but the two that answer no JSON. */
const isCase = (name: string) => !name.includes('/calendar/{') && !name.endsWith('/stream');

const operations = Object.keys(faultCases)
  .filter((name) => name.includes(' '))
  .map((name) => {
    const [method = '', path = ''] = name.split(' ');
    const isOffered = !/^\/(?:isim|card|ldjlb|aac|jwc\/competition)\//.test(path.replace('/api/v1', ''));
    return { name, method, path: path.replace(/\{\w+\}/g, '1'), isOffered };
  });

describe('a campus that supplies only some of it', () => {
  it('answers with what it has', async () => {
    const { status, body } = await gateway.b('GET', '/jwc/term/all', { token });
    expect([status, body.data.length > 0]).toEqual([200, true]);
    // In the time zone of its manifest, two hours behind the usual one.
    expect(gateway.config.campus.timeZone).toBe('Asia/Urumqi');
  });

  it('refuses by name what it has not, after the token and before path, query and campus', async () => {
    gateway.demo.resetRequests();
    const lacking = operations.filter(({ isOffered, path }) => !isOffered && !path.startsWith('/api/'));
    expect(lacking.length).toBeGreaterThan(20);
    for (const { name, method, path } of lacking) {
      const address = `${path}?from=x&page=0`;
      const { status, body } = await gateway.b(method, address, { token, ...(method === 'POST' ? { body: {} } : {}) });
      expect([name, status, body.error.code, body.error.retryable]).toEqual([name, 501, 'NOT_OFFERED', false]);
      expect([name, (await gateway.b(method, address)).status]).toEqual([name, 401]);
    }
    expect(gateway.wire()).toEqual([]);
  });

  it('does so on the other surface by its code, after body and token', async () => {
    gateway.demo.resetRequests();
    for (const path of ['/aac/fetch_score_info', '/aac/fetch_score_list']) {
      expect((await gateway.a(path, {})).status).toBe(422);
      expect((await gateway.a(path, { token: 'unknown' })).body.code).toBe(401);
      expect((await gateway.a(path, { token })).body).toEqual({
        code: 501,
        message: '本服务未接入该校园系统',
        data: null,
      });
    }
    expect(gateway.wire()).toEqual([]);
  });

  it('describes in the document what it has, and nothing else', async () => {
    const { body } = await gateway.b('GET', '/openapi.json');
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = operations.filter(({ isOffered }) => isOffered).map(({ name }) => name);
    expect(described.filter((name) => isCase(name)).sort()).toEqual(expected.filter((name) => isCase(name)).sort());
  });

  it('takes no part of a calendar that it cannot fill', async () => {
    const feed = (include: string[]) => gateway.b('POST', '/calendar/feeds', { token, body: { name: 'all', include } });
    expect((await feed(['activities'])).status).toBe(422);
    expect((await feed(['classes', 'exams'])).status).toBe(200);
  });

  it('shows the start of an app without what it has not', async () => {
    const { body } = await gateway.b('GET', '/home?include=term,card,labor', { token });
    expect(body.data.parts).toMatchObject({
      term: { error: null },
      card: { data: null, error: { code: 'NOT_OFFERED', retryable: false } },
      labor: { data: null, error: { code: 'NOT_OFFERED', retryable: false } },
    });
  });

  it('says so to everybody, for caches too', async () => {
    const { status, headers, body } = await gateway.b('GET', '/campus');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const { capabilities, ...rest } = body.data;
    expect(rest).toEqual({
      id: 'test',
      name: { zh: '小城大学', en: 'Small Town University' },
      time_zone: 'Asia/Urumqi',
      login: {
        fields: [
          { name: 'userid', secret: false },
          { name: 'password', secret: true },
          { name: 'vpn_password', secret: true },
        ],
        challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
      },
    });
    expect(capabilities).toEqual([...capabilities].sort());
    expect(new Set(capabilities.map((name: string) => name.split('.')[0]))).toEqual(
      new Set(['academics', 'evaluation', 'offerings']),
    );
  });
});
