import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallContext } from '../domain/context.ts';
import { Failure } from '../domain/errors.ts';
import { Deadline } from '../lib/deadline.ts';

const key = 'callContext';

/**
 * Gives every request its CallContext. Its signal is aborted with `timed-out` when the total deadline is over, and with
 * `client-gone` when the connection closes before the answer was written. (The framework's own request signal will
 * not do: it ends as soon as a request body has been read.)
 */
export const addCallContext = (app: FastifyInstance, timeoutMs: number): void => {
  app.decorateRequest(key, null);
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Failure('timed-out')), timeoutMs);
    timer.unref();
    const end = () => {
      clearTimeout(timer);
      reply.raw.off('finish', end);
      reply.raw.off('close', leave);
    };
    // Comes after `finish` too, when nobody listens any more.
    const leave = () => {
      end();
      if (!controller.signal.aborted) controller.abort(new Failure('client-gone'));
    };
    reply.raw.once('finish', end);
    reply.raw.once('close', leave);
    const context: CallContext = {
      traceId: request.id,
      signal: controller.signal,
      deadline: new Deadline(timeoutMs),
      log: request.log,
      address: request.ip,
    };
    request.setDecorator(key, context);
  });
};

/** The context of the call that this request carries. */
export const contextOf = (request: FastifyRequest): CallContext => request.getDecorator<CallContext>(key);
