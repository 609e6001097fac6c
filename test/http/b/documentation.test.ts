import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseCoding } from '../../../src/platform/assets.ts';
import { appUnderTest } from '../../support/app.ts';

type App = Awaited<ReturnType<typeof appUnderTest>>['app'];

const ask = (app: App, url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

/** The answer once the compressed form is there. */
const compressed = (app: App, url: string, coding: string) =>
  vi.waitFor(
    async () => {
      const answer = await ask(app, url, { 'accept-encoding': coding });
      expect(answer.headers['content-encoding']).toBe(coding);
      return answer;
    },
    { timeout: 20_000, interval: 100 },
  );

describe('the coding of an answer', () => {
  const both = ['br', 'gzip', 'identity'];
  it.each([
    [undefined, both, 'identity'],
    ['', both, 'identity'],
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip, deflate, br', ['gzip', 'identity'], 'gzip'],
    ['gzip, br', ['identity'], 'identity'],
    ['br;q=0.5, gzip', both, 'gzip'],
    ['BR; Q=0.5, gzip;q=0.4', both, 'br'],
    ['br;q=0, gzip;q=0', both, 'identity'],
    ['br;q=0, *', both, 'gzip'],
    ['*;q=0', both, 'identity'],
    ['*', both, 'br'],
    ['identity, br;q=0.5', both, 'identity'],
    ['identity, br', both, 'br'],
    ['identity;q=0.5, *;q=0.1', both, 'identity'],
    ['br;q=seven, gzip;q=2', both, 'identity'],
    ['compress', both, 'identity'],
  ])('for %j of %j is %s', (header, available, coding) => {
    expect(chooseCoding(header, new Set(available))).toBe(coding);
  });
});

describe('the files of the documentation', () => {
  // Compressing them takes longer than all tests here: once is enough.
  let app: App;
  beforeAll(async () => {
    ({ app } = await appUnderTest({ limits: { documentsPerMinute: 10_000 } }));
  });

  it('are sent compressed to whoever takes that, and are the same then', async () => {
    for (const url of ['/docs/reference.js', '/openapi.json']) {
      const plain = await ask(app, url);
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
      const [br, gzip] = [await compressed(app, url, 'br'), await compressed(app, url, 'gzip')];
      expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
      for (const answer of [br, gzip]) {
        expect(answer.headers.vary).toBe('Accept-Encoding');
        expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
        expect(answer.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
      }
      expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    }
  });

  it('are not sent again to whoever has them in that coding', async () => {
    await ask(app, '/openapi.json');
    const { etag } = (await compressed(app, '/openapi.json', 'gzip')).headers;
    const again = (headers: Record<string, string>) => ask(app, '/openapi.json', headers);
    const gzip = { 'accept-encoding': 'gzip' };
    for (const known of [String(etag), `"other", W/${etag}`]) {
      const answer = await again({ ...gzip, 'if-none-match': known });
      expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([304, '', undefined]);
      expect([answer.headers.etag, answer.headers.vary]).toEqual([etag, 'Accept-Encoding']);
    }
    expect((await again({ 'if-none-match': String(etag) })).statusCode).toBe(200);
    expect((await again({ ...gzip, 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('are kept for good under an address of their version only', async () => {
    const page = await ask(app, '/docs');
    expect(page.headers['cache-control']).toBe('no-cache');
    const [, url = ''] = /src="(\/docs\/reference\.js[^"]*)"/.exec(page.body) ?? [];
    expect((await ask(app, url)).headers['cache-control']).toBe('public, immutable, max-age=31536000');
    for (const other of ['/docs/reference.js', '/docs/reference.js?v=of-another-release']) {
      expect((await ask(app, other)).headers['cache-control']).toBe('public, max-age=3600');
    }
  });

  it('are limited per address, and that takes nothing else away', async () => {
    const { app: limited } = await appUnderTest({ limits: { documentsPerMinute: 3 } });
    const urls = ['/docs', '/docs/start.js', '/openapi.json', '/docs/reference.js'];
    const statuses = [];
    for (const url of urls) statuses.push((await ask(limited, url)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(limited, '/docs');
    expect(refused.json().error.code).toBe('COOLDOWN');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await limited.inject({ url: '/docs', remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    expect((await ask(limited, '/nowhere')).statusCode).toBe(404);
  });

  it('are not limited for a trusted caller', async () => {
    const { app } = await appUnderTest({ limits: { documentsPerMinute: 1 } }, { trustedCallers: ['127.0.0.0/8'] });
    for (let n = 0; n < 3; n += 1) expect((await ask(app, '/docs/start.js')).statusCode).toBe(200);
  });
});

it('no answer of ours lets a page change where its links lead', async () => {
  const { app } = await appUnderTest();
  for (const url of ['/alive', '/nowhere', '/docs', '/openapi.json']) {
    expect((await ask(app, url)).headers['content-security-policy']).toContain("base-uri 'none'");
  }
});
