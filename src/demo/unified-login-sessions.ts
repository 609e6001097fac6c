import type { Clock } from '../lib/time.ts';
import { BoundedMap } from './bounded-map.ts';
import { newGrantingTicket, newLoginTicket, newServiceTicket, newSessionId } from './ids.ts';
import type { DemoCampusSwitches } from './types.ts';

interface LoginPage {
  readonly execution: string;
  readonly sessionId: string;
  readonly issuedAt: number;
}

interface ServiceTicket {
  readonly userid: string;
  readonly service: string;
  readonly issuedAt: number;
}

const KEPT = 20_000;
const LOGIN_PAGE_MS = 1_800_000;

export class UnifiedLoginSessions {
  readonly #pages = new BoundedMap<string, LoginPage>(KEPT);
  readonly #granting = new BoundedMap<string, string>(KEPT);
  readonly #tickets = new BoundedMap<string, ServiceTicket>(KEPT);
  readonly #executions = new BoundedMap<string, number>(KEPT);
  readonly #images = new BoundedMap<string, string>(KEPT);
  readonly #clock: Clock;
  readonly #switches: Pick<DemoCampusSwitches, 'serviceTicketSeconds'>;

  constructor(clock: Clock, switches: Pick<DemoCampusSwitches, 'serviceTicketSeconds'>) {
    this.#clock = clock;
    this.#switches = switches;
  }

  /** A new login page for the browser session, which is opened when it is not known yet. */
  page(sessionId: string | null): { readonly lt: string; readonly execution: string; readonly sessionId: string } {
    const known = sessionId !== null && this.#executions.get(sessionId) !== undefined;
    const session = known ? sessionId : newSessionId();
    const step = (this.#executions.get(session) ?? 0) + 1;
    this.#executions.set(session, step);
    const lt = newLoginTicket();
    const execution = `e1s${step}`;
    this.#pages.set(lt, { execution, sessionId: session, issuedAt: this.#clock.now() });
    return { lt, execution, sessionId: session };
  }

  /** True once for each `lt`, and only with the `execution` and the browser session of its page. */
  spend(lt: string, execution: string, sessionId: string | null): boolean {
    const page = this.#pages.get(lt);
    this.#pages.delete(lt);
    if (!page || this.#clock.now() - page.issuedAt > LOGIN_PAGE_MS) return false;
    return page.execution === execution && page.sessionId === sessionId;
  }

  shows(sessionId: string | undefined, text: string): void {
    if (sessionId !== undefined) this.#images.set(sessionId, text);
  }

  /** Whether they were read off right: once. */
  isShown(sessionId: string | undefined, text: string): boolean {
    const shown = sessionId === undefined ? undefined : this.#images.get(sessionId);
    if (sessionId !== undefined) this.#images.delete(sessionId);
    return shown !== undefined && shown === text;
  }

  signIn(userid: string): string {
    const cookie = newGrantingTicket();
    this.#granting.set(cookie, userid);
    return cookie;
  }

  signedIn(cookie: string | undefined): string | null {
    return (cookie !== undefined && this.#granting.get(cookie)) || null;
  }

  expire(userid: string): void {
    this.#granting.deleteWhere((owner) => owner === userid);
  }

  issue(userid: string, service: string): string {
    const ticket = newServiceTicket();
    this.#tickets.set(ticket, { userid, service, issuedAt: this.#clock.now() });
    return ticket;
  }

  /** The student of a service ticket, once, in time, and only for the service it was issued for. */
  redeem(ticket: string | null, service: string): string | null {
    if (ticket === null) return null;
    const found = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (!found || found.service !== service) return null;
    return this.#clock.now() - found.issuedAt > this.#switches.serviceTicketSeconds * 1000 ? null : found.userid;
  }
}
