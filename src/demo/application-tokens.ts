import type { Clock } from '../lib/time.ts';
import { BoundedMap } from './bounded-map.ts';
import { newApplicationToken } from './ids.ts';
import type { DemoCampusSwitches } from './types.ts';

const KEPT = 20_000;

interface Issued {
  readonly userid: string;
  readonly at: number;
}

/** The application tickets of one system. A new one leaves the older ones of the same student valid. */
export class ApplicationTokens {
  readonly #issued = new BoundedMap<string, Issued>(KEPT);
  readonly #clock: Clock;
  readonly #switches: DemoCampusSwitches;

  constructor(clock: Clock, switches: DemoCampusSwitches) {
    this.#clock = clock;
    this.#switches = switches;
  }

  issue(userid: string): string {
    const token = newApplicationToken();
    this.#issued.set(token, { userid, at: this.#clock.now() });
    return token;
  }

  owner(token: string | null): string | null {
    const issued = token === null ? undefined : this.#issued.get(token);
    if (!issued) return null;
    const age = this.#clock.now() - issued.at;
    return age <= this.#switches.applicationTicketSeconds * 1000 ? issued.userid : null;
  }

  expire(userid: string): void {
    this.#issued.deleteWhere((issued) => issued.userid === userid);
  }
}
