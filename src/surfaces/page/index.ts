import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answered, Challenge } from '../../domain/accounts/challenges/ports.ts';
import type { CallContext } from '../../domain/context.ts';
import { type Failure, type FailureKind, isFailure } from '../../domain/errors.ts';
import { failureOf, recordFailure, runCall } from '../../platform/call/call.ts';
import { type Language, languageOf, type Words } from '../../platform/languages.ts';
import { limiting, type RequestLimits } from '../../platform/limits/limits.ts';
import type { Services } from '../../services.ts';
import { codePage, confirmPage, endPage, type Look, type Notice, pagePolicy, stepPage } from './html.ts';
import { pageWords as w, wrongAnswer } from './words.ts';

interface PageDeps {
  readonly services: Pick<Services, 'challenges' | 'pageCodes' | 'clock'>;
  readonly limits: RequestLimits;
  readonly timeZone: string;
}

/** Where the page is, from outside; null: nowhere, as it is unknown where clients reach the service. */
export const pageUrlOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}/challenge`;

/** Largest form: six members, the longest of which is a code. */
const formLimit = 4_096;

/** What the page posts to itself. */
interface Form {
  readonly code: string;
  readonly answer: string;
  readonly target: number | undefined;
  readonly action: 'look' | 'send' | 'answer';
  /** It was said that the login is one's own. */
  readonly confirmed: boolean;
}

const readForm = (body: unknown): Form => {
  const members = new URLSearchParams(typeof body === 'string' ? body : '');
  const member = (name: string): string => members.get(name)?.trim() ?? '';
  // Input methods for Chinese type digits of full width.
  const answer = member('answer').normalize('NFKC');
  const target = member('target');
  const action = member('action');
  return {
    code: member('code').normalize('NFKC'),
    answer,
    target: /^\d{1,2}$/.test(target) ? Number(target) : undefined,
    action: action === 'send' ? 'send' : action === 'answer' || answer !== '' ? 'answer' : 'look',
    confirmed: member('confirmed') === 'yes',
  };
};

/** Only the page itself may post here: another site could answer in the name of the visitor. */
const isOwn = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};

const lastNotice = ({ last, answersLeft }: Challenge): Notice | null => {
  switch (last) {
    case 'none':
      return null;
    case 'wrong':
      return { words: wrongAnswer(answersLeft), about: 'answer' };
    case 'expired':
      return { words: w.expired, about: 'answer' };
    case 'passed-step':
      return { words: w.passedStep, tone: 'good' };
    case 'send-refused':
      return { words: w.sendRefused };
  }
};

/** Of failures after which the same step goes on. */
const stepNotices: Partial<Record<FailureKind, Notice>> = {
  'challenge-answer': { words: w.malformed, about: 'answer' },
  'challenge-target': { words: w.chooseTarget, about: 'target' },
  'challenge-busy': { words: w.atWork },
  'rate-limited': { words: w.tooMany },
};

interface End {
  readonly status: number;
  readonly title: Words;
  readonly text: Words;
}

/** Of failures after which nothing goes on here. */
const ends: Partial<Record<FailureKind, End>> = {
  'challenge-unknown': { status: 404, title: w.overTitle, text: w.over },
  'person-needed': { status: 403, title: w.overTitle, text: w.elsewhere },
  'credentials-refused': { status: 403, title: w.overTitle, text: w.refused },
  'stored-credentials-refused': { status: 403, title: w.overTitle, text: w.refused },
};

const campusFailed: Partial<Record<FailureKind, number>> = {
  'sign-in-guarded': 502,
  'sign-in-unavailable': 502,
  'timed-out': 504,
};

const otherStatuses: Partial<Record<FailureKind, number>> = { 'rate-limited': 429, overloaded: 503 };

/** A page that is answered. */
interface Shown {
  readonly status: number;
  readonly html: string;
  readonly failure?: Failure;
}

const shown = (html: string, status = 200): Shown => ({ status, html });

/** After something that ends it, or that has to be looked at again. */
const failed = (look: Look, failure: Failure, pageCode: string | null): Shown => {
  const end = ends[failure.kind];
  if (end) return { status: end.status, html: endPage(look, end.title, end.text), failure };
  const status = campusFailed[failure.kind];
  if (status !== undefined) {
    return { status, html: endPage(look, w.failedTitle, w.campusFailed, pageCode), failure };
  }
  const text = failure.kind === 'rate-limited' ? w.tooMany : w.failed;
  return { status: otherStatuses[failure.kind] ?? 500, html: endPage(look, w.failedTitle, text, pageCode), failure };
};

const passed = (look: Look, answered: Answered | null): Shown =>
  shown(endPage(look, w.passedTitle, answered?.kind === 'renewed' ? w.renewed : w.freed));

/** What a visitor sees who has typed a code, and perhaps more. */
const walk = async (
  { challenges, pageCodes }: PageDeps['services'],
  form: Form,
  look: Look,
  call: CallContext,
): Promise<Shown> => {
  const { answer, action, confirmed, target } = form;
  const found = await pageCodes.find(form.code, call).catch((error: unknown) => {
    if (isFailure(error, 'challenge-unknown')) return error;
    throw error;
  });
  if (found instanceof Error) return { status: 404, html: codePage(look, { words: w.badCode }), failure: found };
  const { pageCode, challenge } = found;
  if (challenge === 'passed') return passed(look, null);
  const step = (now: Challenge, notice: Notice | null): Shown =>
    shown(stepPage(look, now, { pageCode, confirmed, notice }));
  try {
    if (action === 'send') {
      const sent = await challenges.send({ pageCode }, target, call);
      return step(sent, lastNotice(sent));
    }
    if (action === 'look' || answer === '') return step(challenge, lastNotice(challenge));
    if (!challenge.asker.isHere && !confirmed) return shown(confirmPage(look, challenge, { pageCode, answer }));
    return passed(look, await challenges.answer({ pageCode }, answer, call));
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (error.challenge) return step(error.challenge, lastNotice(error.challenge));
    if (action === 'send' && error.kind === 'rate-limited') return step(challenge, { words: w.notSent });
    const notice = stepNotices[error.kind];
    return notice ? step(challenge, notice) : failed(look, error, pageCode);
  }
};

/**
 * `/challenge`: where a student does for a login what an app cannot show. It works without scripts, and for clients that
 * know nothing of challenges: open, type, answer, log in again.
 */
export const registerChallengePage = async (
  app: FastifyInstance,
  { services, limits, timeZone }: PageDeps,
): Promise<void> => {
  const { clock } = services;
  const lookOf = ({ headers }: FastifyRequest): Look => {
    const language: Language = languageOf(headers['accept-language']);
    return { language, timeZone, now: clock.now() };
  };
  const send = (request: FastifyRequest, reply: FastifyReply, { status, html, failure }: Shown): FastifyReply => {
    if (failure) {
      recordFailure(request, failure, status);
      if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
    }
    reply.vary('Accept-Language');
    return reply
      .code(status)
      .header('Cache-Control', 'no-store')
      .header('X-Robots-Tag', 'noindex, nofollow')
      .type('text/html; charset=utf-8')
      .send(html);
  };
  await app.register(async function challengePage(scope) {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    // Anything else holds no member: it is answered with an empty form.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.addHook('onRequest', limiting(limits.anonymous));
    scope.setErrorHandler<FastifyError>((error, request, reply) => {
      const tooLarge = 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      const look = lookOf(request);
      if (tooLarge) return send(request, reply, shown(codePage(look, { words: w.badCode }), 413));
      return send(request, reply, failed(look, failureOf(error), null));
    });
    const config = { contentPolicy: pagePolicy, operation: 'answerChallenge' };
    const options = { config, schema: { hide: true } };
    scope.get('/challenge', options, async (request, reply) =>
      send(request, reply, shown(codePage(lookOf(request), null))),
    );
    scope.post('/challenge', { ...options, bodyLimit: formLimit }, async (request, reply) => {
      const form = readForm(isOwn(request) ? request.body : '');
      const look = lookOf(request);
      if (form.code === '') return send(request, reply, shown(codePage(look, null)));
      const { call } = request;
      const run = { clock, writes: false };
      return runCall(
        call,
        run,
        () => walk(services, form, look, call),
        (page) => send(request, reply, page),
      );
    });
  });
};
