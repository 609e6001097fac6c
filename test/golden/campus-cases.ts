import type { DemoCampusSwitches, DemoFault, DemoSystem } from '../../src/demo/types.ts';
import { endings, type FaultPlace, faultName, faultsAt } from '../faults/kinds.ts';
import { type Call, nameOf, record, type Subject, validCall } from './call.ts';
import type { Recorded } from './recorded.ts';

/** Longer than anything read at the campus is kept, shorter than a slot. */
const NOTHING_KEPT_MS = 302_000;

/**
 * Operations that meet every fault at both logins: one for each way in which an application is entered and used. The
 * others go the same way as one of these, so they meet one fault of each kind there.
 */
const throughEveryLogin: ReadonlySet<string> = new Set([
  'POST /auth/login/next',
  'POST /auth/register/next',
  'GET /jwc/academic/info',
  'GET /jwc/competition/info',
  'GET /aac/credit/list',
  'GET /isim/elec/info',
  'GET /ldjlb/labor/joined/clubs',
  'POST /ldjlb/labor/activity/{activity_id}/apply',
  'POST /api/v1/user/login',
]);
const usualAtLogins: ReadonlySet<string> = new Set(['hang', 'status 500', 'html', 'login-redirect', 'captcha']);
/** The same at the application itself: what each fault leads to there, the fault matrix knows for every operation. */
const usualAtApplication: ReadonlySet<string> = new Set([
  'hang',
  'reset',
  'status 500',
  'html',
  'login-redirect',
  'portal-page',
  'malformed',
  'JSON refusal',
]);
/** Of the faults that are over with the next request, those that each lead to another way of going on. */
const usualOnce: ReadonlySet<string> = new Set(['reset', 'status 503', 'login-redirect', 'portal-redirect']);

/** Whose every call is dozens of requests. */
const costly: ReadonlySet<string> = new Set(['GET /isim/room/list', 'POST /isim/room/refresh']);

/** What the whole campus may do in another way, without a fault. */
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

  async successes(): Promise<void> {
    const { world } = this.#subject;
    await world.nextSlot();
    await this.#note('cold', undefined, true);
    await this.#warm();
    await this.#note('warm');
    await this.#note('warm, at once again');
    for (const [name, switches] of manners) {
      await this.#switched(switches, async () => {
        await world.nextSlot();
        await this.#note(`cold, ${name}`, undefined, true);
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
  async refusals(): Promise<void> {
    const { world, operation, given } = this.#subject;
    for (const step of ['vpnPassword', 'password'] as const) {
      const other = await world.registered();
      const refused = new CampusSubject({ world, operation, given, student: other });
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

/** What can happen at the campus while an operation asks it. */
export const campusCases = async (subject: Subject): Promise<Recorded[]> => {
  const { system, signsIn } = subject.given;
  const campus = new CampusSubject(subject);
  await campus.successes();
  if (system === null) return campus.recorded;
  const name = nameOf(subject.operation);
  const isThorough = throughEveryLogin.has(name);
  const once: Wanted = (fault) => isThorough || (usualOnce.has(fault) && !costly.has(name));
  const atLogins: Wanted = (fault) => isThorough || usualAtLogins.has(fault);
  const atApplication: Wanted = (fault) => isThorough || usualAtApplication.has(fault);
  await campus.faults('application', system, atApplication, once);
  await campus.faults('portal', 'vpn', atLogins, atLogins);
  await campus.faults('unified login', 'cas', atLogins, atLogins);
  if (signsIn) return campus.recorded;
  await campus.endings(isThorough);
  await campus.refusals();
  return campus.recorded;
};
