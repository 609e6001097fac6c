import type { DemoCampusSwitches, DemoFault, DemoSystem } from '../../src/demo/types.ts';
import { endings, type FaultPlace, faultName, faultsAt } from '../faults/kinds.ts';
import { type Call, nameOf, record, type Subject, validCall } from './call.ts';
import type { Recorded } from './recorded.ts';

/** Longer than anything read at the campus is kept, shorter than a slot. */
const NOTHING_KEPT_MS = 302_000;

/**
 * How much of what can happen an operation meets. `all`: every fault at the application, for as long as the call and for
 * one request of it, and, if it is the login, at both logins too. `way`: of those that stand for a way into an application or out of it, everything there is to meet in
 * the application and with its sessions. All others go the same ways and meet one fault of each kind there.
 */
type Extent = 'all' | 'way' | 'usual';
const extents: Readonly<Record<string, Extent>> = {
  'POST /auth/login/next': 'all',
  'GET /jwc/academic/info': 'all',
  'POST /auth/register/next': 'way',
  'GET /jwc/competition/info': 'way',
  'GET /aac/credit/list': 'way',
  'GET /isim/elec/info': 'way',
  'GET /ldjlb/labor/joined/clubs': 'way',
  'POST /ldjlb/labor/activity/{activity_id}/apply': 'way',
  'POST /api/v1/user/login': 'way',
};
/** The unified login sends each of these on by a way of its own. */
const waysFromUnifiedLogin: ReadonlySet<string> = new Set(['GET /jwc/competition/info', 'GET /aac/credit/list']);
const someAtLogins: ReadonlySet<string> = new Set(['hang', 'status 500', 'html', 'login-redirect', 'captcha']);
/** All others: what each fault leads to at a login or at the application, the fault matrix knows for every operation. */
const usualAtLogins: ReadonlySet<string> = new Set(['status 500']);
const usualAtApplication: ReadonlySet<string> = new Set(['status 500']);
/** Of the faults that are over with the next request, those that each lead to another way of going on. */
const someOnce: ReadonlySet<string> = new Set(['reset', 'status 503', 'login-redirect', 'portal-redirect']);
const usualOnce: ReadonlySet<string> = new Set(['login-redirect']);

/** Whose every call is dozens of requests. */
const costly: ReadonlySet<string> = new Set(['GET /isim/room/list', 'POST /isim/room/refresh']);

/** Manners in which the whole campus may differ without a fault. */
const manners: ReadonlyArray<readonly [name: string, switches: Partial<DemoCampusSwitches>]> = [
  ['a rotating portal cookie', { rotateTwfid: true }],
  ['no code in the challenge', { omitCsrf: true }],
  ['no exponent in the challenge', { omitExponent: true }],
  ['a unified login without the portal', { lenientCas: true }],
  ['inner hosts in redirects', { innerHostLocations: true }],
];

/** How the end of a session shows. */
const expiries: ReadonlyArray<readonly [name: string, switches: Partial<DemoCampusSwitches>]> = [
  ['', {}],
  [', shown as a page', { expiryStyle: 'page', electricityExpiry: 'page', invalidTicketAnswer: 'html' }],
  [', shown as nothing', { expiryStyle: 'empty', invalidTicketAnswer: 'http-500' }],
];

type Wanted = (fault: string) => boolean;

interface Trouble {
  readonly fault: DemoFault;
  readonly systems: readonly DemoSystem[];
  readonly times?: number;
}

/** One operation that asks the campus, in all that can happen there. */
class CampusSubject {
  readonly #subject: Subject;
  readonly recorded: Recorded[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** The next place in time, with a session that is open, unless the operation signs in itself. */
  async #warm(): Promise<void> {
    const { world, given } = this.#subject;
    await world.nextSlot();
    if (given.system !== null && given.signsIn !== true) {
      await record(world, '', await this.#call());
      await this.#after();
    }
    await world.within(NOTHING_KEPT_MS);
  }

  #call(): Promise<Call> {
    return validCall(this.#subject);
  }

  async #after(): Promise<void> {
    const { world, given, student } = this.#subject;
    await given.after?.(world, student);
  }

