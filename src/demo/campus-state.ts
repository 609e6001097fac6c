import type { Clock } from '../lib/time.ts';
import type { UnifiedLoginSessions } from './cas/unified-login-sessions.ts';
import type { PortalKey } from './crypto.ts';
import type { DemoCall, DemoReply, DemoRoute } from './exchange.ts';
import { type Present, presentAt } from './records/calendar.ts';
import type { PortalSessions } from './ssl-vpn/portal-sessions.ts';
import type { Students } from './students.ts';
import type { DemoCampusSwitches, DemoMessage, DemoWiring } from './types.ts';

export interface PortalState {
  readonly clock: Clock;
  readonly switches: DemoCampusSwitches;
  readonly wiring: DemoWiring;
  readonly students: Students;
  /** Made when the first login needs it: waiting for it would make startup a tenth longer. */
  portalKey(): Promise<PortalKey>;
  readonly portal: PortalSessions;
  readonly messages: DemoMessage[];
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
}

/** What academic affairs needs to know of the campus around it. */
export interface AcademicState extends Pick<PortalState, 'clock' | 'switches' | 'wiring' | 'students'> {
  /** Null: it has its own login. */
  readonly unifiedLogin: Pick<UnifiedLoginSessions, 'redeem'> | null;
}

export interface CampusState extends PortalState, AcademicState {
  readonly unifiedLogin: UnifiedLoginSessions;
  readonly gate: DemoPortal;
}

/** The time is taken once per answer, so that it does not begin on one day and end on the next. */
export const presentOf = ({ clock, switches }: Pick<PortalState, 'clock' | 'switches'>): Present =>
  presentAt(clock.now(), switches.datesMove);

export interface DemoUpstream {
  readonly routes: readonly DemoRoute[];
  /** Ends the sessions, or tickets, that this system itself keeps for the student. */
  expire(userid: string): void;
}

/** The portal: its own pages, and the check of every request to the hosts behind it. */
export interface DemoPortal extends DemoUpstream {
  readonly cookie: string;
  /** The request that submits the credentials, and the field with the student's name. */
  readonly login: { readonly path: string; readonly nameField: string };
  /** Only where the portal has such a step. */
  totp?(userid: string): string;
  answerExpired(call: DemoCall, style: 'redirect' | 'page'): DemoReply;
}
