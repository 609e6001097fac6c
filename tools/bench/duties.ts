import { hash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import helmet from '@fastify/helmet';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { BatchedLog } from '../../src/platform/logs/logger.ts';
import { newTraceId } from '../../src/platform/server/server-options.ts';
import { benchToken, benchTokenHash } from './load.ts';

/** What no promise of the service lets any implementation leave out, in the order in which it is added to a bare server. */
export const duties = [
  'security headers, as one list',
  'trace id and process time',
  'end of the call: deadline, client gone',
  'log line',
  'calls of the token counted',
  'validation by TypeBox',
  'token: digest, data_version, memory',
  'age of the copy: four headers',
] as const;

const [HEADERS, TRACE, END, LOG, COUNT, VALIDATION, TOKEN, AGE] = duties.map((_, at) => at + 1);

/** Which of them a route has. */
export type Kind = 'probe' | 'token check' | 'read';

const helmetPairs = async (): Promise<string[]> => {
  const aside = Fastify();
  await aside.register(helmet);
  aside.get('/', async (_request, reply) => JSON.stringify(reply.getHeaders()));
  const said: Record<string, string> = (await aside.inject('/')).json();
  return Object.entries({ ...said, vary: 'Origin', 'access-control-allow-origin': '*' }).flat();
};

/**
 * A bare server with the first `wanted` duties, each as plain and as fast as it can be written: nothing is configured, refused
 * or explained. The whole of them is the floor of what a service with these promises can reach.
 */
export const dutifulServer = async (
  wanted: number,
): Promise<{ app: FastifyInstance; answering: (kind: Kind, token: (request: FastifyRequest) => string) => object }> => {
  const has = (duty = 0): boolean => wanted >= duty;
  const common = has(HEADERS) ? await helmetPairs() : [];
  class Answer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    override writeHead(status: number, ...rest: unknown[]): this {
      const { startedAt = 0, traceId = '' } = this.req;
      const all: OutgoingHttpHeader[] = [...common];
      if (has(TRACE)) {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(4);
        all.push('x-trace-id', traceId, 'x-process-time', seconds, 'cache-control', 'no-store');
      }
      const headers: OutgoingHttpHeaders = Object(rest[0]);
      for (const name of Object.keys(headers)) all.push(name, headers[name] ?? '');
      return super.writeHead(status, all);
    }
  }
  const genReqId = (raw: IncomingMessage): string => {
    raw.startedAt = performance.now();
    raw.traceId = newTraceId();
    return raw.traceId;
  };
  const app = Fastify({
    ...(has(HEADERS) ? { http: { ServerResponse: Answer } } : {}),
    ...(has(TRACE) ? { genReqId } : {}),
  });
  if (has(VALIDATION)) {
    app.setValidatorCompiler(({ schema }) => {
      const check = TypeCompiler.Compile(Object(schema));
      return (value: unknown) => (check.Check(value) ? { value } : { error: new Error('wrong') });
    });
  }
  const log = new BatchedLog(pino.destination('/dev/null'));
  const underWay = new Set<FastifyRequest>();
  const calls = new Map<string, number>();
  const database = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'campus-bench-')), 'duties.db'));
  database.exec('pragma journal_mode = wal; create table tokens (hash text)');
  const version = database.prepare('pragma data_version');
  const versions = new Map([[benchTokenHash, version.get()?.data_version]]);

  const watch = (request: FastifyRequest, { raw }: FastifyReply, isLogged: boolean): void => {
    underWay.add(request);
    raw.on('close', () => {
      underWay.delete(request);
      if (!isLogged || !has(LOG)) return;
      const { traceId, startedAt = 0 } = request.raw;
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      log.write(
        `{"level":"info","time":"${new Date().toISOString()}","trace_id":"${traceId}","method":"${request.method}",` +
          `"route":"/route","status":${raw.statusCode},"ms":${ms},"student":"0123456789ab","msg":"request"}\n`,
      );
    });
  };

  const answering = (kind: Kind, token: (request: FastifyRequest) => string) => ({
    preHandler: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
      if (has(END)) watch(request, reply, kind !== 'probe');
      if (kind === 'probe') return done();
      if (has(COUNT)) calls.set(benchToken, (calls.get(benchToken) ?? 0) + 1);
      if (has(TOKEN) && versions.get(hash('sha256', token(request))) !== version.get()?.data_version)
        return done(new Error('token'));
      if (has(AGE) && kind === 'read')
        reply.header('age', '1').header('cache-status', 'bench; hit').header('vary', 'Authorization');
      done();
    },
  });
  return { app, answering };
};

declare module 'node:http' {
  interface IncomingMessage {
    startedAt?: number;
    traceId?: string;
  }
}
