import type { CallContext } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { systemClock } from '../../lib/clock.ts';
import { BreakerOpen } from '../breaker.ts';
import { type HttpAnswer, TransportError } from '../http.ts';
import { LINE_RETRY_SECONDS } from '../sign-in-failures.ts';
import { type Application, applications } from '../upstreams.ts';
import { isRedirect, judgePage, judgeRedirect } from './expiry.ts';
import type { DeadSign } from './ladder.ts';
import type { ServiceState, StudentState } from './student-state.ts';
import type { UpstreamRequest } from './upstream-session.ts';
import { SessionReplaced, type Traveller, type Wire } from './wire.ts';

const HOPS = 10;
/** A session that answered within this time is trusted: an empty body is then the upstream's fault, not expiry. */
export const TRUST_MS = 240_000;
const JSON_ACCEPT = 'application/json, text/javascript, */*; q=0.01';
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** An answer that proves, or suggests, that a session is dead. Caught by the session core, never seen outside. */
export class DeadSession extends Error {
  readonly sign: DeadSign;
  readonly service: string | null;

  constructor(sign: DeadSign, service: string | null = null) {
    super(`session is dead: ${sign}`);
    this.name = 'DeadSession';
    this.sign = sign;
    this.service = service;
  }
}

/** A failed read that may be sent once more: the network, a gateway error, or nothing at all. */
class WorthRepeating extends Error {
  readonly outcome: Failure | DeadSession;

  constructor(failure: Failure | DeadSession) {
    super('read may be repeated');
    this.outcome = failure;
  }
}

export interface ExchangeContext {
  readonly wire: Wire;
  readonly system: Application;
  readonly state: StudentState;
  readonly service: ServiceState;
  readonly traveller: Traveller;
  readonly context: CallContext;
  readonly now: () => number;
}

