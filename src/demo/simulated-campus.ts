import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/time.ts';
import { cookiePairs, type DemoReply, errorPage, formOf, readBody } from './exchange.ts';
import { plainAnswer } from './fault-answers.ts';
import { asUsual, vary } from './page-variants.ts';
import { send } from './transmission.ts';
import type { DemoFault, DemoPageVariant } from './types.ts';
import { closeServer, listen, transmit } from './upstream-server.ts';

const MOST_LOGGED = 10_000;

export interface SimulatedCall {
  readonly method: string;
  readonly path: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** The texts behind each `*` of the route. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** Fields of an `application/x-www-form-urlencoded` body; empty for any other content type. */
  readonly form: URLSearchParams;
  /** As received. */
  readonly body: string;
  readonly cookies: ReadonlyMap<string, string>;
  header(name: string): string | null;
}

export type SimulatedHandler = (call: SimulatedCall) => DemoReply | Promise<DemoReply>;

export interface SimulatedStudent {
  readonly id: string;
  readonly password: string;
}

/** One system of a campus, with an origin. */
export interface SimulatedSystem {
  /** `GET /path`; `*` stands for one segment. The first that fits answers. */
  readonly routes: Readonly<Record<string, SimulatedHandler>>;
  /** Asked before any route, e.g. for what a firewall refuses; null: go on. */
  readonly refuse?: (call: SimulatedCall) => DemoReply | null;
}

/** What a campus is, apart from the network. */
export interface CampusModel<System extends string> {
  readonly systems: Readonly<Record<System, SimulatedSystem>>;
  /** What someone without a session is shown: a redirect to the login, and the login's own page. */
  toLogin(system: System): DemoReply;
  loginPage(system: System): DemoReply;
  /** All sessions of applications end. */
  expireSessions(): void;
  /** All sessions of logins end. */
  expireLogins(): void;
  /** Adds a student with the data of the first one. */
  addStudent(student: SimulatedStudent): void;
}

/** What a model is made with. `origins`: where its systems really listen. */
export interface ModelParts<System extends string> {
  readonly clock: Clock;
  readonly hosts: Readonly<Record<System, string>>;
  readonly origins: Readonly<Record<System, string>>;
}

export interface SimulatedRequest {
  readonly system: string;
  readonly method: string;
  readonly path: string;
}

/** A running campus on loopback. `model` is its inside, for its switches and counts. */
export interface SimulatedCampus<System extends string = string, Model = unknown> {
  /** Real origins by the hosts that its manifest names. */
  readonly origins: Readonly<Record<string, string>>;
  /** `cas` for its login, each application by the name of its driver. */
  readonly systems: readonly System[];
  readonly model: Model;
  /** The other ways in which its pages are written. A change holds from the next request on. */
  pageVariants: readonly DemoPageVariant[];
  /** Since the last reset, oldest first. */
  requests(): readonly SimulatedRequest[];
  resetRequests(): void;
  expireSessions(): void;
  expireLogins(): void;
  addStudent(student: SimulatedStudent): void;
  /** From now on every request to that system meets the fault. */
  fault(system: System, fault: DemoFault): void;
  clearFaults(): void;
  close(): Promise<void>;
}

const escapeForRegExp = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const routerOf = (routes: SimulatedSystem['routes']) => {
  const compiled = Object.entries(routes).map(([route, handle]) => ({
    expression: new RegExp(`^${route.split('*').map(escapeForRegExp).join('([^/]+)')}$`),
    handle,
  }));
  return (name: string): { handle: SimulatedHandler; params: readonly string[] } | null => {
    for (const { expression, handle } of compiled) {
      const found = expression.exec(name);
      if (found) return { handle, params: found.slice(1) };
    }
    return null;
  };
};

const callOf = (request: IncomingMessage, host: string, body: string): Omit<SimulatedCall, 'params'> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', host);
  return {
    method: request.method ?? 'GET',
    path: pathname,
    target: request.url ?? '/',
    query: searchParams,
    form: formOf(request.headers['content-type'], body),
    body,
    cookies: new Map(cookiePairs(request.headers.cookie)),
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
  };
};

/**
 * Serves a campus over loopback HTTP, each system at its own origin, with faults and a log of requests.
 * `hosts`: what its manifest calls the origins; they resolve nowhere.
 */
export const simulateCampus = async <System extends string, Model extends CampusModel<System>>(
  clock: Clock,
  hosts: Readonly<Record<System, string>>,
  create: (parts: ModelParts<System>) => Model,
): Promise<SimulatedCampus<System, Model>> => {
  const names = Object.keys(hosts).filter((name): name is System => name in hosts);
  const listening = await Promise.all(names.map(async (name) => [name, await listen('127.0.0.1')] as const));
  const servers = new Map(listening);
  const originOf = (name: System): string => servers.get(name)?.origin ?? '';
  const origins = Object.fromEntries(names.map((name) => [name, originOf(name)])) as Record<System, string>;
  const model = create({ clock, hosts, origins });
  const closing = new AbortController();
  const faults = new Map<System, DemoFault>();
  let log: SimulatedRequest[] = [];

  const insteadOf = (system: System, fault: DemoFault, address: string): DemoReply | null => {
    if (fault.kind === 'login-redirect') return model.toLogin(system);
    return fault.kind === 'login-page' ? model.loginPage(system) : plainAnswer(fault, address);
  };

  let pageVariants: readonly DemoPageVariant[] = [];

  const answer = async (system: System, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    if (body === null) return send(response, errorPage(413, 'Payload Too Large'));
    const call = callOf(request, hosts[system], body);
    if (log.length < MOST_LOGGED) log.push({ system, method: call.method, path: call.path.slice(0, 200) });
    const { routes, refuse } = model.systems[system];
    const fault = faults.get(system);
    if (fault?.kind === 'delay') await clock.wait(fault.ms, closing.signal);
    await transmit({ clock, closing: closing.signal }, request, response, {
      fault,
      instead: (each) => insteadOf(system, each, `${originOf(system)}${request.url ?? '/'}`),
      async real() {
        const refusal = refuse?.({ ...call, params: [] });
        if (refusal) return refusal;
        const found = routerOf(routes)(`${call.method} ${call.path}`);
        if (found === null) return errorPage(404, 'Not Found');
        const usual = asUsual(pageVariants, { ...call, system });
        return vary(pageVariants, usual, await found.handle({ ...usual, params: found.params }));
      },
    });
  };

  for (const [system, { server }] of listening) {
    server.on('request', (request, response) => {
      answer(system, request, response).catch(() => response.destroy());
    });
  }
  return {
    origins: Object.fromEntries(names.map((name) => [hosts[name], originOf(name)])),
    systems: names,
    model,
    get pageVariants() {
      return pageVariants;
    },
    set pageVariants(variants) {
      pageVariants = variants;
    },
    requests: () => [...log],
    resetRequests: () => {
      log = [];
    },
    expireSessions: () => model.expireSessions(),
    expireLogins: () => model.expireLogins(),
    addStudent: (student) => model.addStudent(student),
    fault: (system, fault) => void faults.set(system, fault),
    clearFaults: () => faults.clear(),
    async close() {
      closing.abort();
      await Promise.all(listening.map(([, { server }]) => closeServer(server)));
    },
  };
};
