import { Failure } from '../../domain/errors.ts';
import { signInFailure } from '../sign-in-failures.ts';
import {
  obtainServiceTicket,
  PortalSessionDead,
  type UnifiedLoginCredentials,
} from '../unified-login/service-ticket.ts';
import { type Application, applications, type Entry } from '../upstreams.ts';
import { isRedirect, judgeRedirect } from './expiry.ts';
import type { StudentState } from './student-state.ts';
import type { Traveller, Wire } from './wire.ts';

const HOPS = 10;

/**
 * The application ticket in the last redirect of a ticket walk: from its mark to `&` or `#`, percent-decoded, `+` kept.
 * Null when there is none, or when it is a service ticket of the unified login.
 */
export const ticketIn = (location: string, mark: string): string | null => {
  const start = location.indexOf(mark);
  if (start < 0) return null;
  const raw = /^[^&#]*/.exec(location.slice(start + mark.length))?.[0] ?? '';
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
const redeem = async (opening: OpeningContext, system: Application, address: URL): Promise<void> => {
  const { wire, state } = opening;
  if (address.origin !== wire.addresses.bases[system].origin) {
    throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'ticket for another system' });
  }
  state.jars.clear(address.origin);
  const answer = await wire.send(system, opening.traveller(), { method: 'GET', url: address });
  if (isRedirect(answer.status)) {
    const verdict = judgeRedirect(wire.addresses, system, address, answer.location);
    if (verdict.kind === 'portal-expired') throw new PortalSessionDead();
    if (verdict.kind === 'follow') return;
  } else if (answer.status === 200 && state.jars.export(address.origin) !== null) {
    return;
  }
  throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'service ticket not accepted' });
};

/** Follows the ticket walk of the activity-score and labor-club systems up to the redirect that carries the ticket. */
const walkForTicket = async (
  opening: OpeningContext,
  system: Application,
  mark: string,
  start: URL,
): Promise<string> => {
  const { wire } = opening;
  const lost = (reason: string) => new Failure('ticket-unavailable', { system: applications[system].system, reason });
  let address = start;
  for (let hop = 0; hop < HOPS; hop += 1) {
    const place = address.origin === wire.addresses.bases.cas.origin ? 'cas' : system;
    const answer = await wire.send(place, opening.traveller(), { method: 'GET', url: address });
    if (!isRedirect(answer.status)) throw lost(`status ${answer.status}`);
    if (answer.location?.includes(mark)) {
      const ticket = ticketIn(answer.location, mark);
      if (ticket === null) throw lost('no ticket in the last redirect');
      return ticket;
    }
    const verdict = judgeRedirect(wire.addresses, system, address, answer.location);
    if (verdict.kind === 'portal-expired') throw new PortalSessionDead();
    if (verdict.kind !== 'follow') throw lost(verdict.kind);
    address = verdict.target;
  }
  throw lost('too many redirects');
};

/** One request, no unified login; its redirect is read and not followed. */
const openDirectly = async (
  opening: OpeningContext,
  system: Application,
  entry: Extract<Entry, { kind: 'direct' }>,
): Promise<void> => {
  const { wire, state, userid } = opening;
  const { addresses } = wire;
  const notCreated = () =>
    new Failure('upstream-unavailable', { system: applications[system].system, reason: 'session not created' });
  const url = addresses.url(system, entry.path(userid));
  state.jars.clear(url.origin);
  const answer = await wire.send(system, opening.traveller(), { method: 'GET', url });
  if (!isRedirect(answer.status)) throw notCreated();
  const location = answer.location ?? '';
  const target = addresses.resolve(location, url);
  if (addresses.isPortalLogin(location, target)) throw new PortalSessionDead();
  if (target && addresses.isUnifiedLogin(target)) throw notCreated();
  // A cookie is a session wherever the site would send a browser with it. Without one the address must be its home.
  const fromUrl = entry.idIn(location);
  if (fromUrl !== null && !state.jars.has(url, entry.cookie)) {
    state.jars.store(url, [`${entry.cookie}=${fromUrl}; Path=/`]);
  }
  if (!state.jars.has(url, entry.cookie)) throw notCreated();
};

const enter = async (opening: OpeningContext, system: Application): Promise<void> => {
  const { wire, state } = opening;
  const { entry } = applications[system];
  const ticketFor = (service: string | null) => {
    if (service === null) throw new Error(`${system} has no service`);
    return obtainServiceTicket(wire, opening.traveller(), service, opening.credentials);
  };
  switch (entry.kind) {
    case 'service-ticket': {
      const address = await ticketFor(wire.addresses.service(system));
      try {
        await redeem(opening, system, address);
        state.open(system, opening.now());
      } catch (error) {
        if (!opening.onlyProve || opening.traveller().signal.aborted) throw error;
        state.jars.clear(address.origin);
      }
      return;
    }
    case 'learned-service': {
      // The first visit goes without a session: its redirect to the login says which service the application wants.
      const service = state.services.get(system)?.service ?? null;
      if (service !== null) await redeem(opening, system, await ticketFor(service));
      state.open(system, opening.now(), { service });
      return;
    }
    case 'ticket-walk': {
      const address = await ticketFor(wire.addresses.service(system));
      state.open(system, opening.now(), { ticket: await walkForTicket(opening, system, entry.mark, address) });
      return;
    }
    case 'direct':
      await openDirectly(opening, system, entry);
      state.open(system, opening.now());
      return;
  }
};

/**
 * Opens the session of one application over a live portal session and puts it into the student's state.
 * @throws PortalSessionDead; Failure `credentials-refused`, `sign-in-unavailable`, `timed-out` (step
 *   `unified-login`), `ticket-unavailable`, `upstream-unavailable`
 */
export const openService = async (opening: OpeningContext, system: Application): Promise<void> => {
  try {
    await enter(opening, system);
  } catch (error) {
    if (error instanceof PortalSessionDead || error instanceof Failure) throw error;
    const { signal } = opening.traveller();
    if (signal.aborted && error === signal.reason) throw error;
    throw signInFailure('unified-login', error);
  }
};
