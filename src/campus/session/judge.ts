import { type CampusSystem, type Failure, failureOf, failures, isFailure } from '../../domain/errors.ts';
import { limitFailure, limits } from '../../domain/limits.ts';
import type { Addresses } from '../contract/addresses.ts';
import { isRedirect } from '../contract/sign-in.ts';
import { type Failed, fail } from '../contract/sign-in-failures.ts';
import type { DeadSign, UpstreamRequest } from '../contract/upstream-session.ts';
import type { Application, ApplicationRow, Upstream } from '../contract/upstreams.ts';
import { type HttpAnswer, silenceReason, type Unanswered } from '../transport/http.ts';
import type { CampusDeps } from './campus-requests.ts';
import type { ApplicationState, StudentState } from './student-state.ts';

interface Dead {
  readonly kind: 'dead';
  readonly sign: DeadSign;
  /** The service that the application's redirect asked the unified login for. */
  readonly service: string | null;
}

export type AnswerVerdict =
  | { readonly kind: 'live'; readonly text: string }
  | Dead
  | Failed
  /** The network, a gateway or an empty body spoilt it: a read may be sent once more; after that `cause` counts. */
  | { readonly kind: 'retry'; readonly cause: Dead | Failed };

const deadAnswer = (sign: DeadSign, service: string | null = null): Dead => ({ kind: 'dead', sign, service });

/** After a session has answered within this time, an empty body is the upstream's fault and not expiry. */
const TRUST_MS = 240_000;

/** The sender of a request, as far as the verdict depends on it. */
export interface RequestSender {
  readonly campus: Pick<CampusDeps, 'addresses' | 'clock' | 'pages'>;
  readonly state: StudentState;
  readonly session: ApplicationState;
  readonly row: ApplicationRow;
  readonly signal: AbortSignal;
  readonly isWithdrawn: boolean;
}

export const budgetSpent = (system: CampusSystem, retryAfterSeconds: number | undefined): Failure =>
  limitFailure(limits.campusOfStudent, (retryAfterSeconds ?? 1) * 1_000).with({ system });

export const failure = (
  sender: RequestSender,
  kind: 'upstream-unavailable' | 'upstream-unreadable',
  reason: string,
): Failed => fail(failureOf(kind, { system: sender.row.system, reason }));

export const outcomeUnknown = (
  sender: RequestSender,
  reason: string,
  details: { readonly cause?: unknown; readonly upstreamStatus?: number } = {},
): Failed => fail(failures.outcomeUnknown(sender.row.system, reason, details));

export const judgeSilence = (sender: RequestSender, request: UpstreamRequest, silence: Unanswered): AnswerVerdict => {
  const system = sender.row.system;
  const { fault, cause, retryAfterSeconds } = silence;
  const reason = silenceReason(silence);
  const unavailable = fail(failures.upstreamUnavailable(system, reason, { cause, retryAfterSeconds }));
  switch (fault) {
    case 'session-replaced':
      return deadAnswer('application-expired');
    case 'portal-dead':
      return deadAnswer('portal-expired');
    case 'budget-spent':
      return fail(budgetSpent(system, retryAfterSeconds));
    case 'student-line-full':
      return fail(failures.overloaded(1, undefined, { system }));
    case 'breaker-open':
    case 'student-paused':
    case 'line-full':
      return unavailable;
    case 'not-sent':
      return { kind: 'retry', cause: unavailable };
    case 'broken':
      return request.write ? outcomeUnknown(sender, reason, { cause }) : { kind: 'retry', cause: unavailable };
    case 'timed-out':
      if (request.write) return outcomeUnknown(sender, fault, { cause });
      return fail(failures.timedOut(undefined, { system, cause }));
    case 'too-large':
      if (request.write) return outcomeUnknown(sender, fault, { cause });
      return failure(sender, 'upstream-unreadable', 'answer over the size ceiling');
    case 'garbled':
      if (request.write) return outcomeUnknown(sender, fault);
      return failure(sender, 'upstream-unreadable', 'bytes of no charset');
  }
};

