import { afterEach, describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock: ManualClock;
let gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  gateways = [];
});

const begin = async (options: GatewayOptions = {}): Promise<Gateway> => {
  // At two in the night.
  clock = new ManualClock(Date.UTC(2026, 2, 17, 18));
  // A read that is sent once more pauses for up to 300 ms first, which no test moves the clock for.
  const gateway = await startGateway({ clock: clock.skipping(300), ...options });
  gateways.push(gateway);
  return gateway;
};

const hook = async (gateway: Gateway, token: string, refresh: string, types: readonly string[]) => {
  const body = { url: 'https://hooks.example.net/campus', refresh, types };
  const made = await gateway.b('POST', '/events/hooks', { token, body });
  expect([made.status, made.body.data.refresh]).toEqual([200, refresh]);
  return made.body.data.id as string;
};

/** All that is to be read now. */
const work = async ({ services: { dailyReadings, reads } }: Gateway): Promise<void> => {
  while ((await dailyReadings?.look()) === 'more');
  await dailyReadings?.waitUntilQuiet();
  await reads.close();
};

/** The readings of the service at the campus, by the hour of the campus day. */
const days = async (gateway: Gateway, count: number) => {
  const asked: Array<{ day: number; hour: number; request: string }> = [];
  for (let step = 0; step < count * 24; step += 1) {
    gateway.demo.resetRequests();
    // Looks at the last moment of each hour: what falls due between 22 and 23 h is still read on its day.
    clock.advance(HOUR - 1);
    await work(gateway);
    const local = clock.now() + 8 * HOUR;
    const [day, hour] = [Math.floor(local / DAY), Math.floor((local % DAY) / HOUR)];
    asked.push(...gateway.wire().map((request) => ({ day, hour, request })));
    clock.advance(1);
  }
  return [...Map.groupBy(asked, ({ day }) => day).values()];
};

type Requests = ReadonlyArray<{ readonly hour: number; readonly request: string }>;
const passwords = (requests: Requests): string[] =>
  requests.map(({ request }) => request).filter((request) => /POST .*login/.test(request));
const scorePages = (requests: Requests): number =>
  requests.filter(({ request }) => request.endsWith('/thisTermScores/data')).length;
const daily = async (gateway: Gateway, types: readonly string[] = ['score.published']): Promise<string> => {
  const token = await gateway.register();
  await hook(gateway, token, 'daily', types);
  return token;
};

describe('on its own', () => {
  it('the service asks the campus for nothing for any hooks, unless one of them is read daily', async () => {
    const gateway = await begin();
    const token = await gateway.register();
    const types = ['score.published', 'exam.moved'];
    const id = await hook(gateway, token, 'none', types);
    expect(await days(gateway, 3)).toEqual([]);
    await gateway.b('PATCH', `/events/hooks/${id}`, { token, body: { refresh: 'daily' } });
    expect(await days(gateway, 2)).not.toEqual([]);
    await gateway.b('DELETE', `/events/hooks/${id}`, { token });
    expect(await days(gateway, 2)).toEqual([]);
  });

  it("it reads the term's scores, exams and timetable once a day, signs in once, and what it sees is told", async () => {
    const gateway = await begin({ env: { METRICS: 'on' } });
    gateway.demo.switches.markEveryMinutes = 24 * 60;
    const token = await daily(gateway, ['electricity.low', 'score.published']);
    const all = await days(gateway, 5);
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const day of all) {
      expect(passwords(day)).toEqual(['vpn POST /por/login_psw.csp']);
      expect(scorePages(day)).toBe(1);
      for (const page of [/academicInfo/, /ajaxStudentSchedule/])
        expect(day.filter(({ request }) => page.test(request))).toHaveLength(1);
      expect(day.length).toBeLessThanOrEqual(17);
      for (const { hour } of day) expect(hour >= 7 && hour < 23).toBe(true);
    }
    const { body } = await gateway.b('GET', '/events', { token });
    expect(body.data.events.map(({ type }: { type: string }) => type)).toContain('score.published');
    const { text } = await gateway.b('GET', '/metrics');
    const counted = text.match(/^campus_own_readings_total\{.*\} \d+$/gm) ?? [];
    expect(counted).toContain(`campus_own_readings_total{read="current-scores",outcome="read"} ${all.length}`);
  });

  it('a password that the campus refuses is sent once, and nothing is asked from then on', async () => {
    const gateway = await begin();
    await daily(gateway);
    gateway.demo.student(first.userid).changePasswords({ vpnPassword: 'another-one' });
    const all = await days(gateway, 5);
    expect(all.map(passwords)).toEqual([['vpn POST /por/login_psw.csp']]);
    expect(all.map(scorePages)).toEqual([0]);
  });

  it('a second step is met once, and where the student has to take one nothing is asked, with a live session either', async () => {
    const gateway = await begin();
    const token = await daily(gateway);
    gateway.demo.student(first.userid).setSecondFactor('sms');
    const all = await days(gateway, 4);
    expect(all.map(passwords)).toEqual([['vpn POST /por/login_psw.csp']]);
    expect(gateway.demo.messages().length).toBeLessThanOrEqual(1);
    gateway.demo.student(first.userid).setSecondFactor('none');
    await gateway.b('POST', '/auth/challenges', { token, body: {} });
    // An attended sign-in has ended without a step: the day's reading continues.
    clock.advance(25 * HOUR);
    expect(await days(gateway, 1)).toHaveLength(1);
  });

  it('while a system of the campus is down no student is read, and a failure is not tried again the same day', async () => {
    const gateway = await begin();
    await daily(gateway);
    gateway.demo.fault({ system: 'jwc', fault: { kind: 'reset' } });
    for (const day of await days(gateway, 3)) {
      expect(passwords(day).length).toBeLessThanOrEqual(1);
      expect([new Set(day.map(({ hour }) => hour)).size, scorePages(day)]).toEqual([1, 0]);
    }
  });

  it('at a campus without a list of current scores it reads those of the term', async () => {
    const gateway = await begin({ env: { CAMPUS: 'demo-lakeside' } });
    const token = await gateway.register({ userid: 'L2026001', password: 'lakeside-password', vpnPassword: '' });
    await hook(gateway, token, 'daily', ['score.published']);
    const all: string[][] = [];
    for (let day = 0; day < 3; day += 1) {
      gateway.services.simulated?.resetRequests();
      await days(gateway, 1);
      const paths = (gateway.services.simulated?.requests() ?? []).map(({ path }) => path);
      all.push(paths.filter((path) => path.includes('/api/')));
    }
    for (const requests of all) {
      expect(requests.filter((request) => request.endsWith('/api/scores'))).toHaveLength(1);
      expect(requests.filter((request) => request.endsWith('/api/timetable'))).toHaveLength(1);
    }
    // Which term it is was asked on the first day, and is known for a week.
    expect(all.map((requests) => requests.length)).toEqual([8, 6, 6]);
  });

  it('there is nothing to read for where no copies are kept', async () => {
    const gateway = await begin({ env: { KEEP_COPIES: 'off' } });
    expect(gateway.services.dailyReadings).toBeNull();
  });
});
