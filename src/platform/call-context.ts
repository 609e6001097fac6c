import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallContext } from '../domain/context.ts';
import { Failure } from '../domain/errors.ts';
import { Deadline } from '../lib/deadline.ts';
import { whenOver } from './call-end.ts';
import { receiveTimeoutMs } from './server-options.ts';

const key = 'callContext';

const longestToken = 256;

/** Any other value is ignored: operations that need a token look at the header themselves. */
const bearerOf = (header: string | undefined): { bearer?: string } => {
  const token = /^bearer[ \t]+(\S+)[ \t]*$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > longestToken ? {} : { bearer: token };
};

/**
 * Gives every request its CallContext. Its signal is aborted with `timed-out` when the total deadline is over, and with
 * `client-gone` when the connection closes before the answer was written. (The framework's own request signal will
 * not do: it ends as soon as a request body has been read.)
 */
export const addCallContext = (app: FastifyInstance, timeoutMs: number): void => {
  app.decorateRequest(key, null);
  let told = false;
  app.addHook('onRequest', (request, reply, done) => {
    // Whoever puts a proxy in front and does not list it has all callers counted as one.
    if (!told && request.headers['x-forwarded-for'] !== undefined && request.ip === request.raw.socket.remoteAddress) {
      told = true;
      request.log.warn({}, 'X-Forwarded-For ignored, because the connection is not from TRUSTED_PROXIES');
    }
    const controller = new AbortController();
    const totalMs = timeoutMs + (request.routeOptions.config.slowBody === true ? receiveTimeoutMs : 0);
    const timer = setTimeout(() => controller.abort(new Failure('timed-out')), totalMs);
    timer.unref();
    whenOver(reply, (answered) => {
      clearTimeout(timer);
      if (!answered && !controller.signal.aborted) controller.abort(new Failure('client-gone'));
    });
    const context: CallContext = {
      traceId: request.id,
      signal: controller.signal,
      deadline: new Deadline(totalMs),
      log: request.log,
      address: request.ip,
      ...bearerOf(request.headers.authorization),
    };
    request.setDecorator(key, context);
    done();
  });
};

/** The context of the call that this request carries. */
export const contextOf = (request: FastifyRequest): CallContext => request.getDecorator<CallContext>(key);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of megabytes over slow lines: the deadline is later by what receiving a whole request may take. */
    slowBody?: boolean;
  }
}
