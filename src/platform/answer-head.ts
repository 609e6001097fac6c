import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Headers that are the same for many answers, and their lines as they are sent. */
export interface PreparedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly lines: string;
}

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

export const prepareHeaders = (headers: Readonly<Record<string, string>>): PreparedHeaders => ({
  headers,
  lines: linesOf(headers),
});

/** Checking and storing twenty headers one by one costs as much as the rest of a small answer: these go as one text. */
export class HeadedResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  /** Whole lines that follow the status. */
  head = '';

  override _storeHeader(statusLine: string, headers: unknown): void {
    super._storeHeader(statusLine + this.head, headers);
  }
}

/** Seconds as a plain decimal number. */
export const processTime = (startedAt: number): string => {
  // Written by hand: the language's own way takes longer than the look at the clock.
  const tenths = Math.round((performance.now() - startedAt) * 10);
  return `${Math.floor(tenths / 10_000)}.${String(10_000 + (tenths % 10_000)).slice(1)}`;
};

const noStore = 'no-store';

const setHead = ({ raw, request }: FastifyReply, { lines }: PreparedHeaders, isUnsaid: boolean): boolean => {
  if (!(raw instanceof HeadedResponse)) return false;
  // Nothing in it comes from a client, so nothing has to be checked.
  const own = `x-trace-id: ${request.id}\r\nx-process-time: ${processTime(request.call.startedAt)}\r\n`;
  raw.head = isUnsaid ? `${lines}${own}cache-control: ${noStore}\r\n` : lines + own;
  return true;
};

/** The prepared headers, `X-Trace-Id` and `X-Process-Time` on every answer. */
export const addAnswerHead = (
  app: FastifyInstance,
  preparedFor: (request: FastifyRequest) => PreparedHeaders,
): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const prepared = preparedFor(request);
    // Nearly everything here is about one student; what may be kept says so itself.
    const isUnsaid = !reply.hasHeader('Cache-Control');
    if (!setHead(reply, prepared, isUnsaid)) {
      reply.headers(prepared.headers).header('X-Trace-Id', request.id);
      reply.header('X-Process-Time', processTime(request.call.startedAt));
      if (isUnsaid) reply.header('Cache-Control', noStore);
    }
    done();
  });
};

/** The same where the framework runs no hooks: paths it could not decode. */
export const setBareHead = (reply: FastifyReply, since: number): void => {
  reply.header('X-Trace-Id', reply.request.id).header('X-Process-Time', processTime(since));
  reply.header('Cache-Control', noStore).header('X-Content-Type-Options', 'nosniff');
};

declare module 'node:http' {
  interface OutgoingMessage {
    /** Makes the head of a message of its first line and headers; every way to answer comes by here. */
    _storeHeader(firstLine: string, headers: unknown): void;
  }
}
