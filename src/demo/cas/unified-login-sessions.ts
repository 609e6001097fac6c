import type { Clock } from '../../lib/time.ts';
import { newGrantingTicket, newLoginTicket, newServiceTicket, newSessionId } from '../ids.ts';
import { expire, forgetful } from '../sessions.ts';
import type { DemoCampusSwitches } from '../types.ts';

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

const LOGIN_PAGE_MS = 1_800_000;

export class UnifiedLoginSessions {
  readonly #pages = forgetful<LoginPage>();
  readonly #granting = forgetful<{ readonly userid: string }>();
  readonly #tickets = forgetful<ServiceTicket>();
  /** The last step of each browser session. */
  readonly #steps = forgetful<number>();
  readonly #images = forgetful<string>();
  readonly #clock: Clock;
  readonly #switches: Pick<DemoCampusSwitches, 'serviceTicketSeconds'>;

  constructor(clock: Clock, switches: Pick<DemoCampusSwitches, 'serviceTicketSeconds'>) {
    this.#clock = clock;
    this.#switches = switches;
  }

  /** A new login page for the browser session, which is opened when it is not known yet. */
  page(
    sessionId: string | null,
    lt = newLoginTicket(),
  ): { readonly lt: string; readonly execution: string; readonly sessionId: string } {
    const last = this.#steps.get(sessionId ?? '') ?? 0;
    const session = sessionId !== null && last > 0 ? sessionId : newSessionId();
    const step = last + 1;
    this.#steps.set(session, step);
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

  shows(sessionId = '', text = ''): void {
    this.#images.set(sessionId, text);
  }

  /** Whether the image was read off right: once. */
  isShown(sessionId = '', text = ''): boolean {
    const shown = this.#images.get(sessionId);
    this.#images.delete(sessionId);
    return sessionId !== '' && shown === text;
  }

  signIn(userid: string): string {
    const cookie = newGrantingTicket();
    this.#granting.set(cookie, { userid });
    return cookie;
  }

  findSignedIn(cookie = ''): string | null {
    return this.#granting.get(cookie)?.userid ?? null;
  }

  expire(userid: string): void {
    expire(this.#granting, userid);
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
