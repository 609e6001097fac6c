import { Type } from '@sinclair/typebox';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { uncheckedRoute } from '../../http/requests/validation.ts';
import { type DescribedB, type Route, routeOf } from './described.ts';
import type { Operation } from './operation.ts';
import { operationSchema } from './operation-document.ts';

interface Delivery extends Omit<DescribedB, 'data' | 'message'> {
  /** Its answers but the failures, for the document. */
  readonly delivered: Readonly<Record<number, unknown>>;
  readonly config?: FastifyContextConfig;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/**
 * Declares a GET whose successes are sent as they are, and not in an envelope. Its schema is for the document: nothing of
 * its request is refused.
 */
export const delivery = (route: Route, operationId: string, declared: Delivery): Operation => ({
  level: declared.level,
  add(scope, { envelopes }) {
    const { delivered, config, handler, ...described } = declared;
    const json = { data: Type.Unknown({ examples: [null] }), message: '' };
    const { response, ...schema } = operationSchema(route, operationId, { ...described, ...json }, envelopes);
    const { 200: _json, 400: _empty, 422: _invalid, ...failures } = Object(response);
    scope.get(
      routeOf(route)[1],
      {
        schema: { ...schema, response: { ...delivered, ...failures } },
        validatorCompiler: uncheckedRoute,
        exposeHeadRoute: config?.stream !== true,
        config: { ...config, bodyless: true, findsStudent: described.level !== '-', need: described.scope },
      },
      handler,
    );
  },
});
