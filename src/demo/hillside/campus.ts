import { type Clock, systemClock } from '../../lib/time.ts';
import type { AcademicState } from '../campus-state.ts';
import { wiringOf } from '../demo-campus.ts';
import { type DemoReply, redirectTo } from '../exchange.ts';
import {
  type CampusModel,
  type ModelParts,
  type SimulatedCampus,
  type SimulatedStudent,
  simulateCampus,
} from '../simulated-campus.ts';
import { Students } from '../students.ts';
import { DemoCampusSwitches, type DemoMessage } from '../types.ts';
import { OwnLogin } from '../urp/own-login.ts';
import { simulatedRoutes } from '../urp/simulated.ts';
import { createJwc } from '../urp/urp.ts';

/** The host name in the manifest; it resolves nowhere. */
const HOSTS = { jwc: 'http://academics.hillside.test' };

/** Its second student has another programme, and more rows than a page holds. */
const hillsideStudents = [
  { id: 'H2026001', password: 'hillside-password', crowded: false },
  { id: 'H2026002', password: 'hillside-password-2', crowded: true },
];

interface HillsideOptions {
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
}

/** The academic system of the first demo campus with its own login, and nothing in front of it. */
export class Hillside implements CampusModel<'jwc'> {
  readonly login: OwnLogin;
  readonly systems: CampusModel<'jwc'>['systems'];
  readonly #state: AcademicState;
  readonly #signedIn = new Set<string>();
  readonly #jwc: ReturnType<typeof createJwc>;

  constructor({ clock, origins }: ModelParts<'jwc'>, { onMessage }: HillsideOptions) {
    this.#state = {
      clock,
      switches: new DemoCampusSwitches(),
      students: new Students(),
      wiring: wiringOf(() => origins.jwc),
      unifiedLogin: null,
    };
    for (const { id, ...more } of hillsideStudents) this.#state.students.add({ userid: id, vpnPassword: '', ...more });
    this.#jwc = createJwc(this.#state);
    this.login = new OwnLogin({
      now: () => clock.now(),
      find: (userid) => {
        const student = this.#state.students.get(userid);
        return student && { id: userid, password: student.password };
      },
      open: (userid, landing) => {
        this.#signedIn.add(userid);
        return this.#jwc.open(userid, landing);
      },
      ...(onMessage && { onMessage }),
    });
    this.systems = { jwc: { routes: { ...this.login.routes, ...simulatedRoutes(this.#jwc.routes) } } };
  }

  /** Days and the term of its records. */
  get switches(): DemoCampusSwitches {
    return this.#state.switches;
  }

  expireSessions(): void {
    for (const userid of this.#signedIn) this.#jwc.expire(userid);
    this.#signedIn.clear();
  }

  /** There is no login besides. */
  expireLogins(): void {}

  addStudent({ id, password }: SimulatedStudent): void {
    this.#state.students.add({ userid: id, password, vpnPassword: '' });
  }

  toLogin(): DemoReply {
    return redirectTo('/login?errorCode=concurrentSessionExpired');
  }

  loginPage(): DemoReply {
    return this.login.page();
  }
}

export const startHillside = ({
  clock = systemClock,
  ...options
}: HillsideOptions & { clock?: Clock } = {}): Promise<SimulatedCampus<'jwc', Hillside>> =>
  simulateCampus(clock, HOSTS, (parts) => new Hillside(parts, options));
