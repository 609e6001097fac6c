import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import openapi from '../../docs/reference/openapi.json' with { type: 'json' };
import { buildApp } from '../../src/composition/app.ts';
import { readFileSet } from '../../src/pages/app/student-page.ts';
import { errorTable } from '../../src/surfaces/b/error-codes.ts';
import { appUnderTest, testConfig } from '../support/app.ts';
import { fakeServices } from '../support/fake-services.ts';
import { pageFileText, pageScripts, pageWords } from '../support/student-page.ts';

const page = async () => {
  const { app } = await appUnderTest();
  const { body, headers } = await app.inject('/app/');
  const [, set = ''] = /src="([0-9a-f]{20})\/main\.js"/.exec(body) ?? [];
  return { app, body, headers, set };
};

describe('the page for students', () => {
  it('is found without its slash, names one set of files, and is asked for each time', async () => {
    const { app, body, headers, set } = await page();
    const moved = await app.inject('/app');
    expect([moved.statusCode, moved.headers.location]).toEqual([308, 'app/']);
    expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-cache', 'noindex, nofollow']);
    const named = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(named.filter((address) => !address.startsWith(`${set}/`))).toEqual(['retry.js']);
    for (const address of named)
      expect([address, (await app.inject(`/app/${address}`)).statusCode]).toEqual([address, 200]);
  });

  it('serves its files for good, and another set not at all', async () => {
    const { app, set } = await page();
    for (const [name, { type }] of readFileSet().files) {
      const { statusCode, headers } = await app.inject(`/app/${set}/${name}`);
      expect([name, statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        name,
        200,
        type,
        'public, immutable, max-age=31536000',
      ]);
    }
    for (const path of [
      `${'0'.repeat(20)}/main.js`,
      `${set}/no-such.js`,
      `${set}/student-page.ts`,
      `${set}/../index.html`,
    ]) {
      expect([path, (await app.inject(`/app/${path}`)).statusCode]).toEqual([path, 404]);
    }
  });

  it('runs nothing but its own files', async () => {
    const { headers, body } = await page();
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;connect-src 'self';manifest-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/<script(?![^>]* src=)|<[^>]* (?:style|on[a-z]+)=|http-equiv/);
  });

  it('narrows that to its own folder where its address is the one that the operator set', async () => {
    const { app } = await appUnderTest({}, { publicUrl: 'https://campus.example.edu/gateway' });
    const at = async (host: string) => (await app.inject({ url: '/app/', headers: { host } })).body;
    const place = 'campus.example.edu/gateway/app/';
    expect(await at('campus.example.edu')).toContain(`content="script-src ${place}; style-src ${place}"`);
    expect(await at('127.0.0.1:3000')).not.toContain('http-equiv');
  });

  it('tells which parts of a calendar the campus offers', async () => {
    expect((await page()).body).toContain(' data-calendars="classes exams activities"');
    const services = fakeServices();
    const capabilities = new Set([...services.campus.capabilities].filter((name) => !name.startsWith('laborClub.')));
    services.campus = { ...services.campus, capabilities };
    const app = await buildApp(testConfig, services);
    expect((await app.inject('/app/')).body).toContain(' data-calendars="classes exams"');
    await app.close();
  });

  it('is not there with PAGES=off, unlike the page of a challenge', async () => {
    const app = await buildApp({ ...testConfig, pages: { enabled: false } }, fakeServices());
    const statuses = await Promise.all(
      ['/app', '/app/', '/app/retry.js'].map(async (url) => (await app.inject(url)).statusCode),
    );
    expect(statuses).toEqual([404, 404, 404]);
    const challenge = await app.inject('/challenge');
    expect([challenge.statusCode, challenge.body.includes('data-pages>')]).toEqual([200, false]);
    for (const url of ['/status?lang=en', '/privacy?lang=en', '/docs']) {
      const { body } = await app.inject({ url, headers: { accept: 'text/html' } });
      expect([url, /href="\/?app\/"/.test(body)]).toEqual([url, false]);
    }
    await app.close();
  });

  it('has a separate limit, which leaves the documents alone', async () => {
    const { app } = await appUnderTest();
    const at = async (url: string) => (await app.inject({ url, remoteAddress: '203.0.113.9' })).statusCode;
    for (let call = 0; call < 3_000; call += 1) await at('/app/retry.js');
    expect([await at('/app/'), await at('/privacy')]).toEqual([429, 200]);
  });

  it('costs a first visit at most 60 kB in 14 files', async () => {
    const { files } = readFileSet();
    const { body } = await page();
    const preloaded = [...body.matchAll(/modulepreload" href="[^/]+\/([^"]+)"/g)].map(([, name = '']) => name);
    // Icon and description of the installed page are asked for by some browsers.
    const names = [...preloaded, 'main.js', 'app.css', 'words/zh.json', 'icon.svg', 'manifest.webmanifest'];
    const texts = [
      Buffer.from(body),
      Buffer.from(pageFileText('app/retry.js')),
      ...names.map((name) => files.get(name)?.body ?? Buffer.alloc(0)),
    ];
    expect(texts.length).toBeLessThanOrEqual(14);
    const bytes = texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
    expect(bytes).toBeLessThanOrEqual(60_000);
  });
});

describe('its scripts', () => {
  const scripts = [...pageScripts()];

  it('import each other and nothing else, so that all of them are two steps away', () => {
    const imports = scripts.flatMap(([path, text]) =>
      [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) => [path, target]),
    );
    const foreign = imports.filter(
      ([path = '', target = '']) => !/^\.\.?\//.test(target) && !/(?:htm|qr)\.js$/.test(path),
    );
    expect(foreign).toEqual([]);
  });

  it.each([
    ['writes markup', /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/],
    ['evaluates texts', /\beval\(|new Function|setTimeout\('/],
    [
      'is younger than 2021',
      /\.at\(|Object\.hasOwn|\.(?:findLast|toSorted|toReversed|toSpliced|with)\(|#\w+\s*[=(;]|\bstatic \{|structuredClone|Error\([^)]*cause|^await /m,
    ],
    ['looks behind', /\(\?<[=!]/],
    ['waits for a service worker', /serviceWorker|indexedDB|caches\./],
  ])('none of them %s', (_, forbidden) => {
    expect(scripts.filter(([, text]) => forbidden.test(text)).map(([path]) => path)).toEqual([]);
  });

  it('its styles are of March 2022', () => {
    const styles = pageFileText('app/app.css') + pageFileText('palette.css');
    expect(styles).not.toMatch(
      /:has\(|light-dark\(|color-mix\(|@container|@layer|@scope|subgrid|\d[dls]v[hw]|text-wrap|&\s*[.:{>]|@import|url\(/,
    );
    expect(styles.split('\n').length).toBeLessThanOrEqual(350);
  });

  it('ask for operations that the description has, and name members that it has', () => {
    const paths: Readonly<Record<string, object>> = openapi.paths;
    const asked = scripts.flatMap(([, text]) => [...text.matchAll(/'(GET|POST|PUT|PATCH|DELETE) (\/[^']*)'/g)]);
    expect(asked.length).toBeGreaterThan(35);
    const unknown = asked.filter(([, method = '', path = '']) => !(method.toLowerCase() in (paths[path] ?? {})));
    expect(unknown.map(([call]) => call)).toEqual([]);

    const members = new Set<string>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('properties' in value) for (const name of Object.keys(value.properties ?? {})) members.add(name);
      if ('name' in value && 'in' in value) members.add(String(value.name));
      for (const each of Object.values(value)) walk(each);
    };
    walk(openapi);
    const named = scripts.flatMap(([path, text]) => {
      const code = text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        .replace(/t\((['`]).*?\1/g, '')
        .replace(/'[A-Z]+ \/[^']*'/g, '');
      return [
        ...code.matchAll(
          /(?<![\w-])[a-z]+(?:_[a-z]+)+(?!\w)|(?<=(?<!Math|Date|Intl)\.)[A-Z][A-Za-z]+|(?<!\w)[A-Z][A-Za-z]+(?=: [a-z])/g,
        ),
      ].map(([name]) => [name, path] as const);
    });
    expect(named.length).toBeGreaterThan(150);
    // States and reasons are values, not members.
    const values = JSON.stringify(openapi);
    const strange = named.filter(
      ([name]) => !members.has(name) && !values.includes(`"${name}"`) && !(name in globalThis),
    );
    expect(strange).toEqual([]);
  });

  it('stay small', () => {
    expect(pageFileText('app/api.js').split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe('its words', () => {
  const [en, zh] = [pageWords('en'), pageWords('zh')];

  it('are the same in both languages, with the same places for values', () => {
    expect(Object.keys(en)).toEqual(Object.keys(zh));
    const places = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const name of Object.keys(en)) expect([name, places(en[name])]).toEqual([name, places(zh[name])]);
  });

  it('name every code of the service', () => {
    for (const code of [...Object.keys(errorTable), 'LOST'])
      expect([code, en[`code.${code}`]]).not.toEqual([code, undefined]);
  });

  it('are there for every name that a script asks for, and for no other', () => {
    const text = [...pageScripts().values()].join('\n');
    const asked = [...text.matchAll(/\bt\(\s*(?:[^'`()]*\? )?'([a-z][\w.]*)'/gi)].map(([, name = '']) => name);
    expect(asked.length).toBeGreaterThan(150);
    expect(asked.filter((name) => !(name in en))).toEqual([]);
    const unused = Object.keys(en).filter((name) => {
      if (text.includes(`'${name}'`)) return false;
      const families = [...text.matchAll(/`([a-z]+\.)[^`]*\$\{/g)].map(([, family = '']) => family);
      return !families.some((family) => name.startsWith(family));
    });
    expect(unused).toEqual([]);
  });
});