  async #note(name: string, trouble?: Trouble, isCold = false): Promise<void> {
    const { world, student } = this.#subject;
    const { demo } = world.gateway;
    const call = await this.#call();
    if (isCold) await world.forget(student);
    const { systems = [], fault = { kind: 'hang' }, times } = trouble ?? {};
    for (const system of systems) demo.fault({ system, fault, ...(times === undefined ? {} : { times }) });
    this.recorded.push(await record(world, name, call));
    demo.clearFaults();
    await world.drain();
    await this.#after();
  }

  async #switched(switches: Partial<DemoCampusSwitches>, work: () => Promise<void>): Promise<void> {
    const live = this.#subject.world.gateway.demo.switches;
    const before = { ...live };
    Object.assign(live, switches);
    await work();
    Object.assign(live, before);
  }

  async successes(extent: Extent): Promise<void> {
    const { world } = this.#subject;
    await world.nextSlot();
    await this.#note('cold', undefined, true);
    await this.#warm();
    await this.#note('warm');
    await this.#note('warm, at once again');
    for (const [name, switches] of manners) {
      await this.#switched(switches, async () => {
        // Also where it is left out it has its place in time: what follows must not move.
        await world.nextSlot();
        if (extent !== 'usual') await this.#note(`cold, ${name}`, undefined, true);
      });
    }
  }

  /** While the fault lasts, and, where wanted, when it hits one request only. */
  async faults(place: FaultPlace, system: DemoSystem, wanted: Wanted, wantedOnce: Wanted): Promise<void> {
    const { world } = this.#subject;
    const isCold = place !== 'application';
    const begin = async () => (isCold ? world.nextSlot() : await this.#warm());
    for (const fault of faultsAt(place)) {
      const name = faultName(fault);
      if (wanted(name)) {
        await begin();
        await this.#note(`${name} at ${place}`, { fault, systems: [system] }, isCold);
      }
      if (wantedOnce(name)) {
        await begin();
        await this.#note(`${name} once at ${place}`, { fault, systems: [system], times: 1 }, isCold);
      }
    }
  }

  async endings(isThorough: boolean): Promise<void> {
    const { world, student } = this.#subject;
    for (const [name, end] of Object.entries(endings)) {
      if (!isThorough && name === 'portal session over') continue;
      for (const [style, switches] of isThorough ? expiries : expiries.slice(0, 1)) {
        await this.#switched(switches, async () => {
          await this.#warm();
          end(world.gateway.demo.student(student.userid));
          await this.#note(`${name}${style}`);
        });
      }
    }
  }

  /** Last, because afterwards nothing is as it was: the campus refuses the stored passwords. */
  async refusals(isThorough: boolean): Promise<void> {
    const { world } = this.#subject;
    for (const step of ['vpnPassword', 'password'] as const) {
      if (!isThorough && step === 'vpnPassword') continue;
      const other = await world.registered();
      const refused = new CampusSubject({ ...this.#subject, student: other });
      await world.nextSlot();
      const call = await refused.#call();
      world.gateway.demo.student(other.userid).changePasswords({ [step]: 'changed' });
      await world.forget(other);
      for (const name of [`stored ${step} refused`, `stored ${step} refused before`]) {
        this.recorded.push(await record(world, name, call));
      }
    }
  }
}

/** Which faults an operation meets where, for as long as the call and for one request of it. */
const wantedBy = (name: string): Readonly<Record<Exclude<FaultPlace, 'everywhere'>, readonly [Wanted, Wanted]>> => {
  const every: Wanted = () => true;
  const none: Wanted = () => false;
  const of =
    (names: ReadonlySet<string>): Wanted =>
    (fault) =>
      names.has(fault);
  const extent = extents[name] ?? 'usual';
  if (extent === 'all') {
    const atLogins = name.includes('/login') ? ([every, every] as const) : ([of(someAtLogins), of(someOnce)] as const);
    return { application: [every, every], portal: atLogins, 'unified login': atLogins };
  }
  const once = costly.has(name) ? none : of(extent === 'way' ? someOnce : usualOnce);
  const atLogins = of(extent === 'way' ? someAtLogins : usualAtLogins);
  return {
    application: [extent === 'way' ? every : of(usualAtApplication), once],
    portal: [atLogins, none],
    'unified login': [waysFromUnifiedLogin.has(name) ? every : atLogins, none],
  };
};

/** Cases of the campus while an operation asks it. */
export const campusCases = async (subject: Subject): Promise<Recorded[]> => {
  const { system, signsIn } = subject.given;
  const campus = new CampusSubject(subject);
  const name = nameOf(subject.operation);
  const extent = extents[name] ?? 'usual';
  await campus.successes(extent);
  if (system === null) return campus.recorded;
  const wanted = wantedBy(name);
  await campus.faults('application', system, ...wanted.application);
  await campus.faults('portal', 'vpn', ...wanted.portal);
  await campus.faults('unified login', 'cas', ...wanted['unified login']);
  if (signsIn) return campus.recorded;
  await campus.endings(extent !== 'usual');
  await campus.refusals(extent !== 'usual');
  return campus.recorded;
};
