import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { Client } from 'pg';

/**
 * The real service, which kills itself at a chosen moment of a call: the header `X-Die-At` of that call names it. A moment is
 * right before each stored change (of several in one transaction, before they are committed), right before each request to
 * the campus, and right before the answer; between two of them neither the disk nor the campus changes. By number, from 1,
 * or as `before <path>` or `after <path>` of a request to the campus, or as `answer`.
 */
let left = Number.POSITIVE_INFINITY;
let wanted = '';

const moment = (): void => {
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
};

subscribe('http.server.request.start', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return;
  const { request } = message;
  if (!(request instanceof IncomingMessage)) return;
  wanted = String(request.headers['x-die-at'] ?? '');
  if (Number(wanted) > 0) left = Number(wanted);
});
subscribe('undici:request:create', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return;
  const { request } = message;
  const path = typeof request === 'object' && request !== null && 'path' in request ? String(request.path) : '';
  if (wanted === `before ${path.replace(/\?.*/, '')}`) left = 1;
  moment();
  if (wanted === `after ${path.replace(/\?.*/, '')}`) left = 1;
});

let inTransaction = false;
/** Whether the disk is another one after it. */
const changes = (sql: string): boolean => {
  if (/^\s*(select|pragma)/i.test(sql)) return false;
  if (/^begin/i.test(sql)) inTransaction = true;
  else if (/^(commit|rollback)/i.test(sql)) inTransaction = false;
  return !inTransaction && sql !== 'rollback';
};
for (const name of ['all', 'run'] as const) {
  const original = StatementSync.prototype[name];
  Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...parameters: never[]) {
    if (changes(this.sourceSQL)) moment();
    return Reflect.apply(original, this, parameters);
  });
}
const { query } = Client.prototype;
Reflect.set(Client.prototype, 'query', function (this: Client, ...parameters: [string | { text: string }, ...never[]]) {
  const [asked] = parameters;
  if (changes(typeof asked === 'string' ? asked : asked.text)) moment();
  return Reflect.apply(query, this, parameters);
});
const { end } = ServerResponse.prototype;
Reflect.set(ServerResponse.prototype, 'end', function (this: ServerResponse, ...parameters: never[]) {
  if (wanted === 'answer') left = 1;
  moment();
  return Reflect.apply(end, this, parameters);
});

await import('../../src/main.ts');
