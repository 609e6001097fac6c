import { afterEach, describe, expect, it } from 'vitest';
import { refreshLimits } from '../../src/domain/hooks/refresh.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
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
  const gateway = await startGateway({ clock, ...options });
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
const work = async ({ services: { refreshing, reads } }: Gateway): Promise<void> => {
  while (await refreshing?.look());
  await refreshing?.quiet();
  await reads.close();
};

/** What the service has asked the campus for, by the hour of the campus day. */
const days = async (gateway: Gateway, count: number) => {
  const asked: Array<{ day: number; hour: number; request: string }> = [];
  for (let step = 0; step < (count * DAY) / (30 * MINUTE); step += 1) {
    gateway.demo.resetRequests();
    await work(gateway);
    const local = clock.now() + 8 * HOUR;
    const [day, hour] = [Math.floor(local / DAY), Math.floor((local % DAY) / HOUR)];
    asked.push(...gateway.wire().map((request) => ({ day, hour, request })));
    clock.advance(30 * MINUTE);
  }
  return [...Map.groupBy(asked, ({ day }) => day).values()];
};

const passwords = (requests: ReadonlyArray<{ request: string }>): string[] =>
  requests.map(({ request }) => request).filter((request) => /POST .*(login_psw|\/login)/.test(request));

describe('on its own', () => {
  it('the service asks the campus for nothing, whatever hooks there are, unless one of them is read daily', async () => {
    const gateway = await begin();
    const token = await gateway.register();
    const types = ['score.published', 'exam.moved'];
    const [none] = [await hook(gateway, token, 'none', types), await hook(gateway, token, 'signal', types)];
    expect(await days(gateway, 3)).toEqual([]);
    const body = { refresh: 'daily' };
    await gateway.b('PATCH', `/events/hooks/${none}`, { token, body });
    expect(await days(gateway, 2)).not.toEqual([]);
    await gateway.b('DELETE', `/events/hooks/${none}`, { token });
    expect(await days(gateway, 2)).toEqual([]);
  });

  it('it reads what the types need, twice a day and by day, and signs in once', async () => {
    const gateway = await begin();
    const token = await gateway.register();
    gateway.demo.switches.markEveryMinutes = 24 * 60;
    await hook(gateway, token, 'daily', ['score.published', 'exam.moved', 'activity.changed']);
    const all = await days(gateway, 7);
    expect(all.length).toBeGreaterThanOrEqual(6);
    for (const day of all) console.log(day.map(({ hour, request }) => `${hour} ${request}`));
    const { body } = await gateway.b('GET', '/events', { token });
    console.log(body.data.events.map((e: { type: string }) => e.type));
  });
});
