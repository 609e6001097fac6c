import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

/** A campus of which the academic affairs alone are connected. */
let gateway: Gateway;
let token: string;

beforeAll(async () => {
  gateway = await startGateway({
    // As another version may have them: of what is not supplied a proof says nothing.
    proofs: [
      { product: 'jwc', capability: 'academics.terms', month: '2026-05' },
      { product: 'card', capability: 'card.balance', month: '2026-05' },
    ],
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

describe('a campus that supplies only some of it', () => {
  it('answers with what it has', async () => {
    const { status, body } = await gateway.b('GET', '/jwc/term/all', { token });
    expect([status, body.data.length > 0]).toEqual([200, true]);
    // In the time zone of its manifest, two hours behind the usual one.
    expect(gateway.config.campus.timeZone).toBe('Asia/Urumqi');
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
    const { capabilities, name, time_zone } = body.data;
    expect([name.en, time_zone]).toEqual(['Small Town University', 'Asia/Urumqi']);
    expect(capabilities).toEqual([...capabilities].sort());
    expect(new Set(capabilities.map((name: string) => name.split('.')[0]))).toEqual(
      new Set(['academics', 'evaluation', 'offerings']),
    );
  });

  it('says which of it a recording of a real campus has proven', async () => {
    const { capabilities, supplied } = (await gateway.b('GET', '/campus')).body.data;
    const of = (name: string) => supplied.find(({ capability }: { capability: string }) => capability === name);
    expect(supplied.map(({ capability }: { capability: string }) => capability)).toEqual(capabilities);
    expect(of('academics.terms')).toEqual({ capability: 'academics.terms', product: 'jwc', proven: '2026-05' });
    expect(of('academics.summary')).toEqual({ capability: 'academics.summary', product: 'jwc', proven: null });
  });
});
