import { hash } from 'node:crypto';
import { mkdtempSync, openSync } from 'node:fs';
import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { LogOutput } from '../../src/http/logs/log-output.ts';
import { newTraceId } from '../../src/http/server/connections.ts';
import { benchToken, benchTokenHash, benchUserid } from './load.ts';

/**
 * Duties that no promise of the service lets any implementation leave out, in the order in which they are added to a bare
 * server. A
 * token is asked of SQLite with every call, because another process may have ended it.
 */
export const duties = [
  'security headers, as one list',
  'trace id and process time',
  'end of the call: deadline, client gone',
  'log line',
  'calls of the token and of its student counted',
  'validation by TypeBox',
  'token: digest, and the rows of token and student',
  'turn among the calls of the student',
  'age of the copy: four headers',
] as const;

const [HEADERS, TRACE, END, LOG, COUNT, VALIDATION, TOKEN, TURN, AGE] = duties.map((_, at) => at + 1);

/** Which of them a route has. */
export type Kind = 'probe' | 'token check' | 'read';

const securityPairs = (): string[] => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet()(response.req, response, () => {});
  return Object.entries({ ...response.getHeaders(), vary: 'Origin', 'access-control-allow-origin': '*' })
    .flat()
    .map(String);
};

/** Answers with these headers before those of the framework. */
const answerWith = (isTraced: boolean) => {
  const common = securityPairs();
  return class Answer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    override writeHead(status: number, ...rest: unknown[]): this {
      const { startedAt = 0, traceId = '' } = this.req;
      const all: OutgoingHttpHeader[] = [...common];
      if (isTraced) {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(4);
        all.push('x-trace-id', traceId, 'x-process-time', seconds, 'cache-control', 'no-store');
      }
      const headers: OutgoingHttpHeaders = Object(rest[0]);
      for (const name of Object.keys(headers)) all.push(name, headers[name] ?? '');
      return super.writeHead(status, all);
    }
  };
};

/** Looks a token up in a database file. */
const tokenCheck = (): ((token: string) => boolean) => {
  const database = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'campus-bench-')), 'duties.db'));
  database.exec(
    'pragma journal_mode = wal; create table tokens (hash text primary key, userid text, expires_at integer);' +
      'create table users (userid text primary key, generation integer, writes integer)',
  );
  database.prepare('insert into tokens values (?, ?, ?)').run(benchTokenHash, benchUserid, Number.MAX_SAFE_INTEGER);
  database.prepare('insert into users values (?, 1, 0)').run(benchUserid);
  const tokenRow = database.prepare(
    'select * from tokens left join users on users.userid = tokens.userid where hash = ? and expires_at > ?',
  );
  return (token) => tokenRow.get(hash('sha256', token), Date.now()) !== undefined;
};

const genReqId = (raw: IncomingMessage): string => {
  raw.startedAt = performance.now();
  raw.traceId = newTraceId();
  return raw.traceId;
};

const logLine = (request: FastifyRequest, status: number): string => {
  const { traceId, startedAt = 0 } = request.raw;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  return (
    `{"level":"info","time":"${new Date().toISOString()}","trace_id":"${traceId}","method":"${request.method}",` +
    `"route":"/route","status":${status},"ms":${ms},"student":"0123456789ab","msg":"request"}\n`
  );
};

/**
 * A bare server with the first `wanted` duties, each as plain and as fast as it can be written: nothing is configured, refused
 * or explained. The whole of them is the floor of what a service with these promises can reach.
 */
export const dutifulServer = async (
  wanted: number,
): Promise<{ app: FastifyInstance; answering: (kind: Kind, token: (request: FastifyRequest) => string) => object }> => {
  const has = (duty = 0): boolean => wanted >= duty;
  const app = Fastify({
    ...(has(HEADERS) ? { http: { ServerResponse: answerWith(has(TRACE)) } } : {}),
    ...(has(TRACE) ? { genReqId } : {}),
  });
  if (has(VALIDATION)) {
    app.setValidatorCompiler(({ schema }) => {
      const check = TypeCompiler.Compile(Object(schema));
      return (value: unknown) => (check.Check(value) ? { value } : { error: new Error('wrong') });
    });
  }
  const log = new LogOutput(openSync('/dev/null', 'w'));
  const underWay = new Set<FastifyRequest>();
  const calls = new Map<string, number>();
  const count = (key: string) => calls.set(key, (calls.get(key) ?? 0) + 1);
  const working = new Map<string, number>();
  const isGood = tokenCheck();

  /** No student may have all of the service, so each call of a student is counted while it lasts. */
  const enter = (): void => {
    working.set(benchUserid, (working.get(benchUserid) ?? 0) + 1);
  };
  const leave = (): void => {
    const left = (working.get(benchUserid) ?? 0) - 1;
    if (left > 0) working.set(benchUserid, left);
    else working.delete(benchUserid);
  };
  const watch = (request: FastifyRequest, { raw }: FastifyReply, isLogged: boolean): void => {
    underWay.add(request);
    raw.on('close', () => {
      underWay.delete(request);
      if (isLogged && has(TURN)) leave();
      if (!isLogged || !has(LOG)) return;
      log.write(logLine(request, raw.statusCode));
    });
  };

  const answering = (kind: Kind, token: (request: FastifyRequest) => string) => ({
    preHandler: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
      if (has(END)) watch(request, reply, kind !== 'probe');
      if (kind === 'probe') return done();
      if (has(COUNT)) {
        count(benchToken);
        count(benchUserid);
      }
      if (has(TURN)) enter();
      if (has(TOKEN) && !isGood(token(request))) return done(new Error('token'));
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
