import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../lib/time.ts';
import type { CampusState, DemoUpstream } from './campus-state.ts';
import {
  cookiePairs,
  createRouter,
  type DemoCall,
  type DemoReply,
  errorPage,
  formOf,
  type RouteMatch,
  readBody,
  soleCookie,
} from './exchange.ts';
import { answerInstead } from './fault-answers.ts';
import { inGbk, malform, truncate } from './fault-distortions.ts';
import type { FaultRules } from './fault-rules.ts';
import { asUsual, vary } from './page-variants.ts';
import type { RequestLog } from './requests.ts';
import { refuseAtGateway } from './ssl-vpn/gateway.ts';
import { send, sendCut, sendDrip, sendHuge } from './transmission.ts';
import type { DemoFault, DemoSystem } from './types.ts';

interface ServerParts {
  readonly state: CampusState;
  readonly faults: FaultRules;
  readonly log: RequestLog;
  readonly latencyMs: number;
  /** Aborted when the campus closes: ends every pending wait. */
  readonly closing: AbortSignal;
}

/** Names are kept in the log, so they must not be of any length. */
const boundName = (name: string | null): string | null => name?.slice(0, 64) ?? null;

const submittedName = (
  { gate }: CampusState,
  system: DemoSystem,
  path: string,
  form: URLSearchParams,
): string | null => {
  if (system === 'vpn' && path === gate.login.path) return boundName(form.get(gate.login.nameField));
  if (system === 'cas' && path === '/cas/login') return boundName(form.get('username'));
  return null;
};

const callOf = (
  { system, state }: { readonly system: DemoSystem; readonly state: CampusState },
  request: IncomingMessage,
  match: RouteMatch,
  query: URLSearchParams,
  body: string,
): DemoCall => {
  const pairs = cookiePairs(request.headers.cookie);
  const form = formOf(request.headers['content-type'], body);
  const portalSession = soleCookie(pairs, state.gate.cookie);
  return {
    system,
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    path: match.path,
    params: match.params,
    query,
    form,
    body,
    cookies: new Map(pairs),
    portalSession,
    userid: submittedName(state, system, match.path, form) ?? state.portal.owner(portalSession),
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
  };
};

const realAnswer = async (state: CampusState, call: DemoCall, match: RouteMatch): Promise<DemoReply> => {
  const refusal = refuseAtGateway(state, call);
  if (refusal) return refusal;
  const { pageVariants } = state.switches;
  if (match.route) return vary(pageVariants, call, await match.route.handle(asUsual(pageVariants, call)));
  return match.known ? errorPage(405, 'Method Not Allowed') : errorPage(404, 'Not Found');
};

interface Faulted {
  readonly fault: DemoFault | undefined;
  /** The answer in place of the real one; null: the real handler runs. */
  instead(fault: DemoFault): DemoReply | null;
  real(): DemoReply | Promise<DemoReply>;
}

export const transmit = async (
  { clock, closing }: { readonly clock: Clock; readonly closing: AbortSignal },
  request: IncomingMessage,
  response: ServerResponse,
  { fault, instead, real }: Faulted,
): Promise<void> => {
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
  if (fault?.kind === 'huge') return sendHuge(response, fault.bytes);
  const another = fault && instead(fault);
  if (another) return send(response, another);
  const answer = await real();
  switch (fault?.kind) {
    case 'reset-after':
      return void request.socket.resetAndDestroy();
    case 'malformed':
      return send(response, malform(answer));
    case 'truncated':
      return send(response, truncate(answer));
    case 'gbk':
      return send(response, inGbk(answer));
    case 'cut':
      return sendCut(response, answer);
    case 'drip':
      return sendDrip(response, answer, fault, clock, closing);
    default:
      return send(response, answer);
  }
};

export const serveUpstream = (server: Server, system: DemoSystem, upstream: DemoUpstream, parts: ServerParts): void => {
  const route = createRouter(upstream.routes);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '/';
    const [pathname = ''] = target.split('?', 1);
    const match = route(request.method ?? 'GET', pathname);
    const query = new URLSearchParams(target.slice(pathname.length));
    const body = await readBody(request);
    if (body === null) return send(response, errorPage(413, 'Payload Too Large'));
    const call = callOf({ system, state: parts.state }, request, match, query, body);
    parts.log.add({ system, method: call.method, path: call.path, userid: call.userid });
    const faults = parts.faults.take(call);
    const delays = faults.map((fault) => (fault.kind === 'delay' ? fault.ms : 0));
    const pause = delays.reduce((sum, ms) => sum + ms, parts.latencyMs);
    if (pause > 0) await parts.state.clock.wait(pause, parts.closing);
    const fault = faults.find(({ kind }) => kind !== 'delay');
    await transmit({ clock: parts.state.clock, closing: parts.closing }, request, response, {
      fault,
      instead: (fault) => answerInstead(parts.state, call, fault),
      real: () => realAnswer(parts.state, call, match),
    });
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((cause: unknown) => {
      if (parts.closing.aborted || response.headersSent) return response.destroy();
      send(response, errorPage(500, `demo campus: ${cause instanceof Error ? cause.message : 'failure'}`));
    });
  });
};

export const listen = async (host: string, port = 0): Promise<{ readonly server: Server; readonly origin: string }> => {
  const server = createServer();
  // Longer than any pause between two calls of a test run, so that no client writes to a connection just closed.
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { server, origin: `http://${shown}:${address.port}` };
};

export const closeServer = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};