/** Neither 200 nor a redirect. */
const judgeStatus = (sender: RequestSender, request: UpstreamRequest, upstreamStatus: number): AnswerVerdict => {
  const reason = `status ${upstreamStatus}`;
  if (request.optional && upstreamStatus === 404) return { kind: 'live', text: '' };
  if (request.write) return outcomeUnknown(sender, reason, { upstreamStatus });
  if (sender.row.ticket?.refusedBy.includes(upstreamStatus)) return deadAnswer('refused');
  if (sender.row.deadStatuses?.includes(upstreamStatus)) return deadAnswer('application-expired');
  const unavailable = fail(failures.upstreamUnavailable(sender.row.system, reason, { upstreamStatus }));
  return [502, 503, 504].includes(upstreamStatus) ? { kind: 'retry', cause: unavailable } : unavailable;
};

const judgeBody = async (
  sender: RequestSender,
  request: UpstreamRequest,
  { status, text }: HttpAnswer,
): Promise<AnswerVerdict> => {
  const { campus, state, session, signal } = sender;
  const { system, unmarkedPage } = sender.row;
  if (request.expect === 'page' && request.alive !== undefined) {
    try {
      // A page that shows its own mark is alive, even if it mentions a login.
      if (await campus.pages.read(request.alive, text, { system, signal })) return { kind: 'live', text };
    } catch (error) {
      if (signal.aborted || !isFailure(error)) throw error;
      return fail(error);
    }
  }
  const page = judgePage(campus.addresses, session.application, text, request.expect, request.write);
  if (page === 'data') return { kind: 'live', text };
  // Only a redirect proves that a write did not reach the application.
  if (request.write) return outcomeUnknown(sender, page, { upstreamStatus: status });
  switch (page) {
    case 'portal-expired':
    case 'html-for-json':
      return deadAnswer(page);
    case 'login-page':
      return deadAnswer('application-expired');
    case 'unmarked-page':
      if (request.optional) return { kind: 'live', text: '' };
      return unmarkedPage === 'dead'
        ? deadAnswer(page)
        : failure(sender, 'upstream-unreadable', 'page without its mark');
    case 'empty': {
      const trusted = campus.clock.now() - state.portalLogin.answeredAt < TRUST_MS;
      const cause = trusted ? failure(sender, 'upstream-unavailable', 'empty body') : deadAnswer('empty-unproven');
      return { kind: 'retry', cause };
    }
  }
};

export type Redirected = Extract<RedirectVerdict, { kind: 'follow' }>;

/** Returns the verdict on one answer, or the address inside the application that it sends us to. */
export const judgeAnswer = async (
  sender: RequestSender,
  asked: UpstreamRequest & { readonly url: URL },
  answer: HttpAnswer,
): Promise<AnswerVerdict | Redirected> => {
  const { addresses } = sender.campus;
  const { application } = sender.session;
  if (sender.isWithdrawn) return deadAnswer('application-expired');
  if (!isRedirect(answer.status)) {
    return answer.status === 200 ? judgeBody(sender, asked, answer) : judgeStatus(sender, asked, answer.status);
  }
  const redirect = judgeRedirect(addresses, application, asked.url, answer.location);
  if (redirect.kind === 'portal-expired') return deadAnswer('portal-expired');
  if (redirect.kind === 'application-expired') return deadAnswer('application-expired', redirect.service);
  if (asked.write) return outcomeUnknown(sender, 'unexpected redirect', { upstreamStatus: answer.status });
  if (asked.method === 'POST' && sender.row.redirects === 'lost-after-form') {
    return deadAnswer('application-expired');
  }
  if (redirect.kind === 'astray') return failure(sender, 'upstream-unavailable', redirect.reason);
  // Unless forms end with a redirect here, following one would lose the body or send it again.
  const keepsBody = answer.status === 307 || answer.status === 308;
  const endsForm = sender.row.redirects === 'also-after-form' && !keepsBody;
  if ((asked.method === 'POST' && !endsForm) || !addresses.originsOf(application).includes(redirect.target.origin)) {
    return failure(sender, 'upstream-unavailable', 'unexpected redirect');
  }
  return redirect;
};

export const callOutcomeOf = (verdict: AnswerVerdict | Redirected): 'ok' | 'expired' | 'failed' => {
  if (verdict.kind === 'live' || verdict.kind === 'follow') return 'ok';
  const { kind } = verdict.kind === 'retry' ? verdict.cause : verdict;
  return kind === 'dead' ? 'expired' : 'failed';
};

