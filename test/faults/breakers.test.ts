import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault, DemoSystem } from '../../src/demo/types.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { systemNames } from '../support/system-names.ts';
import { documented, groupBy, table } from './document.ts';
import { faultName, faultsAt, isHarmless } from './kinds.ts';
import { FaultWorld, type Student } from './world.ts';

/** One read per system that cannot do without it. Students without a session meet the two logins. */
const readOf: Readonly<Record<DemoSystem, string>> = {
  vpn: '/jwc/academic/info',
  cas: '/jwc/academic/info',
  jwc: '/jwc/academic/info',
  aac: '/aac/credit/list',
  ldjlb: '/ldjlb/labor/joined/clubs',
  isim: '/isim/elec/info',
  competition: '/jwc/competition/info',
  card: '/card/balance',
};
const systems: readonly DemoSystem[] = ['vpn', 'cas', 'jwc', 'aac', 'ldjlb', 'isim', 'competition', 'card'];
const columns = [
  'portal',
  'unified login',
  'academics',
  'activity score',
  'labor club',
  'electricity',
  'competitions',
  'campus card',
];

/** No answer, half an answer, or the admission of a fault. */
const speaksOfAnOutage = (fault: DemoFault): boolean =>
  ['hang', 'drip', 'reset', 'reset-after', 'cut', 'huge'].includes(fault.kind) ||
  (fault.kind === 'status' && fault.status >= 500);

/** Half a form sends half a view state back, to which these pages answer with status 500. */
const breaksTheForm = (fault: DemoFault, system: DemoSystem): boolean =>
  system === 'competition' && fault.kind === 'truncated';

/**
 * Told apart, if at all, by what is the same code for every system: academics and the portal meet these too, and there
 * both have to be alike.
 */
const alike: Readonly<Record<string, string>> = {
  drip: 'hang',
  'reset-after': 'reset',
  cut: 'reset',
  huge: 'reset',
  'status 404': 'status 403',
  'status 503': 'status 500',
  'login-page': 'login-redirect',
  'portal-page': 'portal-redirect',
  'redirect-away': 'redirect-loop',
  'redirect-nowhere': 'redirect-loop',
  'JSON error': 'JSON refusal',
};
const meetsEverything = (system: DemoSystem): boolean => system === 'jwc' || system === 'vpn';

