import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { chooseCoding } from '../../../src/pages/assets.ts';
import { startPage } from '../../../src/pages/docs/docs.ts';
import { manuals } from '../../../src/pages/docs/manual.ts';
import { htmlOf } from '../../../tools/markdown.ts';
import { appUnderTest } from '../../support/app.ts';

type App = Awaited<ReturnType<typeof appUnderTest>>['app'];

const ask = (app: App, url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

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

  it.each([
    ['/docs/reference.js', 'Accept-Encoding'],
    ['/openapi.json', 'Accept-Language, Accept-Encoding'],
  ])('are compressed from the first visitor on, and are the same then: %s', async (url, vary) => {
    const [br, gzip] = [
      await ask(app, url, { 'accept-encoding': 'br' }),
      await ask(app, url, { 'accept-encoding': 'gzip' }),
    ];
    const plain = await ask(app, url);
    expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    for (const answer of [br, gzip, plain]) {
      expect(answer.headers.vary).toBe(vary);
      expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
      if (answer !== plain) expect(answer.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
    }
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('are not sent again to a client that has them in that coding', async () => {
    const again = (headers: Record<string, string>) => ask(app, '/openapi.json', headers);
    const gzip = { 'accept-encoding': 'gzip' };
    const { etag, vary } = (await again(gzip)).headers;
    for (const known of [String(etag), `"other", W/${etag}`]) {
      const answer = await again({ ...gzip, 'if-none-match': known });
      expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([304, '', undefined]);
      expect([answer.headers.etag, answer.headers.vary]).toEqual([etag, vary]);
    }
    expect((await again({ 'if-none-match': String(etag) })).statusCode).toBe(200);
    expect((await again({ ...gzip, 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('are cached for good only under an address with their version', async () => {
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

describe('the description in Chinese', () => {
  type Described = {
    tags: Array<Record<string, string>>;
    paths: Record<string, Record<string, Record<string, string>>>;
  };
  const told = async (url: string, language?: string) => {
    const { app } = await appUnderTest();
    return (await ask(app, url, language === undefined ? {} : { 'accept-language': language })).json<Described>();
  };
  const operationsOf = ({ paths }: Described) => Object.values(paths).flatMap((item) => Object.values(item));

  it('has a summary for every operation and a name for every group, for readers of Chinese only', async () => {
    const [english, chinese] = [await told('/openapi.json'), await told('/openapi.json', 'zh-CN,zh;q=0.9')];
    const isChinese = (text: string | undefined) => /\p{Script=Han}/u.test(text ?? '');
    expect(operationsOf(chinese).filter(({ summary }) => !isChinese(summary))).toEqual([]);
    expect(operationsOf(english).filter(({ summary }) => isChinese(summary))).toEqual([]);
    expect(chinese.tags.filter((tag) => !isChinese(tag['x-displayName']))).toEqual([]);
    expect(await told('/openapi.json?lang=en', 'zh')).toEqual(english);
  });
});

describe('the documents of the page', () => {
  let app: App;
  beforeAll(async () => {
    // All of them are asked for within a minute.
    const limits = { documentsPerMinute: 10_000 };
    ({ app } = await appUnderTest({ limits }));
  });
  const page = (url: string) => app.inject(url);
  const codes = async (): Promise<readonly string[]> =>
    (await page('/openapi.json')).json().components.schemas.ErrorCode.enum;

  it.each(['en', 'zh'])('have a place for every code of a failure: %s', async (lang) => {
    const { body } = await page(`/docs/errors?lang=${lang}`);
    const places = [...body.matchAll(/<tr id="([A-Z_]+)"/g)].map(([, code]) => code);
    expect(places.toSorted()).toEqual((await codes()).toSorted());
  });

  it.each(['en', 'zh'])('are where every link of the description leads to: %s', async (lang) => {
    const { body } = await page(`/openapi.json?lang=${lang}`);
    const links = new Set([...body.matchAll(/\]\((\/[^)\s]*)\)/g)].map(([, link = '']) => link));
    expect([...links].filter((link) => !link.startsWith('/docs/errors#')).length).toBeGreaterThan(2);
    const pages = new Map<string, string>();
    for (const link of links) {
      const [path = '', place] = link.split('#');
      const told = pages.get(path) ?? (await page(`${path}?lang=${lang}`)).body;
      pages.set(path, told);
      expect([link, told.startsWith('<!doctype html>')]).toEqual([link, true]);
      if (place !== undefined) expect([link, told.includes(` id="${place}"`)]).toEqual([link, true]);
    }
  });

  it.each(manuals.flatMap((name) => ['en', 'zh'].map((lang) => [name, lang])))(
    'lead to nothing that is not there: %s in %s',
    async (name, lang) => {
      const { body, statusCode, headers } = await page(`/docs/${name}?lang=${lang}`);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
      expect(body).not.toContain('<script');
      const links = [...body.matchAll(/href="(\/[^"#]*)/g)].map(([, url = '']) => url);
      for (const url of new Set(links)) expect([url, (await page(url)).statusCode]).toEqual([url, 200]);
    },
  );

  it('say who operates the service where that is set', async () => {
    const told = async (contact: string | null, name: string | null = null) => {
      const { app } = await appUnderTest({}, { operator: { name, contact }, publicUrl: 'https://campus.example' });
      const { info } = (await app.inject('/openapi.json')).json();
      return { contact: info.contact, page: (await app.inject('/docs')).body };
    };
    const name = 'The operator of this service';
    expect((await told('mailto:help@campus.example')).contact).toEqual({ name, email: 'help@campus.example' });
    expect((await told(null)).contact).toEqual({ name, url: 'https://campus.example' });
    const { contact, page } = await told('https://help.example/?a=1&b=2', 'A & Sons');
    expect(contact).toEqual({ name: 'A & Sons', url: 'https://help.example/?a=1&b=2' });
    expect(page).toMatch(/Operated by A &#38; Sons<\/span>\s*<a href="https:\/\/help\.example\/\?a=1&#38;b=2">/);
  });
});

describe('a document as a page', () => {
  const html = (text: string) => htmlOf(text, (target) => (target === 'gone.md' ? null : target)).trim();

  it('has headings that can be linked to', () => {
    expect(html('# A `b`')).toBe('<h1 id="a-b">A <code>b</code></h1>');
  });

  it('leads only where there is something', () => {
    expect(html('see [a](/b) and [gone](gone.md), [`c`](/d)')).toBe(
      '<p>see <a href="/b">a</a> and gone, <a href="/d"><code>c</code></a></p>',
    );
  });

  it('shows HTML as it is written', () => {
    expect(html('`[a](b)` x<script>1</script>\n\n<b>bold</b>')).not.toMatch(/<script|<b>/);
  });

  it('has a place for the first row of each code of a table', () => {
    const table = html('| code | x |\n|---|---|\n| `A_B` | one |\n| `A_B` | two |');
    expect(table.match(/<tr id="A_B">/g)).toHaveLength(1);
    expect(table).toMatch(/^<div class="wide"><table>/);
  });
});

it('no answer of ours lets a page change where its links lead', async () => {
  const { app } = await appUnderTest();
  for (const url of ['/alive', '/nowhere', '/docs', '/openapi.json']) {
    expect((await ask(app, url)).headers['content-security-policy']).toContain("base-uri 'none'");
  }
});

it('leads to the source and to where questions are asked, where package.json names them', () => {
  const settings = { hasPortal: true, operator: { name: null, contact: null } };
  const versions = { reference: 'r', start: 's' };
  const project = { repository: 'https://git.example.edu/gateway', bugs: 'https://git.example.edu/gateway/issues?a&b' };
  const page = startPage('zh', versions, null, { ...settings, project });
  expect(page).toContain('<a href="https://git.example.edu/gateway">源代码</a>');
  expect(page).toContain('<a href="https://git.example.edu/gateway/issues?a&#38;b">提问与反馈</a>');
  const fork = startPage('en', versions, null, { ...settings, project: { repository: '', bugs: '' } });
  expect(fork).not.toContain('Source code');
  expect(fork).not.toContain('report a problem');
});
