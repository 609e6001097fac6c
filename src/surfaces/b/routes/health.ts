import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { object, text } from '../../../domain/record.ts';
import { inLanguages } from '../../../http/docs/openapi.ts';
import { languageOf, type Words } from '../../../http/languages.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Envelopes, successEnvelope } from '../envelope.ts';
import { failureResponses, shownEnvelope } from '../failure-documents.ts';

export const AliveResponse = object('Alive', 'The process answers.', {
  message: text('Always `service is alive`.'),
});

const ReadyResponse = object('Ready', 'The service can serve.', {
  message: text('Always `服务已就绪`.'),
});

/** These words are the same in any language, because clients may compare them. */
const aliveMessage = 'service is alive';
const readyMessage = '服务已就绪';

/** Probes come every few seconds; a balancer asks again soon. */
const retryAfterSeconds = 5;
const probe = { alwaysAnswers: true, quiet: true, bodyless: true };

export const describeRoute = (operationId: string, summary: Words, description: string) => ({
  operationId,
  tags: ['Home and health'],
  ...inLanguages(summary),
  description,
  security: [],
});

export const documentAnswer = (data: TObject, description: string, envelope: object) => ({
  ...successEnvelope(data),
  'x-response-description': description,
  'x-examples': { success: shownEnvelope(envelope) },
});

const addHome = (app: FastifyInstance, docsUrl: Words): void => {
  const schema = {
    ...describeRoute(
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
  };
  app.get('/', { config: { bodyless: true }, schema }, async ({ headers }, reply) => {
    reply.vary('Accept-Language');
    return reply.redirect(docsUrl[languageOf(headers['accept-language'])], 307);
  });
};

const addAlive = (app: FastifyInstance, envelopes: Envelopes): void => {
  const answer = () => envelopes.success(aliveMessage, { message: aliveMessage });
  const schema = {
    ...describeRoute(
      'alive',
      { en: 'Health check', zh: '存活检查' },
      'Answers as long as the process does; nothing else is looked at.',
    ),
    response: { 200: documentAnswer(AliveResponse, 'Alive.', answer()) },
  };
  app.get('/alive', { config: probe, schema }, (_request, reply) => {
    reply.send(answer());
  });
};

const addReady = (app: FastifyInstance, { services, envelopes, closing }: SurfaceBDeps): void => {
  const answer = () => envelopes.success(readyMessage, { message: readyMessage });
  const schema = {
    ...describeRoute(
      'ready',
      { en: 'Readiness', zh: '就绪检查' },
      'Fails while storage does not answer or takes no writes, and as soon as the service begins to close.',
    ),
    response: {
      200: documentAnswer(ReadyResponse, 'Ready.', answer()),
      ...failureResponses(['SERVICE_UNAVAILABLE'], 'GET /ready', { level: '-' }, envelopes),
    },
  };
  app.get('/ready', { config: probe, schema }, async ({ id: traceId }, reply: FastifyReply) => {
    if (!closing() && (await services.ready())) return answer();
    const failure = envelopes.failure({ code: 'SERVICE_UNAVAILABLE', operation: 'read', traceId });
    return reply.code(503).header('Retry-After', String(retryAfterSeconds)).send(failure);
  });
};

export const addHealth = (app: FastifyInstance, deps: SurfaceBDeps): void => {
  addHome(app, deps.docsUrl);
  addAlive(app, deps.envelopes);
  addReady(app, deps);
};
