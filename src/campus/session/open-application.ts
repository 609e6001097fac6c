import { Failure } from '../../domain/errors.ts';
import type { HttpAnswer } from '../http.ts';
import type { Credentials, NeedsPerson } from '../portal/portal.ts';
import { type Failed, failed, signInFailed, signInUnanswered } from '../sign-in-failures.ts';
import type { Application, Entry } from '../upstreams.ts';
import { isRedirect, judgeRedirect } from './judge.ts';
import { obtainServiceTicket, type PortalDead, portalDead, type ServiceTicket } from './service-ticket.ts';
import { countPage, type RequestScope, sendAndCount } from './upstream-session.ts';

const STEP = 'unified-login' as const;
const HOPS = 10;

interface Opened {
  readonly kind: 'opened';
}

const opened: Opened = { kind: 'opened' };

type Opening = Opened | PortalDead | NeedsPerson | Failed;

interface OpeningRequest {
  readonly application: Application;
  readonly userid: string;
  /** Asked for when the login page appears; fails when they may not be sent again. */
  readonly credentials: () => Promise<Credentials | Failed>;
  /**
   * Set while a submitted pair is being verified: the service ticket is enough, so an application that is down
   * behind it does not stop the login. The next read redeems its own ticket.
   */
  readonly onlyVerify: boolean;
  /** The unified login has issued it already, for an application that is entered with one. */
  readonly issued?: ServiceTicket | undefined;
}

/**
 * The application ticket in the last redirect of a ticket walk: from its mark to `&` or `#`, percent-decoded, `+` kept.
 * Null when there is none, or when it is a service ticket of the unified login.
 */
