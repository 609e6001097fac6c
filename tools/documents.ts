import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { keyFiles } from '../src/config/process-files.ts';
import { exampleEnvironment } from '../src/config/schema.ts';
import { silentLog } from '../src/domain/context.ts';
import { systemClock } from '../src/lib/clock.ts';
import { describedIn } from '../src/platform/docs/chinese.ts';
import { privacyFacts, privacyPage } from '../src/platform/docs/privacy.ts';
import { markdownPage } from '../src/platform/docs/text-page.ts';
import { createServices } from '../src/services.ts';
import { configurationDocument } from './configuration.ts';
import { type GeneratedFile, settleFiles } from './generated-files.ts';
import { billOfMaterials, licenceList } from './packages.ts';
import { referenceOf } from './reference.ts';
import { scopesDocument } from './scopes.ts';
import { type TerminalLine, terminalPicture } from './terminal-picture.ts';

/** Generates the documents that follow from the sources; with `--check` compares instead, and exits 1 on a difference. */

const root = join(import.meta.dirname, '..');
const config = loadConfig({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, keyFiles);

/** A day in the term of the demo campus, for pictures that do not change from day to day. */
let now = Date.parse('2026-03-18T10:00:00+08:00');
const HOUR_MS = 3_600_000;

/** Calls the service as the README shows it, as the first student of the demo campus. */
const pictureOf = async (app: FastifyInstance): Promise<string> => {
  const send = async (url: string, payload: object): Promise<Record<string, string>> =>
    (await app.inject({ method: 'POST', url, payload })).json().data;
  const student = { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' };
  const { invite_token } = await send('/auth/register/invite', { invite_code: 'DEMO-2026' });
  const { token } = await send('/auth/register/next', { ...student, invite_token });
  const read = (headers: Record<string, string>) =>
    app.inject({ url: '/jwc/academic/info', headers: { authorization: `Bearer ${token}`, ...headers } });
  const fresh = await read({});
  now += HOUR_MS;
  const copy = await read({ 'x-copy': 'only' });
  const command = 'curl -s $BASE/jwc/academic/info -H "Authorization: Bearer $TOKEN"';
  const lines: TerminalLine[] = [
    { kind: 'command', text: `${command} | jq` },
    { kind: 'json', value: fresh.json() },
    { kind: 'comment', text: '# an hour later, without asking the campus again' },
    { kind: 'command', text: `${command} -H 'X-Copy: only' -i \\` },
    { kind: 'command', text: "| grep -iE '^(http|age|cache-status)'", more: true },
    { kind: 'header', text: `HTTP/1.1 ${copy.statusCode} ${copy.statusMessage}` },
    { kind: 'header', text: `cache-status: ${copy.headers['cache-status']}` },
    { kind: 'header', text: `age: ${copy.headers.age}` },
  ];
  return terminalPicture('Two calls with curl: an academic summary as JSON, and a copy of it with its age', lines);
};

/** What a service with default settings and the demo campus says of itself, and answers. */
const served = async (): Promise<{ description: Record<string, unknown>; picture: string }> => {
  const clock = { ...systemClock, now: () => now };
  const services = await createServices(config, { log: silentLog, clock });
  // Making the description holds up the event loop for longer than a service would put up with.
  const app = await buildApp(config, services, { pressure: { maxEventLoopDelay: 0 } });
  try {
    await app.ready();
    return { description: describedIn({ ...app.swagger() }, 'en'), picture: await pictureOf(app) };
  } finally {
    await app.close();
    await services.close();
  }
};

const { description, picture } = await served();
const facts = privacyFacts(config.accounts, config.reads, config.server.operator);
const generated = 'Generated from the page that a service answers at `/privacy`, with default settings. Do not edit.';
const generatedZh = '本页由 `npm run documents` 生成，内容与服务的 `/privacy` 页面一致（按默认设置）。请勿手工修改。';

const documents: readonly GeneratedFile[] = [
  { path: 'docs/reference/configuration.md', make: () => configurationDocument() },
  { path: '.env.example', make: () => exampleEnvironment() },
  { path: 'docs/reference/openapi.json', make: () => `${JSON.stringify(description, null, 2)}\n` },
  { path: 'docs/reference/reference.md', make: () => referenceOf(description) },
  { path: 'docs/reference/scopes.md', make: () => scopesDocument(description, 'en') },
  { path: 'docs/zh/scopes.md', make: () => scopesDocument(description, 'zh') },
  { path: 'docs/images/terminal.svg', make: () => picture },
  { path: 'docs/use/privacy.md', make: () => `${markdownPage(privacyPage('en', facts))}\n\n${generated}\n` },
  {
    path: 'docs/zh/privacy.md',
    make: () =>
      `[English](../use/privacy.md) · [中文文档首页](README.md)\n\n${markdownPage(privacyPage('zh', facts))}\n\n${generatedZh}\n`,
  },
  { path: 'docs/reference/sbom.json', make: () => billOfMaterials(root) },
  { path: 'docs/reference/licences.md', make: () => licenceList(root) },
];

await settleFiles(root, documents, { check: process.argv.includes('--check') });