const headersFor = (exchange: ExchangeContext, request: UpstreamRequest): Record<string, string> => {
  const { ticket } = applications[exchange.system];
  return {
    accept: request.expect === 'json' ? JSON_ACCEPT : PAGE_ACCEPT,
    ...ticket?.headers(exchange.service.ticket ?? '', exchange.traveller.portalSession ?? ''),
    ...(ticket && request.jsonBody === undefined ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...request.headers,
  };
};

const failure = (exchange: ExchangeContext, kind: 'upstream-unavailable' | 'upstream-unreadable', reason: string) =>
  new Failure(kind, { system: applications[exchange.system].system, reason });

const outcomeUnknown = (
  exchange: ExchangeContext,
  reason: string,
  details: { readonly cause?: unknown; readonly upstreamStatus?: number } = {},
) => new Failure('outcome-unknown', { system: applications[exchange.system].system, reason, ...details });

/** Errors that brought no answer, in the domain's words. */
const translate = (exchange: ExchangeContext, request: UpstreamRequest, error: unknown): unknown => {
  const system = applications[exchange.system].system;
  if (error instanceof SessionReplaced) return new DeadSession('service-expired');
  if (error instanceof BreakerOpen) {
    const { retryAfterSeconds } = error;
    return new Failure('upstream-unavailable', { system, retryAfterSeconds, reason: 'breaker open' });
  }
  if (error instanceof TransportError) {
    if (error.fault === 'line-full') {
      return new Failure('upstream-unavailable', {
        system,
        retryAfterSeconds: LINE_RETRY_SECONDS,
        reason: 'line full',
      });
    }
    const unavailable = new Failure('upstream-unavailable', { system, reason: error.fault, cause: error });
    if (error.fault === 'not-sent') return request.write ? unavailable : new WorthRepeating(unavailable);
    if (request.write) return outcomeUnknown(exchange, error.fault, { cause: error });
    if (error.fault === 'timed-out') return new Failure('timed-out', { system, cause: error });
    if (error.fault === 'too-large') return failure(exchange, 'upstream-unreadable', 'answer over the size ceiling');
    return new WorthRepeating(unavailable);
  }
  // Our own deadline ended a write that was under way: whether it was done is unknown.
  if (request.write && exchange.traveller.signal.aborted) return outcomeUnknown(exchange, 'aborted', { cause: error });
  return error;
};

/** Judges one answer that is no redirect. Returns the text of the live application. */
const judgeAnswer = (exchange: ExchangeContext, request: UpstreamRequest, answer: HttpAnswer): string => {
  const { system, state, now } = exchange;
  const ticketRefusal = applications[system].ticket?.refusedBy.includes(answer.status) ?? false;
  if (answer.status !== 200) {
    const upstreamStatus = answer.status;
    const reason = `status ${upstreamStatus}`;
    if (request.write) throw outcomeUnknown(exchange, reason, { upstreamStatus });
    if (ticketRefusal) throw new DeadSession('ticket-refused');
    const unavailable = new Failure('upstream-unavailable', {
      system: applications[system].system,
      upstreamStatus,
      reason,
    });
    throw [502, 503, 504].includes(answer.status) ? new WorthRepeating(unavailable) : unavailable;
  }
  const alive = request.alive ?? (() => false);
  const verdict = judgePage(
    exchange.wire.addresses,
    system,
    answer.text,
    request.expect === 'json' ? { kind: 'json' } : { kind: 'page', alive },
  );
  if (verdict === 'alive') return answer.text;
  // Only a redirect proves that a write did not reach the application.
  if (request.write) throw outcomeUnknown(exchange, verdict, { upstreamStatus: answer.status });
  switch (verdict) {
    case 'portal-expired':
      throw new DeadSession('portal-expired');
    case 'login-page':
      throw new DeadSession('service-expired');
    case 'html-for-json':
      throw new DeadSession('html-for-json');
    case 'strange-page':
      if (applications[system].unmarkedPage === 'dead') throw new DeadSession('strange-page');
      throw failure(exchange, 'upstream-unreadable', 'page without its marker');
    case 'empty':
      throw new WorthRepeating(
        now() - state.portalProvenAt < TRUST_MS
          ? failure(exchange, 'upstream-unavailable', 'empty body')
          : new DeadSession('empty-unproven'),
      );
  }
};

/**
 * When a session that answers by what it was told before was replaced while this call was under way, the answer may be
 * the new session's, which was told nothing by this call; and what leaves only now would tell the new session something
 * that nobody knows of.
 */
const wasReplaced = ({ system, state, service }: ExchangeContext): boolean =>
  applications[system].bindsSession && state.services.get(system) !== service;

/** What one answer comes to: the text of the live application, or the address of its own that it sends us to. */
const judge = (
  exchange: ExchangeContext,
  request: UpstreamRequest,
  asked: { readonly method: 'GET' | 'POST'; readonly url: URL },
  answer: HttpAnswer,
): string | URL => {
  const { wire, system } = exchange;
  if (wasReplaced(exchange)) throw new DeadSession('service-expired');
  if (!isRedirect(answer.status)) return judgeAnswer(exchange, request, answer);
  const verdict = judgeRedirect(wire.addresses, system, asked.url, answer.location);
  if (verdict.kind === 'portal-expired') throw new DeadSession('portal-expired');
  if (verdict.kind === 'service-expired') throw new DeadSession('service-expired', verdict.service);
  if (request.write) throw outcomeUnknown(exchange, 'unexpected redirect', { upstreamStatus: answer.status });
  if (verdict.kind === 'astray') throw failure(exchange, 'upstream-unavailable', verdict.reason);
  // Only the competition pages answer a form with a redirect; elsewhere a POST that would lose its body is an error.
  const redirectsForms = applications[system].redirects === 'also-after-form';
  const loses = asked.method === 'POST' && (!redirectsForms || answer.status === 307 || answer.status === 308);
  if (loses || verdict.target.origin !== wire.addresses.bases[system].origin) {
    throw failure(exchange, 'upstream-unavailable', 'unexpected redirect');
  }
  return verdict.target;
};

const showsDeath = (error: unknown): boolean =>
  error instanceof DeadSession || (error instanceof WorthRepeating && error.outcome instanceof DeadSession);

/** The same, counted. */
const judgeAndCount = (...parameters: Parameters<typeof judge>): string | URL => {
  const [{ wire, system }] = parameters;
  try {
    const verdict = judge(...parameters);
    wire.count(system, 'ok');
    return verdict;
  } catch (error) {
    wire.count(system, showsDeath(error) ? 'expired' : 'failed');
    throw error;
  }
};

/** Sends one request, following the application's own redirects, each judged before it is followed. */
const exchangeOnce = async (exchange: ExchangeContext, request: UpstreamRequest): Promise<string> => {
  const { wire, system } = exchange;
  const traveller = { ...exchange.traveller, mayGo: () => !wasReplaced(exchange) };
  const visits = new Map<string, number>();
  let url = wire.addresses.url(system, request.path);
  let method = request.method;
  for (let hop = 0; hop <= HOPS; hop += 1) {
    const answer = await wire
      .send(system, traveller, {
        method,
        url,
        headers: headersFor(exchange, request),
        slow: request.slow,
        judged: true,
        ...(method === 'POST' ? { form: request.form, jsonBody: request.jsonBody } : {}),
      })
      .catch((error: unknown) => {
        throw translate(exchange, request, error);
      });
    const verdict = judgeAndCount(exchange, request, { method, url }, answer);
    if (typeof verdict === 'string') return verdict;
    method = 'GET';
    url = verdict;
    const seen = (visits.get(url.href) ?? 0) + 1;
    visits.set(url.href, seen);
    if (seen === 3) break;
  }
  // A loop often lives in a stale cookie; the next call starts without it.
  exchange.state.jars.clear(wire.addresses.bases[system].origin);
  exchange.state.services.delete(system);
  throw failure(exchange, 'upstream-unavailable', 'redirect loop');
};

/**
 * The text of a live answer. A read is sent a second time when the network, a gateway or an empty body spoilt the
 * first; a write never.
 * @throws DeadSession; Failure `upstream-unavailable`, `upstream-unreadable`, `timed-out`, `outcome-unknown`
 */
export const exchangeText = async (exchange: ExchangeContext, request: UpstreamRequest): Promise<string> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const text = await exchangeOnce(exchange, request);
      exchange.state.portalProvenAt = exchange.now();
      exchange.service.usedAt = exchange.now();
      return text;
    } catch (error) {
      if (!(error instanceof WorthRepeating)) throw error;
      if (attempt === 2 || request.write || request.once) throw error.outcome;
      await systemClock.wait(100 + Math.random() * 200, exchange.traveller.signal);
    }
  }
};
