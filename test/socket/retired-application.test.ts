import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoWiring } from '../../src/demo/types.ts';
import { readCalendar } from '../support/calendar-readers.ts';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const TERM = '2025-2026-2-1';
const DAY = 86_400_000;

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const jwcOf = ({ jwcUrl: url, jwcService: service }: DemoWiring) => ({ driver: 'jwc', url, service });
const clubOf = ({ ldjlbUrl: url, ldjlbService: service }: DemoWiring) => ({
  driver: 'ldjlb',
  url,
  service,
  scan: 'form',
});
/** Another product at the address of the academic affairs, without an evaluation. */
const otherAcademicsOf = (wiring: DemoWiring) => ({ ...jwcOf(wiring), driver: 'lakeside' });

/** One database and one campus, served after each other with different applications. */
const database = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'retired-'));
  open.push(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock();
  const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  open.push(() => demo.close());
  const serve = async (...applications: ReadonlyArray<(wiring: DemoWiring) => object>) => {
    const gateway = await startGateway({
      clock,
      demo,
      env: { DATABASE_URL: `sqlite:${join(folder, 'campus.db')}` },
      manifest: (wiring) => ({
        name: { zh: '小城大学', en: 'Small Town University' },
        time_zone: 'Asia/Shanghai',
        portal: { driver: 'ssl-vpn', url: wiring.vpnUrl, domain: wiring.vpnDomain },
        login: { driver: 'cas', url: wiring.casUrl },
        applications: applications.map((of) => of(wiring)),
      }),
    });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await gateway.close();
      isOpen = false;
    };
    open.push(close);
    return { ...gateway, close };
  };
  return { clock, demo, serve };
};

const calendarOf = (text: string) => {
  const [events = []] = Object.values(readCalendar(text));
  return {
    activities: events.filter(({ title }) => /^(?:劳动|报名截止)：/.test(title)).length,
    others: events.filter(({ title }) => !/^(?:劳动|报名截止)：/.test(title)).length,
    said: text.replaceAll('\r\n ', ''),
  };
};

it('a calendar continues with what is left, keeps what it had, and says which part has ended', async () => {
  const { clock, demo, serve } = await database();
  const before = await serve(jwcOf, clubOf);
  const token = await before.register(first);
  const without = await before.register(second);
  const studies = ['/jwc/term/current', '/jwc/term/all', `/jwc/schedule/${TERM}/table`, '/jwc/exam/info'];
  for (const path of [...studies, '/ldjlb/labor/joined/activities']) await before.b('GET', path, { token });
  const feed = async (by: string, include: string[]): Promise<string> => {
    const made = await before.b('POST', '/calendar/feeds', { token: by, body: { name: 'all', include } });
    return new URL(made.body.data.url).pathname;
  };
  const paths = [
    await feed(token, ['classes', 'exams', 'activities']),
    await feed(token, ['activities']),
    await feed(without, ['activities']),
  ];
  const had = calendarOf((await before.b('GET', paths[0] ?? '')).text);
  expect([had.activities > 0, had.others > 0]).toEqual([true, true]);
  for (const path of paths) await before.b('GET', path);
  const hook = { url: 'https://receiver.example/hook', types: ['activity.changed', 'exam.moved'] };
  const { id } = (await before.b('POST', '/events/hooks', { token, body: hook })).body.data;
  await before.close();

  const after = await serve(jwcOf);
  clock.advance(2 * DAY);
  demo.resetRequests();
  const [all, one, never] = await Promise.all(paths.map(async (path) => calendarOf((await after.b('GET', path)).text)));
  expect(after.wire()).toEqual([]);
  const ended = '劳动活动不再更新：本服务已不再接入该校园系统';
  expect(all).toMatchObject({ activities: had.activities, others: had.others });
  expect(all?.said).toContain(ended);
  expect([one?.activities, one?.others]).toEqual([had.activities, 0]);
  expect(one?.said).toContain(ended);
  expect([never?.activities, never?.said]).toEqual([0, expect.stringContaining('劳动活动：本服务未接入该校园系统')]);

  // Exams that the campus still has are read and shown as before.
  expect(all?.said).toContain('考试更新于 2026-03-18');
  expect((await after.b('GET', '/jwc/exam/info', { token })).status).toBe(200);
  clock.advance(600_000);
  const later = calendarOf((await after.b('GET', paths[0] ?? '')).text);
  expect([later.activities, later.said]).toEqual([had.activities, expect.stringContaining('考试更新于 2026-03-20')]);

  // Stored copies of it stay the student's own, and answer no call.
  const stale = { 'cache-control': 'only-if-cached' };
  const asked = await after.b('GET', '/ldjlb/labor/joined/activities', { token, headers: stale });
  expect([asked.status, asked.body.error.code]).toEqual([501, 'NOT_OFFERED']);
  const again = (await after.b('POST', '/auth/login/next', { body: entryOf(first) })).body.data.token;
  expect((await after.b('GET', '/account/export', { token: again })).text).toContain('joined-activities');

  // A hook continues with its other types; no new one waits for what cannot happen.
  const [listed] = (await after.b('GET', '/events/hooks', { token })).body.data.hooks;
  expect(listed).toMatchObject({ id, state: 'on', types: ['exam.moved', 'activity.changed'] });
  expect((await after.b('POST', '/events/hooks', { token, body: hook })).status).toBe(422);
  const changed = await after.b('PATCH', `/events/hooks/${id}`, { token, body: { types: ['exam.moved'] } });
  expect([changed.status, changed.body.data.types]).toEqual([200, ['exam.moved']]);
});

it('an evaluation that was running ends as failed, without a request', async () => {
  const { demo, serve } = await database();
  demo.student(first.userid).setEvaluation(2);
  const before = await serve(jwcOf);
  const token = await before.register(first);
  expect((await before.a('/jwc/evaluation/initialize', { token })).body.code).toBe(200);
  expect((await before.a('/jwc/evaluation/start', { token })).body.code).toBe(200);
  await before.close();

  demo.resetRequests();
  const after = await serve(otherAcademicsOf);
  await vi.waitFor(async () => {
    expect(await after.services.evaluation.status({ userid: first.userid })).toMatchObject({ status: 'failed' });
  });
  expect((await after.b('GET', '/jwc/evaluation/status', { token })).status).toBe(501);
  expect(after.wire().filter((line) => !line.startsWith('vpn') && !line.startsWith('cas'))).toEqual([]);
  expect(demo.student(first.userid).evaluations()).toMatchObject([{ stored: 0 }, { stored: 0 }]);
});
