import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** 32 lower-case hexadecimal characters, made before routing; what a client sends is never used. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');

/** Seconds as a plain decimal number. */
const processTime = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(4);

const startedAt = 'startedAt';

/** `X-Trace-Id` and `X-Process-Time` on every answer. Registered first, so that they see all others fail. */
export const addTraceHeaders = (app: FastifyInstance): void => {
  app.decorateRequest(startedAt, 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.setDecorator(startedAt, performance.now());
    reply.header('X-Trace-Id', request.id);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('X-Process-Time', processTime(request.getDecorator<number>(startedAt)));
    // Nearly everything here is about one student; what may be kept says so itself.
    if (!reply.hasHeader('Cache-Control')) reply.cacheControl('no-store');
    done();
  });
};

/** The same headers where the framework runs no hooks: paths it could not decode. */
export const setTraceHeaders = (reply: FastifyReply, since: number): void => {
  reply.header('X-Trace-Id', reply.request.id).header('X-Process-Time', processTime(since));
  reply.header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff');
};