describe('the breaker of a system', () => {
  let world: FaultWorld;
  let student: Student;
  let students: readonly Student[];
  const seen: Array<{ fault: string; system: DemoSystem; opens: boolean }> = [];

  beforeAll(async () => {
    world = await FaultWorld.start();
    students = [await world.registered(), await world.registered(), await world.registered(), await world.registered()];
    const [first] = students;
    if (!first) throw new Error('nobody');
    student = first;
    const body = { room_id: '010101' };
    for (const { token } of students) await world.drive(world.gateway.b('POST', '/isim/room/bind', { token, body }));
  });
  afterAll(() => world.close());

  const isLogin = (system: DemoSystem): boolean => system === 'vpn' || system === 'cas';

  const read = async (system: DemoSystem, fault?: DemoFault, who = student): Promise<Answer> => {
    if (isLogin(system)) await world.forget(who);
    // Values that stay fresh longer than these calls take are requested as well.
    const headers = { 'cache-control': 'no-cache' };
    const calling = world.gateway.b('GET', readOf[system], { token: who.token, headers });
    return (await world.timed(calling, fault, system)).result;
  };
  /** Five calls that meet the fault, of so many students in turn. */
  const fiveCalls = async (system: DemoSystem, fault: DemoFault, callers: number): Promise<void> => {
    const where = `${faultName(fault)} at ${system}`;
    world.allOver();
    // Each who brings one has a session by now, and nobody who calls has met a failure.
    for (const who of isLogin(system) ? students.slice(0, callers) : students)
      expect((await read(system, undefined, who)).status, `before ${where}`).toBe(200);
    // Good calls of the last ten seconds are another measure.
    world.clock.advance(10_000);
    const rule = world.gateway.demo.fault({ system, fault });
    for (let call = 0; call < 5; call += 1) {
      expect([stateOf(system), pausedAt(system)], `${where}, before call ${call + 1}`).toEqual(['closed', 0]);
      const answer = await read(system, fault, students[call % callers]);
      const least = fault.kind === 'second-factor' ? 403 : 502;
      expect(answer.status, `${where}: ${answer.text}`).toBeGreaterThanOrEqual(least);
    }
    rule.remove();
  };
  const stateOf = (system: DemoSystem) => world.gateway.services.sessions.breakerStates().get(systemNames[system]);
  const pausedAt = (system: DemoSystem) => world.gateway.services.sessions.pausedStudents().get(systemNames[system]);

  /** With the breaker open the system is left alone, and the caller learns when to come back. */
  const expectLeftAlone = async (system: DemoSystem, where: string, who: Student): Promise<void> => {
    const { demo } = world.gateway;
    demo.resetRequests();
    const answer = await read(system, undefined, who);
    expect([answer.status, answer.body.error?.code], where).toEqual([502, 'REMOTE_SERVICE_ERROR']);
    expect(demo.requests({ system }), where).toEqual([]);
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait, where).toBeGreaterThan(0);
    expect(wait, where).toBeLessThanOrEqual(2);
  };

  it.each(systems)(
    '%s opens after five calls of three students without a proper answer, and for nothing else',
    async (system) => {
      const stranger = students[3] ?? student;
      const met = faultsAt(system === 'vpn' ? 'portal' : 'application').filter((each) => !isHarmless(each));
      for (const fault of met) {
        // A balance is read by the words around it, and needs none of the attributes that are broken.
        if (system === 'card' && fault.kind === 'malformed') continue;
        if (!meetsEverything(system) && faultName(fault) in alike) continue;
        const where = `${faultName(fault)} at ${system}`;
        await fiveCalls(system, fault, 3);
        const opens = stateOf(system) === 'open';
        expect(opens, where).toBe(speaksOfAnOutage(fault) || breaksTheForm(fault, system));
        seen.push({ fault: faultName(fault), system, opens });
        if (!opens) continue;
        await expectLeftAlone(system, where, stranger);
        world.clock.advance(2_000);
        expect((await read(system, undefined, stranger)).status, `probe after ${where}`).toBe(200);
        expect(stateOf(system), `after ${where}`).toBe('closed');
      }
      world.allOver();
      expect((await read(system)).status).toBe(200);
    },
    120_000,
  );

  it.each(systems)(
    '%s: one student’s calls pause that student only',
    async (system) => {
      for (const fault of [{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'hang' }] as const) {
        const where = `${faultName(fault)} at ${system}`;
        await fiveCalls(system, fault, 1);
        expect([stateOf(system), pausedAt(system)], where).toEqual(['closed', 1]);
        await expectLeftAlone(system, where, student);
        expect((await read(system, undefined, students[1])).status, where).toBe(200);
        world.clock.advance(2_000);
        expect((await read(system)).status, `probe after ${where}`).toBe(200);
      }
    },
    60_000,
  );

  it.each(['captcha', 'attacked'] as const)('%s: one password goes out, then there is a pause', async (kind) => {
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
  });

  it('does what the document says', () => {
    const at = (system: DemoSystem, fault: string) =>
      seen.find((each) => each.system === system && each.fault === fault);
    const rows = [...new Set(seen.map(({ fault }) => fault))].map((fault) => ({
      fault,
      marks: systems.map((system) => {
        const other = at(system, alike[fault] ?? '');
        const cell = at(system, fault) ?? other;
        if (other) expect([fault, cell?.opens]).toEqual([fault, other.opens]);
        return cell === undefined ? '–' : cell.opens ? 'opens' : 'stays closed';
      }),
    }));
    const together = [...groupBy(rows, ({ marks }) => marks.join('|')).values()].map((same) => [
      same.map(({ fault }) => fault).join(', '),
      ...(same[0]?.marks ?? []),
    ]);
    const made = [
      'After five calls in a row, of three students, that met the fault at that system. An open breaker answers 502 at',
      'once, with `Retry-After`, and lets one request try again after 2 s, later after up to 10 s. Where only one student',
      'meets the fault, the same holds for that student’s calls to the system, and for nobody else’s.',
      '',
      table(['Fault', ...columns], together),
    ].join('\n');
    expect(made).toBe(documented('Breakers', made));
  });
});
