import type { FastifyInstance } from 'fastify';
import { raceSignal } from '../../../lib/single-flight.ts';
import { retryAfter } from '../../../platform/openapi-answers.ts';
import type { Envelopes } from '../envelope.ts';
import { errorTable } from '../errors.ts';
import { FailureEnvelope, successEnvelope } from '../schemas/envelope.ts';
import { AliveResponse, ReadyResponse } from '../schemas/health.ts';

export interface HealthDeps {
  /** Where `GET /` sends visitors. */
  readonly docsUrl: string;
  /** Never throws. */
  readonly ready: () => Promise<boolean>;
  readonly closing: () => boolean;
}

const tag = 'Home and health';
const exampleTimestamp = '2026-03-18 10:00:00';
const aliveMessage = 'service is alive';
const readyMessage = '服务已就绪';
/** Probes come every few seconds; a balancer asks again soon. */
const retryAfterSeconds = 5;
const patienceMs = 3_000;
const probe = { alwaysAnswers: true, quiet: true, bodyless: true };

/** Storage that does not answer in time is not ready. */
const readyInTime = (ready: () => Promise<boolean>): Promise<boolean> =>
  raceSignal(ready(), AbortSignal.timeout(patienceMs)).catch(() => false);

/** Home, liveness (touches nothing) and readiness (storage answers and the service is not closing). */
export const addHealth = (app: FastifyInstance, envelopes: Envelopes, deps: HealthDeps): void => {
  const { docsUrl, ready, closing } = deps;
  const documented = (message: string) => ({
    success: { value: { ...envelopes.success(message, { message }), timestamp: exampleTimestamp } },
  });
  const unavailable = {
    ...envelopes.failure({ code: 'SERVICE_UNAVAILABLE', traceId: '0123456789abcdef0123456789abcdef' }),
    timestamp: exampleTimestamp,
  };

  app.get(
    '/',
    {
      config: { bodyless: true },
      schema: {
        operationId: 'home',
        tags: [tag],
        summary: 'Redirect to the documentation',
        description: 'For people who open the address of the service in a browser.',
        security: [],
        response: {
          307: {
            type: 'null',
            description: 'See `Location`.',
            headers: { Location: { type: 'string', description: 'Where the documentation is.' } },
          },
        },
      },
    },
    async (_request, reply) => reply.redirect(docsUrl, 307),
  );

  app.get(
    '/alive',
    {
      config: probe,
      schema: {
        operationId: 'alive',
        tags: [tag],
        summary: 'Health check',
        description: 'Answers as long as the process does; nothing else is looked at.',
        security: [],
        response: {
          200: {
            ...successEnvelope(AliveResponse),
            'x-response-description': 'Alive.',
            'x-examples': documented(aliveMessage),
          },
        },
      },
    },
    async () => envelopes.success(aliveMessage, { message: aliveMessage }),
  );

  app.get(
    '/ready',
    {
      config: probe,
      schema: {
        operationId: 'ready',
        tags: [tag],
        summary: 'Readiness',
        description: 'Fails while storage does not answer and as soon as the service begins to close.',
        security: [],
        response: {
          200: {
            ...successEnvelope(ReadyResponse),
            'x-response-description': 'Ready.',
            'x-examples': documented(readyMessage),
          },
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
      if (!closing() && (await readyInTime(ready))) return envelopes.success(readyMessage, { message: readyMessage });
      return reply
        .code(503)
        .header('Retry-After', String(retryAfterSeconds))
        .send(envelopes.failure({ code: 'SERVICE_UNAVAILABLE', traceId: request.id }));
    },
  );
};
