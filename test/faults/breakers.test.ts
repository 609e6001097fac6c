import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault, DemoSystem } from '../../src/demo/types.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { documented, groupBy, table } from './document.ts';
import { faultName, faultsAt, isHarmless } from './kinds.ts';
import { ALL_OVER_MS, FaultWorld, type Student } from './world.ts';

/** One read per system that cannot do without it. The two logins are met by whoever is not signed in. */
const readOf: Readonly<Record<DemoSystem, string>> = {
  vpn: '/jwc/academic/info',
  cas: '/jwc/academic/info',
  jwc: '/jwc/academic/info',
  aac: '/aac/credit/list',
  ldjlb: '/ldjlb/labor/joined/clubs',
  isim: '/isim/elec/info',
  competition: '/jwc/competition/info',
};
const systems: readonly DemoSystem[] = ['vpn', 'cas', 'jwc', 'aac', 'ldjlb', 'isim', 'competition'];
const columns = ['portal', 'unified login', 'academics', 'activity score', 'labor club', 'electricity', 'competitions'];

/** No answer, half an answer, or the admission of a fault. */
const speaksOfAnOutage = (fault: DemoFault): boolean =>
  ['hang', 'drip', 'reset', 'reset-after', 'cut', 'huge'].includes(fault.kind) ||
  (fault.kind === 'status' && fault.status >= 500);

/** Half a form sends half a view state back, to which these pages answer with status 500. */
const breaksTheForm = (fault: DemoFault, system: DemoSystem): boolean =>
  system === 'competition' && fault.kind === 'truncated';

describe('the breaker of a system', () => {
  let world: FaultWorld;
  let student: Student;
  const seen: Array<{ fault: string; system: DemoSystem; opens: boolean }> = [];

  beforeAll(async () => {
    world = await FaultWorld.start();
    student = await world.registered();
    const body = { room_id: '010101' };
    await world.drive(world.gateway.b('POST', '/isim/room/bind', { token: student.token, body }));
  });
  afterAll(() => world.close());

  const isLogin = (system: DemoSystem): boolean => system === 'vpn' || system === 'cas';

  const read = async (system: DemoSystem, fault?: DemoFault): Promise<Answer> => {
    if (isLogin(system)) await world.forget(student);
    const calling = world.gateway.b('GET', readOf[system], { token: student.token });
    return (await world.timed(calling, fault, system)).result;
  };
  const stateOf = (system: DemoSystem) => world.gateway.services.sessions.breakerStates().get(system);

  /** With the breaker open the system is left alone, and the caller learns when to come back. */
  const expectLeftAlone = async (system: DemoSystem, where: string): Promise<void> => {
    const { demo } = world.gateway;
    demo.resetRequests();
    const answer = await read(system);
    expect([answer.status, answer.body.error?.code], where).toEqual([502, 'REMOTE_SERVICE_ERROR']);
    expect(demo.requests({ system }), where).toEqual([]);
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait, where).toBeGreaterThan(0);
    expect(wait, where).toBeLessThanOrEqual(30);
  };

  it.each(systems)(
    '%s opens after five calls without a proper answer, and for nothing else',
    async (system) => {
      const { demo } = world.gateway;
      for (const fault of faultsAt(system === 'vpn' ? 'portal' : 'application').filter((each) => !isHarmless(each))) {
        const where = `${faultName(fault)} at ${system}`;
        world.clock.advance(ALL_OVER_MS);
        expect((await read(system)).status, `before ${where}`).toBe(200);
        const rule = demo.fault({ system, fault });
        for (let call = 1; call <= 5; call += 1) {
          expect(stateOf(system), `${where}, before call ${call}`).toBe('closed');
          const answer = await read(system, fault);
          expect(answer.status, `${where}: ${answer.text}`).toBeGreaterThanOrEqual(502);
        }
        rule.remove();
        const opens = stateOf(system) === 'open';
        expect(opens, where).toBe(speaksOfAnOutage(fault) || breaksTheForm(fault, system));
        seen.push({ fault: faultName(fault), system, opens });
        if (!opens) continue;
        await expectLeftAlone(system, where);
        world.clock.advance(30_000);
        expect((await read(system)).status, `probe after ${where}`).toBe(200);
        expect(stateOf(system), `after ${where}`).toBe('closed');
      }
      world.clock.advance(ALL_OVER_MS);
      expect((await read(system)).status).toBe(200);
    },
    120_000,
  );

  it.each(['captcha', 'attacked', 'second-factor'] as const)(
    '%s: one password goes out, then there is a pause',
    async (kind) => {
      const { demo } = world.gateway;
      const other = await world.registered();
      await world.forget(other);
      demo.resetRequests();
      const rule = demo.fault({ system: 'vpn', fault: { kind }, userid: other.userid });
      for (let call = 0; call < 3; call += 1) {
        const { status, headers } = await world.drive(world.gateway.b('GET', readOf.vpn, { token: other.token }));
        expect(status).toBe(502);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      rule.remove();
      expect(demo.requests({ path: '/por/login_psw.csp', userid: other.userid })).toHaveLength(1);
      world.clock.advance(61_000);
      expect((await world.drive(world.gateway.b('GET', readOf.vpn, { token: other.token }))).status).toBe(200);
    },
  );

  it('does what the document says', () => {
    const rows = [...groupBy(seen, ({ fault }) => fault)].map(([fault, cells]) => ({
      fault,
      marks: systems.map((system) => {
        const cell = cells.find((each) => each.system === system);
        return cell === undefined ? '–' : cell.opens ? 'opens' : 'stays closed';
      }),
    }));
    const alike = [...groupBy(rows, ({ marks }) => marks.join('|')).values()].map((same) => [
      same.map(({ fault }) => fault).join(', '),
      ...(same[0]?.marks ?? []),
    ]);
    const made = [
      'After five calls in a row that met the fault at that system. An open breaker answers 502 at once, with',
      '`Retry-After`, and lets one call try again after 30 s.',
      '',
      table(['Fault', ...columns], alike),
    ].join('\n');
    expect(made).toBe(documented('Breakers', made));
  });
});
