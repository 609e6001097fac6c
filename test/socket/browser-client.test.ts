import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { compiler, hasTools, needsTools } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'clients/typescript');
const dist = mkdtempSync(join(tmpdir(), 'campus-client-'));

/** The page of an app that uses the package; it runs in the browser. */
const program = `(async ({ api, body }) => {
  const { CampusError, createClient } = await import('/index.js');
  const campus = createClient({ baseUrl: api, language: 'zh' });
  const told = [];
  campus.token.onChange(({ token }) => told.push(token !== null));
  await campus.call('login', { body });
  const asked = await campus.call('getAcademicInfo', { freshness: { noCache: true } });
  const copy = await campus.call('getAcademicInfo', { freshness: { onlyIfCached: true } });
  const again = await campus.call('getAcademicInfo');
  const same = await campus.call('v1FetchAcademicInfo');
  const failed = await campus.call('listTermScores', { path: { term_code: 'spring' } }).catch((error) => error);
  const waiting = await campus.call('login', { body: { ...body, password: 'wrong' } }).catch((error) => error);
  await campus.call('logout');
  return {
    told,
    ages: [asked.age, copy.age >= 0, again.age],
    gpas: [copy.data.gpa, again.data.gpa, same.data.gpa].map((gpa) => gpa === asked.data.gpa),
    traced: /^[0-9a-f]{32}$/.test(asked.traceId),
    failed: [failed instanceof CampusError, failed.code, failed.details[0].msg.includes('学期代码'), failed.traceId.length],
    waiting: [waiting.code, waiting.advice],
  };
})`;

describe.skipIf(!hasTools)(`the client package, built (${needsTools})`, () => {
  let gateway: Gateway;
  let pages: Server;
  let site = '';
  beforeAll(async () => {
    execFileSync(process.execPath, [compiler, '-p', folder, '--outDir', dist], { cwd: root });
    const cjs = [compiler, '-p', join(folder, 'tsconfig.cjs.json'), '--outDir', join(dist, 'cjs')];
    execFileSync(process.execPath, cjs, { cwd: root });
    writeFileSync(join(dist, 'cjs/package.json'), '{"type":"commonjs"}');
    gateway = await startGateway();
    await gateway.register(first);
    pages = createServer(({ url = '/' }, response) => {
      const isScript = url.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(join(dist, basename(url))) : '<title>An app</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const address = pages.address();
    site = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  });
  afterAll(async () => {
    pages.close();
    await gateway.close();
    rmSync(dist, { recursive: true });
  });

  it('has the files that package.json names, of the version of the service, and needs no other package', () => {
    const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { main, types, exports, version, dependencies } = described;
    const { import: modern, require: older } = exports['.'];
    expect([main, types]).toEqual([older.default, older.types]);
    for (const path of [...Object.values<string>(modern), main, types]) {
      expect(existsSync(join(dist, path.replace('./dist/', '')))).toBe(true);
    }
    expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    expect(dependencies).toBeUndefined();
    const scripts = globSync('*.js', { cwd: dist }).map((path) => readFileSync(join(dist, path), 'utf8'));
    const imported = scripts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from));
    expect(imported.filter((from) => !/^\.\/[\w-]+\.js$/.test(String(from)))).toEqual([]);
  });

  it('uses nothing that React Native lacks', () => {
    const lacking =
      /\bnew URL\b|URLSearchParams|AbortSignal\.(?:any|timeout)|DOMException|structuredClone|\bBuffer\b|\bprocess\b|TextDecoder|ReadableStream|\bcrypto\b|localStorage|\bwindow\b/;
    const scripts = globSync('*.js', { cwd: dist }).map((path) => [path, readFileSync(join(dist, path), 'utf8')]);
    expect(scripts.length).toBeGreaterThan(5);
    const code = scripts.map(([path, text = '']) => [path, text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')]);
    // Streams and signatures are for where they exist; nothing of these two runs before it is called.
    const beyond = ['events.js', 'hooks.js'];
    for (const path of beyond)
      expect(readFileSync(join(dist, path), 'utf8')).not.toMatch(/^(?:const|let|new|await)\b.*(?:Decoder|crypto)/m);
    expect(code.filter(([, text = '']) => lacking.test(text)).map(([path]) => path)).toEqual(beyond);
  });

  it.each([
    ['module', `import { createClient } from ${JSON.stringify(join(dist, 'index.js'))};`],
    ['commonjs', `const { createClient } = require(${JSON.stringify(join(dist, 'cjs/index.js'))});`],
  ])('runs in Node as %s', (type, first) => {
    const program = `${first} createClient({ baseUrl: 'http://127.0.0.1:9' }).alive().catch(({ code }) => console.log(code));`;
    // Under this flag what is written for `require` may not hold anything else.
    const args = ['--no-experimental-require-module', `--input-type=${type}`, '--eval', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('NETWORK\n');
  });

  it.skipIf(!hasChromium)(`runs in a browser, on a page of another origin (${needsChromium})`, async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(site);
      const given = JSON.stringify({ api: gateway.url, body: entryOf(first) });
      expect(await page.evaluate(`${program}(${given})`)).toEqual({
        told: [true, false],
        ages: [0, true, 0],
        gpas: [true, true, true],
        traced: true,
        failed: [true, 'VALIDATION_ERROR', true, 32],
        waiting: ['REMOTE_CREDENTIALS_INVALID', 'new-passwords'],
      });
    } finally {
      await browser.close();
    }
  });
});
