import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { CampusFacts } from '../../../domain/capabilities.ts';
import { flag, listOf, object, text } from '../../../domain/record.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { inLanguages } from '../../../platform/docs/openapi.ts';
import { retryAfter } from '../../../platform/docs/openapi-answers.ts';
import { languageOf, type Words } from '../../../platform/languages.ts';
import { type Envelopes, FailureEnvelope, successEnvelope } from '../envelope.ts';
import { errorTable, factsOf } from '../failures.ts';
import { type Operation, operation } from '../operation.ts';

export const AliveResponse = object('AliveResponse', 'The process answers.', {
  message: text('Always `service is alive`.'),
});

const ReadyResponse = object('ReadyResponse', 'The service can serve.', {
  message: text('Always `服务已就绪`.'),
});

interface HealthDeps {
  /** Where `GET /` sends visitors, by their language. */
  readonly docsUrl: Words;
  /** Never throws. */
  readonly ready: () => Promise<boolean>;
  readonly closing: () => boolean;
}

const tag = 'Home and health';
const exampleTimestamp = '2026-03-18 10:00:00';
/** Fixed by the interface, in any language: clients may compare it. */
const aliveMessage = 'service is alive';
const readyMessage = '服务已就绪';

/** Probes come every few seconds; a balancer asks again soon. */
const retryAfterSeconds = 5;
const patienceMs = 3_000;
const notReady = { code: 'SERVICE_UNAVAILABLE', facts: factsOf(503, 'read') } as const;
const probe = { alwaysAnswers: true, quiet: true, bodyless: true };
const described = (operationId: string, summary: Words, description: string) => ({
  operationId,
  tags: [tag],
  ...inLanguages(summary),
  description,
  security: [],
});

/** Storage that does not answer in time is not ready. */
const readyInTime = (ready: () => Promise<boolean>): Promise<boolean> =>
  raceSignal(ready(), AbortSignal.timeout(patienceMs)).catch(() => false);

/** Home, liveness (touches nothing) and readiness (storage answers and the service is not closing). */
export const addHealth = (app: FastifyInstance, envelopes: Envelopes, deps: HealthDeps): void => {
  const { docsUrl, ready, closing } = deps;
  const success = (data: TObject, word: string, message: string) => ({
    ...successEnvelope(data),
    'x-response-description': word,
    'x-examples': {
      success: { value: { ...envelopes.success(message, { message }), timestamp: exampleTimestamp } },
    },
  });
  const unavailable = {
    ...envelopes.failure({ ...notReady, traceId: '0123456789abcdef0123456789abcdef' }),
    timestamp: exampleTimestamp,
  };

  app.get(
    '/',
    {
      config: { bodyless: true },
      schema: {
        ...described(
          'home',
          { en: 'Redirect to the documentation', zh: '跳转到接口文档' },
          'For people who open the address of the service in a browser. Readers of Chinese are led to a page in Chinese.',
        ),
        response: {
          307: {
            type: 'null',
            description: 'See `Location`.',
            headers: { Location: { type: 'string', description: 'Where the documentation is.' } },
          },
        },
      },
    },
    async ({ headers }, reply) => {
      reply.vary('Accept-Language');
      return reply.redirect(docsUrl[languageOf(headers['accept-language'])], 307);
    },
  );

  let alive = { timestamp: '', text: '' };
  app.get(
    '/alive',
    {
      config: probe,
      schema: {
        ...described(
          'alive',
          { en: 'Health check', zh: '存活检查' },
          'Answers as long as the process does; nothing else is looked at.',
        ),
        response: { 200: success(AliveResponse, 'Alive.', aliveMessage) },
      },
    },
    (_request, reply) => {
      const envelope = envelopes.success(aliveMessage, { message: aliveMessage });
      // Probes come often, and nothing in the text but its second is ever another.
      if (alive.timestamp !== envelope.timestamp) {
        alive = { timestamp: envelope.timestamp, text: String(reply.serialize(envelope)) };
      }
      reply.header('Content-Type', 'application/json; charset=utf-8').send(alive.text);
    },
  );

  app.get(
    '/ready',
    {
      config: probe,
      schema: {
        ...described(
          'ready',
          { en: 'Readiness', zh: '就绪检查' },
          'Fails while storage does not answer and as soon as the service begins to close.',
        ),
        response: {
          200: success(ReadyResponse, 'Ready.', readyMessage),
          503: {
            ...FailureEnvelope,
            headers: retryAfter,
            'x-response-description': `\`SERVICE_UNAVAILABLE\` ${errorTable.SERVICE_UNAVAILABLE.message}`,
            'x-examples': { SERVICE_UNAVAILABLE: { value: unavailable } },
          },
        },
      },
    },
    async (request, reply) => {
      if (!closing() && (await readyInTime(ready))) {
        return envelopes.success(readyMessage, { message: readyMessage });
      }
      return reply
        .code(503)
        .header('Retry-After', String(retryAfterSeconds))
        .send(envelopes.failure({ ...notReady, traceId: request.id }));
    },
  );
};

/** It changes when the service is started with another manifest. */
const KEPT_SECONDS = 300;

const Campus = object('Campus', 'The campus behind this service, and what of it can be asked.', {
  id: text('Name of its description; `custom` where it has none.', 'demo'),
  name: object('CampusName', 'What people call it.', {
    zh: text('In Chinese.', '演示大学'),
    en: text('In English.', 'Demo University'),
  }),
  time_zone: text('IANA time zone of dates and times in answers.', 'Asia/Shanghai'),
  capabilities: listOf(
    text('Area and read or write.', 'academics.terms'),
    'What it supplies, in alphabetical order. An operation that needs more (`x-capabilities` in the document) answers 501 `NOT_OFFERED`.',
  ),
  login: object('CampusLogin', 'What a login takes.', {
    fields: listOf(
      object('CampusLoginField', 'A member of the bodies of login and registration.', {
        name: text('Name of the member.', 'password'),
        secret: flag('Not to be shown while it is typed.', true),
      }),
      'In the order in which people are asked for them.',
    ),
    challenges: listOf(
      text('`captcha`, `sms`, `totp`, or `elsewhere`.', 'sms'),
      'Second steps that the campus may want.',
    ),
  }),
});

/** The members of a login; without a portal there is no password of one. */
const fieldsOf = ({ hasPortal }: CampusFacts) => [
  { name: 'userid', secret: false },
  { name: 'password', secret: true },
  ...(hasPortal ? [{ name: 'vpn_password', secret: true }] : []),
];

/** For apps that serve several campuses: they draw their menus and their login from it. */
export const campusOperation = (campus: CampusFacts, timeZone: string): Operation =>
  operation('GET /campus', 'getCampus', {
    level: '-',
    tag: 'Home and health',
    summary: { en: 'The campus, and what it offers', zh: '校园和它提供的功能' },
    description: 'The same for everyone until the service restarts; the campus is not asked.',
    data: Campus,
    message: '获取校园信息成功',
    answerHeaders: {
      'Cache-Control': { type: 'string', description: `\`public, max-age=${KEPT_SECONDS}\`` },
    },
    run: ({ answer }) => {
      answer.headers({ 'Cache-Control': `public, max-age=${KEPT_SECONDS}` });
      return {
        id: campus.id,
        name: campus.name,
        time_zone: timeZone,
        capabilities: [...campus.capabilities].toSorted(),
        login: { fields: fieldsOf(campus), challenges: [...campus.challenges] },
      };
    },
  });
