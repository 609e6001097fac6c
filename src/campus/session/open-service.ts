import { type CampusSystem, Failure } from '../../domain/errors.ts';
import { isRedirect, judgeRedirect } from './expiry.ts';
import { signInFailure } from './sign-in-failures.ts';
import type { StudentState } from './student-state.ts';
import { obtainServiceTicket, PortalSessionDead, type UnifiedLoginCredentials } from './unified-login.ts';
import type { UpstreamSystem } from './upstream-session.ts';
import type { Traveller, Wire } from './wire.ts';

const HOPS = 10;
const TICKET_MARK = 'register?ticket=';

export const systemNames: Readonly<Record<UpstreamSystem, CampusSystem>> = {
  jwc: 'academics',
  aac: 'activity-score',
  ldjlb: 'labor-club',
  isim: 'electricity',
  competition: 'competitions',
};

/**
 * The application ticket in the last redirect of a ticket walk: from its mark to `&` or `#`, percent-decoded, `+` kept.
 * Null when there is none, or when it is a service ticket of the unified login.
 */
export const ticketIn = (location: string): string | null => {
  const start = location.indexOf(TICKET_MARK);
  if (start < 0) return null;
  const raw = /^[^&#]*/.exec(location.slice(start + TICKET_MARK.length))?.[0] ?? '';
  try {
    const ticket = decodeURIComponent(raw);
    // It travels in a header: control characters would be refused there, or worse.
    return ticket === '' || ticket.startsWith('ST-') || /[^\x20-\x7e]/.test(ticket) ? null : ticket;
  } catch {
    return null;
  }
};

export interface OpeningContext {
  readonly wire: Wire;
  readonly state: StudentState;
  readonly traveller: () => Traveller;
  readonly now: () => number;
  readonly userid: string;
  readonly credentials: () => Promise<UnifiedLoginCredentials>;
  /**
   * Set while a submitted pair is being proven: the service ticket proves the password, so an academic system that
   * is down behind it does not stop the login. The next read redeems a ticket of its own.
   */
  readonly onlyProve: boolean;
}

/** Redeems a service ticket: the answer sets the session cookie and leads into the application. */
const redeem = async (opening: OpeningContext, system: 'jwc' | 'competition', address: URL): Promise<void> => {
  const { wire, state } = opening;
  if (address.origin !== wire.places.bases[system].origin) {
    throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'ticket for another system' });
  }
  state.jars.clear(address.origin);
  const answer = await wire.send(system, opening.traveller(), { method: 'GET', url: address });
  if (isRedirect(answer.status)) {
    const verdict = judgeRedirect(wire.places, system, address, answer.location);
    if (verdict.kind === 'portal-expired') throw new PortalSessionDead();
    if (verdict.kind === 'follow') return;
  } else if (answer.status === 200 && state.jars.export(address.origin) !== null) {
    return;
  }
  throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'service ticket not accepted' });
};

/** Follows the ticket walk of the activity-score and labor-club systems up to the redirect that carries the ticket. */
const walkForTicket = async (opening: OpeningContext, system: 'aac' | 'ldjlb', start: URL): Promise<string> => {
  const { wire } = opening;
  const lost = (reason: string) => new Failure('ticket-unavailable', { system: systemNames[system], reason });
  let address = start;
  for (let hop = 0; hop < HOPS; hop += 1) {
    const place = address.origin === wire.places.bases.cas.origin ? 'cas' : system;
    const answer = await wire.send(place, opening.traveller(), { method: 'GET', url: address });
    if (!isRedirect(answer.status)) throw lost(`status ${answer.status}`);
    if (answer.location?.includes(TICKET_MARK)) {
      const ticket = ticketIn(answer.location);
      if (ticket === null) throw lost('no ticket in the last redirect');
      return ticket;
    }
    const verdict = judgeRedirect(wire.places, system, address, answer.location);
    if (verdict.kind === 'portal-expired') throw new PortalSessionDead();
    if (verdict.kind !== 'follow') throw lost(verdict.kind);
    address = verdict.target;
  }
  throw lost('too many redirects');
};

const sessionCookie = 'JSESSIONID';
const notCreated = (): Failure =>
  new Failure('upstream-unavailable', { system: 'electricity', reason: 'session not created' });

/** The electricity session: one request, no unified login. Its redirect is not followed. */
const openElectricity = async (opening: OpeningContext): Promise<void> => {
  const { wire, state, userid } = opening;
  const url = wire.places.url('isim', `/go?openid=${encodeURIComponent(userid)}&sn=sn`);
  state.jars.clear(url.origin);
  const answer = await wire.send('isim', opening.traveller(), { method: 'GET', url });
  const location = answer.location ?? '';
  if (isRedirect(answer.status)) {
    if (wire.places.isPortalRedirect(location)) throw new PortalSessionDead();
    const target = wire.places.resolve(location, url);
    if (target && wire.places.isPortal(target)) throw new PortalSessionDead();
    if (target && wire.places.isUnifiedLogin(target)) throw notCreated();
    // A cookie is a session wherever the site would send a browser with it. Without one the address must be its home.
    const fromUrl = /\/home[^?]*;jsessionid=([^?&;]+)/i.exec(location)?.[1];
    if (fromUrl !== undefined && !state.jars.has(url, sessionCookie)) {
      state.jars.store(url, [`${sessionCookie}=${fromUrl}; Path=/`]);
    }
    if (state.jars.has(url, sessionCookie)) return;
  }
  throw notCreated();
};

/**
 * Opens the session of one application over a live portal session and puts it into the student's state.
 * @throws PortalSessionDead; Failure `credentials-refused`, `sign-in-unavailable`, `timed-out` (step
 *   `unified-login`), `ticket-unavailable`, `upstream-unavailable`
 */
export const openService = async (opening: OpeningContext, system: UpstreamSystem): Promise<void> => {
  const { wire, state } = opening;
  const { wiring } = wire.places;
  const ticketFor = (service: string) => obtainServiceTicket(wire, opening.traveller(), service, opening.credentials);
  try {
    switch (system) {
      case 'jwc': {
        const address = await ticketFor(wiring.jwcService);
        try {
          await redeem(opening, system, address);
          state.open(system, opening.now());
        } catch (error) {
          if (!opening.onlyProve || opening.traveller().signal.aborted) throw error;
          state.jars.clear(address.origin);
        }
        return;
      }
      case 'aac':
      case 'ldjlb': {
        const address = await ticketFor(system === 'aac' ? wiring.aacService : wiring.ldjlbService);
        const ticket = await walkForTicket(opening, system, address);
        state.open(system, opening.now(), { ticket });
        return;
      }
      case 'isim':
        await openElectricity(opening);
        state.open(system, opening.now());
        return;
      case 'competition': {
        const service = state.services.get(system)?.service ?? null;
        // Which service this site wants is learnt from its own redirect: the first visit goes without a session.
        if (service === null) {
          state.open(system, opening.now());
          return;
        }
        const address = await ticketFor(service);
        await redeem(opening, system, address);
        state.open(system, opening.now(), { service });
        return;
      }
    }
  } catch (error) {
    if (error instanceof PortalSessionDead || error instanceof Failure) throw error;
    const { signal } = opening.traveller();
    if (signal.aborted && error === signal.reason) throw error;
    throw signInFailure('unified-login', error);
  }
};