export const applicationTicketIn = (location: string, mark: string): string | null => {
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

/** Counts the entrance of an application, and hands on how entering it went; a server that is down says nothing of its pages. */
const atEntrance = <T extends { readonly kind: string }>(
  scope: RequestScope,
  application: Application,
  answer: HttpAnswer,
  went: T,
): T => {
  if (answer.status < 500) countPage(scope, application, 'entrance', went.kind !== 'failed');
  return went;
};

/** The portal shows its own page instead. */
const showsPortal = ({ campus }: RequestScope, { status, text }: HttpAnswer): boolean =>
  status === 200 && campus.addresses.portal.isLoginPage(text);

/** Redeems a service ticket: the answer sets the session cookie and leads into the application. */
const redeem = async (scope: RequestScope, application: Application, address: URL): Promise<Opening> => {
  const { campus, state } = scope;
  if (address.origin !== campus.addresses.base(application).origin) {
    return signInFailed(STEP, 'ticket for another application');
  }
  state.jars.clear(address.origin);
  const answer = await sendAndCount(scope, application, { method: 'GET', url: address });
  if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
  if (isRedirect(answer.status)) {
    const { kind } = judgeRedirect(campus.addresses, application, address, answer.location);
    if (kind === 'portal-expired') return portalDead;
    if (kind === 'follow') return atEntrance(scope, application, answer, opened);
  } else if (showsPortal(scope, answer)) {
    return portalDead;
  } else if (answer.status === 200 && state.jars.export(address.origin) !== null) {
    return atEntrance(scope, application, answer, opened);
  }
  return atEntrance(scope, application, answer, signInFailed(STEP, 'service ticket not accepted'));
};

/** Follows a ticket walk up to the redirect that carries the application's own ticket. */
const walkForTicket = async (
  scope: RequestScope,
  application: Application,
  mark: string,
  start: URL,
): Promise<{ readonly kind: 'ticket'; readonly ticket: string } | PortalDead | Failed> => {
  const { addresses } = scope.campus;
  const lost = (reason: string): Failed =>
    failed(new Failure('ticket-unavailable', { system: addresses.application(application).system, reason }));
  let url = start;
  for (let hop = 0; hop < HOPS; hop += 1) {
    const upstream = url.origin === addresses.base('unified-login').origin ? 'unified-login' : application;
    const answer = await sendAndCount(scope, upstream, { method: 'GET', url });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    if (showsPortal(scope, answer)) return portalDead;
    const told = <T extends { readonly kind: string }>(went: T): T => atEntrance(scope, upstream, answer, went);
    if (!isRedirect(answer.status)) return told(lost(`status ${answer.status}`));
    if (answer.location?.includes(mark)) {
      const ticket = applicationTicketIn(answer.location, mark);
      return told(ticket === null ? lost('no ticket in the last redirect') : ({ kind: 'ticket', ticket } as const));
    }
    const redirect = judgeRedirect(addresses, application, url, answer.location);
    if (redirect.kind === 'portal-expired') return portalDead;
    if (redirect.kind !== 'follow') return told(lost(redirect.kind));
    url = redirect.target;
  }
  return lost('too many redirects');
};

/** Asks the entrance of an application which service it wants, from redirect to redirect. */
const serviceAt = async (
  scope: RequestScope,
  application: Application,
  path: string,
): Promise<{ readonly kind: 'service'; readonly service: string } | PortalDead | Failed> => {
  const { addresses } = scope.campus;
  const lost = (reason: string): Failed =>
    failed(new Failure('upstream-unavailable', { system: addresses.application(application).system, reason }));
  let url = addresses.url(application, path);
  scope.state.jars.clear(url.origin);
  for (let hop = 0; hop < HOPS; hop += 1) {
    const answer = await sendAndCount(scope, application, { method: 'GET', url, slow: true });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    if (showsPortal(scope, answer)) return portalDead;
    const told = <T extends { readonly kind: string }>(went: T): T => atEntrance(scope, application, answer, went);
    if (!isRedirect(answer.status)) return told(lost('entrance without a redirect'));
    const redirect = judgeRedirect(addresses, application, url, answer.location);
    if (redirect.kind === 'portal-expired') return portalDead;
    if (redirect.kind === 'application-expired' && redirect.service !== null) {
      return told({ kind: 'service', service: redirect.service } as const);
    }
    if (redirect.kind !== 'follow' || redirect.target.origin !== url.origin) return told(lost(redirect.kind));
    url = redirect.target;
  }
  return lost('too many redirects');
};

/** One request, no unified login; its redirect is read and not followed. */
const openDirectly = async (
  scope: RequestScope,
  { application, userid }: OpeningRequest,
  entry: Extract<Entry, { kind: 'direct' }>,
): Promise<Opening> => {
  const { addresses } = scope.campus;
  const { jars } = scope.state;
  const notCreated = failed(
    new Failure('upstream-unavailable', {
      system: addresses.application(application).system,
      reason: 'session not created',
    }),
  );
  const url = addresses.url(application, entry.path(userid));
  jars.clear(url.origin);
  const answer = await sendAndCount(scope, application, { method: 'GET', url });
  if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
  if (showsPortal(scope, answer)) return portalDead;
  const told = (went: Opening): Opening => atEntrance(scope, application, answer, went);
  if (!isRedirect(answer.status)) return told(notCreated);
  const location = answer.location ?? '';
  const target = addresses.resolve(location, url);
  if (addresses.isPortalLogin(location, target)) return portalDead;
  if (target && addresses.isUnifiedLogin(target)) return told(notCreated);
  // A cookie is a session wherever the site redirects with it. Without one the address must be its home.
  const id = entry.idIn(location);
  if (id !== null && !jars.has(url, entry.cookie)) jars.store(url, [`${entry.cookie}=${id}; Path=/`]);
  return told(jars.has(url, entry.cookie) ? opened : notCreated);
};

/**
 * Opens the session of one application over a live portal session and puts it into the student's state. Fails with
 * `credentials-refused`, `sign-in-unavailable` or `timed-out` (step `unified-login`), `ticket-unavailable`,
 * `upstream-unavailable`.
 */
export const openApplication = async (scope: RequestScope, request: OpeningRequest): Promise<Opening> => {
  const { campus, state } = scope;
  const { application, credentials, onlyVerify } = request;
  const { entry } = campus.addresses.application(application);
  const now = (): number => campus.clock.now();
  switch (entry.kind) {
    case 'service-ticket': {
      const service = campus.addresses.service(application);
      const ticket = request.issued ?? (await obtainServiceTicket(scope, service, credentials));
      if (ticket.kind !== 'ticket') return ticket;
      const redeemed = await redeem(scope, application, ticket.address);
      if (redeemed.kind === 'opened') {
        state.unifiedLogin.provenAt = now();
        state.open(application, now());
        return redeemed;
      }
      if (!onlyVerify || redeemed.kind === 'portal-dead') return redeemed;
      state.jars.clear(ticket.address.origin);
      return opened;
    }
    case 'learned-service': {
      // The first visit goes without a session: its redirect to the login says which service the application wants.
      const service = state.applications.get(application)?.service ?? null;
      if (service !== null) {
        const ticket = await obtainServiceTicket(scope, service, credentials);
        if (ticket.kind !== 'ticket') return ticket;
        const redeemed = await redeem(scope, application, ticket.address);
        if (redeemed.kind !== 'opened') return redeemed;
        state.unifiedLogin.provenAt = now();
      }
      state.open(application, now(), { service });
      return opened;
    }
    case 'entrance': {
      const asked = await serviceAt(scope, application, entry.path);
      if (asked.kind !== 'service') return asked;
      const ticket = await obtainServiceTicket(scope, asked.service, credentials);
      if (ticket.kind !== 'ticket') return ticket;
      const redeemed = await redeem(scope, application, ticket.address);
      if (redeemed.kind !== 'opened') return redeemed;
      state.unifiedLogin.provenAt = now();
      state.open(application, now());
      return redeemed;
    }
    case 'ticket-walk': {
      const issued = await obtainServiceTicket(scope, campus.addresses.service(application), credentials);
      if (issued.kind !== 'ticket') return issued;
      const walked = await walkForTicket(scope, application, entry.mark, issued.address);
      if (walked.kind !== 'ticket') return walked;
      state.unifiedLogin.provenAt = now();
      state.open(application, now(), { ticket: walked.ticket });
      return opened;
    }
    case 'direct': {
      const entered = await openDirectly(scope, request, entry);
      if (entered.kind === 'opened') {
        state.portalLogin.provenAt = now();
        state.open(application, now());
      }
      return entered;
    }
  }
};