// The campus never says 401: it redirects, or shows another page. Every sign of a dead session stands below, in the order
// in which we must look for it.

export type RedirectVerdict =
  | { readonly kind: 'portal-expired' }
  | { readonly kind: 'application-expired'; readonly service: string | null }
  | { readonly kind: 'follow'; readonly target: URL }
  | { readonly kind: 'astray'; readonly reason: 'no-location' | 'leaves-campus' };

export const judgeRedirect = (
  addresses: Addresses,
  upstream: Upstream,
  from: URL,
  location: string | undefined,
): RedirectVerdict => {
  if (location === undefined || location === '') return { kind: 'astray', reason: 'no-location' };
  const row = addresses.row(upstream);
  const target = addresses.resolve(location, from);
  if (addresses.isPortalLogin(location, target)) return { kind: 'portal-expired' };
  if (!target) return { kind: 'astray', reason: 'no-location' };
  if (row.endsAtLogin && addresses.isUnifiedLogin(target)) {
    return { kind: 'application-expired', service: target.searchParams.get('service') };
  }
  if (row.deadPath?.test(target.pathname) && target.origin === addresses.base(upstream).origin) {
    return { kind: 'application-expired', service: null };
  }
  if (row.redirects === 'none') return { kind: 'application-expired', service: null };
  if (!addresses.isConfigured(target)) return { kind: 'astray', reason: 'leaves-campus' };
  return { kind: 'follow', target };
};

/** A notice in place of an answer is no longer. */
const longestNotice = 500;

/** Judges a 200 answer by its text, since some JSON is served as HTML. A text field of JSON may hold any mark. */
export const judgePage = (
  addresses: Addresses,
  upstream: Upstream,
  text: string,
  expect: UpstreamRequest['expect'],
  isWrite = false,
) => {
  // A byte order mark counts as white space.
  const trimmed = text.trimStart();
  if (trimmed === '') return 'empty';
  const { showsDeath } = addresses.row(upstream);
  // The client of a write reads its answer: what became of it decides.
  if (showsDeath && !isWrite && trimmed.length <= longestNotice && showsDeath(trimmed)) return 'login-page';
  if (expect === 'json' && !trimmed.startsWith('<')) return 'data';
  if (addresses.portal.isLoginPage(text)) return 'portal-expired';
  if (addresses.showsLogin(upstream, text)) return 'login-page';
  return expect === 'json' ? 'html-for-json' : 'unmarked-page';
};

/**
 * A redirect of an application behind a proxy of the campus, which may forget its scheme or port, or name itself by another
 * host. Its landing is not fetched; what counts is that it leads to neither login.
 */
export const losesItsWay = (
  addresses: Addresses,
  application: Application,
  location: string | undefined,
  from: URL,
): boolean => {
  const target = addresses.resolve(location ?? '', from);
  if (target === null || !/^https?:$/.test(target.protocol) || addresses.isConfigured(target)) return false;
  // Systems on one host are told apart by their ports alone: the application's own host is not the portal's.
  const isOwnHost = target.hostname === addresses.base(application).hostname;
  if (addresses.portal.isLoginRedirect(location ?? '', target, isOwnHost)) return false;
  const login = addresses.base('unified-login');
  const isLogin = target.hostname === login.hostname && `${target.pathname}/`.startsWith(`${login.pathname}/`);
  return !isLogin && !/(?:^|\/)login\b/i.test(target.pathname) && !target.searchParams.has('service');
};

/** Reads the ticket from its mark to `&` or `#`, percent-decoded, `+` kept. Null: none, or only a service ticket. */
export const applicationTicketIn = (location: string, mark: string): string | null => {
  const start = location.indexOf(mark);
  if (start < 0) return null;
  const raw = /^[^&#]*/.exec(location.slice(start + mark.length))?.[0] ?? '';
  try {
    const ticket = decodeURIComponent(raw);
    // It travels in a header, which must have no control characters.
    return ticket === '' || ticket.startsWith('ST-') || /[^\x20-\x7e]/.test(ticket) ? null : ticket;
  } catch {
    return null;
  }
};
