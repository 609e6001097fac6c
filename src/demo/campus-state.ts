import type { Clock } from '../lib/clock.ts';
import type { PortalKey } from './crypto.ts';
import type { DemoRoute } from './exchange.ts';
import type { PortalSessions } from './portal-sessions.ts';
import type { Students } from './students.ts';
import type { DemoCampusSwitches, DemoWiring } from './types.ts';
import type { UnifiedLoginSessions } from './unified-login-sessions.ts';

/** What all systems of the campus share. */
export interface CampusState {
  readonly clock: Clock;
  readonly switches: DemoCampusSwitches;
  readonly wiring: DemoWiring;
  readonly students: Students;
  readonly portalKey: PortalKey;
  readonly portal: PortalSessions;
  readonly unifiedLogin: UnifiedLoginSessions;
}

/** One simulated system: what it answers, and how its own sessions of a student die. */
export interface DemoUpstream {
  readonly routes: readonly DemoRoute[];
  /** Ends the sessions, or tickets, that this system itself keeps for the student. */
  expire(userid: string): void;
}
