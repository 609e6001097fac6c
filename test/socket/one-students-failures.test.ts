import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { type CampusRig, callContext, first, provingRead, second, startCampusRig } from '../support/campus-rig.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const students = Array.from({ length: 8 }, (_, index) => ({
  userid: `310000000${index}`,
  password: `unified-${index}`,
  vpnPassword: `portal-${index}`,
}));

describe('a system that fails the pages of one student', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let tokens: string[];
  const start = async (options: Pick<GatewayOptions, 'clock' | 'movingClock'>) => {
    gateway = await startGateway(options);
    for (const student of students) gateway.demo.addStudent(student);
    tokens = [];
    for (const student of students) tokens.push(await gateway.register(student));
    for (const token of tokens) expect((await read(token)).status).toBe(200);
  };
  beforeEach(() => {
    clock = new ManualClock();
  });
  afterEach(() => gateway.close());

  const read = (token = ''): Promise<Answer> => gateway.b('GET', '/jwc/academic/info', { token });
  const failing = (fault: DemoFault, ...which: number[]) =>
    which.map((index) => gateway.demo.fault({ system: 'jwc', userid: students[index]?.userid ?? '', fault }));
  const stateOf = () => gateway.services.sessions.breakerStates().get('academics');

  it.each<DemoFault>([{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'cut' }])(
    'costs nobody else a call, whatever that student does: $kind',
    async (fault) => {
      await start({ movingClock: clock });
      failing(fault, 0);
      let good = 0;
      for (let round = 0; round < 30; round += 1) {
        await Promise.all([read(tokens[0]), read(tokens[0]), read(tokens[0])]);
        if ((await read(tokens[1])).status === 200) good += 1;
        clock.advance(1_000);
      }
      expect(good).toBe(30);
      expect(stateOf()).toBe('closed');
    },
    60_000,
  );

  it('leaves that student’s pages alone for a while, says when to come back, and asks again one by one', async () => {
    await start({ clock });
    const [rule] = failing({ kind: 'status', status: 500 }, 0);
    for (let call = 0; call < 5; call += 1) expect((await read(tokens[0])).headers.get('retry-after')).toBeNull();
    gateway.demo.resetRequests();
    const held = await read(tokens[0]);
    expect([held.status, held.body.error.code, held.headers.get('retry-after')]).toEqual([
      502,
      'REMOTE_SERVICE_ERROR',
      '2',
    ]);
    expect(gateway.wire()).toEqual([]);
    expect(gateway.log()).toContain('student-paused');
    // Another system is another matter.
    expect((await gateway.b('GET', '/jwc/competition/info', { token: tokens[0] ?? '' })).status).toBe(200);
    clock.advance(2_000);
    gateway.demo.resetRequests();
    const probes = await Promise.all(
      Array.from({ length: 5 }, () => gateway.b('GET', '/jwc/academic/training_plan', { token: tokens[0] ?? '' })),
    );
    expect(probes.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502]);
    expect(gateway.wire(students[0]?.userid).filter((line) => line.startsWith('jwc'))).toHaveLength(1);
    rule?.remove();
    clock.advance(2_000);
    expect((await read(tokens[0])).status).toBe(200);
    expect((await read(tokens[0])).status).toBe(200);
  });

  it('and those of three has its breaker opened; a fourth student closes it again two seconds later', async () => {
    await start({ clock });
    const rules = failing({ kind: 'status', status: 500 }, 0, 1, 2);
    for (const index of [0, 1, 2, 0, 1]) await read(tokens[index]);
    expect(stateOf()).toBe('open');
    gateway.demo.resetRequests();
    const held = await read(tokens[3]);
    expect([held.status, held.headers.get('retry-after')]).toEqual([502, '2']);
    clock.advance(2_000);
    // Those who failed do not take the probe from those who did not.
    for (const index of [0, 1, 2]) expect((await read(tokens[index])).headers.get('retry-after')).toBe('2');
    expect(gateway.wire()).toEqual([]);
    expect((await read(tokens[3])).status).toBe(200);
    expect(stateOf()).toBe('closed');
    expect((await read(tokens[4])).status).toBe(200);
    for (const rule of rules) rule.remove();
    expect((await read(tokens[0])).status).toBe(200);
  });

  it('three whose pages go on failing cost the others a few seconds and no more', async () => {
    await start({ clock });
    failing({ kind: 'status', status: 500 }, 0, 1, 2);
    let good = 0;
    for (let round = 0; round < 30; round += 1) {
      for (const index of [0, 1, 2]) await read(tokens[index]);
      for (const index of [3, 4, 5, 6, 7]) if ((await read(tokens[index])).status === 200) good += 1;
      clock.advance(1_000);
    }
    // Out of 150.
    expect(good).toBeGreaterThanOrEqual(140);
  }, 60_000);
});

describe('a system to which no connection comes about', () => {
  let rig: CampusRig;
  let site: Server;
  let port: number;
  const listen = () => new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => site.close(resolve));
  beforeEach(async () => {
    site = createServer((_request, response) => {
      response.writeHead(302, { 'set-cookie': 'JSESSIONID=1; Path=/', location: '/home', connection: 'close' });
      response.end();
    });
    port = 0;
    await listen();
    port = (site.address() as AddressInfo).port;
    await close();
    rig = await startCampusRig({ isimUrl: `http://127.0.0.1:${port}` });
    await rig.enroll(first);
    await rig.enroll(second);
  });
  afterEach(async () => {
    await rig.close();
    await close();
  });

  const read = (student = first) =>
    rig.sessions.with(student, 'isim', callContext(), (session) => session.text(provingRead.isim));
  const state = () => rig.sessions.breakerStates().get('electricity');

  it('is left alone by everybody after five calls of one student, and asked again two seconds later', async () => {
    for (let call = 1; call <= 5; call += 1) {
      expect(state()).toBe('closed');
      await expect(read()).rejects.toMatchObject({ kind: 'sign-in-unavailable' });
    }
    expect(state()).toBe('open');
    let reached = 0;
    site.on('connection', () => {
      reached += 1;
    });
    await listen();
    await expect(read(second)).rejects.toMatchObject({ retryAfterSeconds: 2 });
    expect(reached).toBe(0);
    rig.clock.advance(2_000);
    // No page of this student had failed: nobody has to go first.
    await read().catch(() => {});
    expect([reached > 0, state()]).toEqual([true, 'closed']);
  });
});
