import { type Clock, systemClock } from '../../lib/time.ts';
import { Authserver } from '../authserver/authserver.ts';
import type { AcademicState } from '../campus-state.ts';
import { UnifiedLoginSessions } from '../cas/unified-login-sessions.ts';
import { wiringOf } from '../demo-campus.ts';
import type { DemoReply } from '../exchange.ts';
import { redirectTo } from '../exchange.ts';
import {
  type CampusModel,
  type ModelParts,
  type SimulatedCampus,
  type SimulatedStudent,
  simulateCampus,
} from '../simulated-campus.ts';
import { Students } from '../students.ts';
import { DemoCampusSwitches, type DemoChallenge, type DemoMessage } from '../types.ts';
import { simulatedRoutes } from '../urp/simulated.ts';
import { createJwc } from '../urp/urp.ts';

/** Host names of the systems in the manifest; they resolve nowhere. */
const HOSTS = { cas: 'http://login.seaside.test', jwc: 'http://academics.seaside.test' };
const SERVICE = `${HOSTS.jwc}/j_spring_cas_security_check`;

type SeasideSystem = keyof typeof HOSTS;

/** Its second student has another programme, and more rows than a page holds. */
const seasideStudents = [
  { id: 'S2026001', password: 'seaside-password', crowded: false },
  { id: 'S2026002', password: 'seaside-password-2', crowded: true },
];

interface SeasideOptions {
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
  readonly challenge?: DemoChallenge | undefined;
}

/** No portal, another unified login, and the academic system of the first demo campus. */
export class Seaside implements CampusModel<SeasideSystem> {
  readonly login: Authserver;
  readonly systems: CampusModel<SeasideSystem>['systems'];
  readonly #state: AcademicState;
  #sessionsOf = new Set<string>();
  readonly #jwc: ReturnType<typeof createJwc>;

  constructor({ clock, origins }: ModelParts<SeasideSystem>, { onMessage, challenge = 'off' }: SeasideOptions) {
    const switches = new DemoCampusSwitches();
    const tickets = new UnifiedLoginSessions(clock, switches);
    const wiring = wiringOf((system) => origins[system === 'jwc' ? 'jwc' : 'cas']);
    this.#state = {
      clock,
      switches,
      students: new Students(),
      wiring: { ...wiring, casUrl: `${origins.cas}/authserver`, jwcService: SERVICE },
      unifiedLogin: tickets,
    };
    for (const { id, ...more } of seasideStudents) this.#state.students.add({ userid: id, vpnPassword: '', ...more });
    this.#jwc = createJwc(this.#state);
    this.login = new Authserver({
      clock,
      origin: origins.cas,
      services: [SERVICE],
      find: (userid) => {
        const student = this.#state.students.get(userid);
        return student && { id: userid, password: student.password };
      },
      issue: (userid, service) => {
        this.#sessionsOf.add(userid);
        return tickets.issue(userid, service);
      },
      ...(onMessage && { onMessage }),
    });
    this.systems = {
      cas: { routes: this.login.routes, refuse: this.login.watch },
      jwc: { routes: simulatedRoutes(this.#jwc.routes) },
    };
    if (challenge === 'captcha') this.login.switches.image = 'always';
    else if (challenge !== 'off')
      this.login.switches.reauth = challenge === 'totp' ? '10' : challenge === 'certificate' ? '8' : '3';
  }

  /** Days and the term of its records. */
  get switches(): DemoCampusSwitches {
    return this.#state.switches;
  }

  expireSessions(): void {
    for (const userid of this.#sessionsOf) this.#jwc.expire(userid);
    this.#sessionsOf.clear();
  }

  expireLogins(): void {
    this.login.expireLogins();
  }

  addStudent({ id, password }: SimulatedStudent): void {
    this.#state.students.add({ userid: id, password, vpnPassword: '' });
  }

  toLogin(): DemoReply {
    return redirectTo(`${this.#state.wiring.casUrl}/login?service=${encodeURIComponent(SERVICE)}`);
  }

  loginPage(): DemoReply {
    return this.login.page();
  }
}

export const startSeaside = ({
  clock = systemClock,
  ...options
}: SeasideOptions & { clock?: Clock } = {}): Promise<SimulatedCampus<SeasideSystem, Seaside>> =>
  simulateCampus(clock, HOSTS, (parts) => new Seaside(parts, options));
