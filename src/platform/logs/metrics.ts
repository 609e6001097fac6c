import { createServer, type Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceObserver, ServiceWatch } from '../../domain/observation.ts';
import type { Build } from '../../lib/build.ts';
import type { Call } from '../call/call-context.ts';

/** Buckets from an answer out of memory to a call that uses up its deadline, in seconds. */
const secondBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Where a request matched no route: its path is the client's choice and must not become a label. */
const noRoute = '(none)';

const breakerStates = ['closed', 'open', 'probing'] as const;

export interface Metrics {
  /** One finished request; `status` 499 when the client left before its answer. */
  request(request: FastifyRequest, status: number, milliseconds: number): void;
  readonly contentType: string;
  /** Everything in Prometheus's text form. */
  text(): Promise<string>;
}

const observerOf = (registry: Registry): ServiceObserver => {
  const registers = [registry];
  const upstreams = new Counter({
    name: 'campus_upstream_requests_total',
    help: 'Requests to the systems of the campus, by how they ended.',
    labelNames: ['system', 'outcome'],
    registers,
  });
  const answers = new Histogram({
    name: 'campus_upstream_answer_seconds',
    help: 'Time until a system of the campus had answered, the wait for a free connection included.',
    labelNames: ['system'],
    buckets: secondBuckets,
    registers,
  });
  const attempts = new Counter({
    name: 'campus_account_attempts_total',
    help: 'Logins, registrations and account deletions, by outcome.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const guarded = new Counter({
    name: 'campus_guard_refusals_total',
    help: 'Refusals of the login guard, by its rule and by who was refused.',
    labelNames: ['rule', 'callers'],
    registers,
  });
  const wrongAsks = new Counter({
    name: 'campus_wrong_asks_total',
    help: 'Passwords that the campus refused or met with a captcha or attack marker, by who sent them.',
    labelNames: ['callers', 'outcome'],
    registers,
  });
  const polls = new Counter({
    name: 'campus_calendar_polls_total',
    help: 'Polls of calendar feeds, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const hooks = new Counter({
    name: 'campus_hook_calls_total',
    help: 'Attempts to tell hooks of an event, by outcome, and hooks that were switched off.',
    labelNames: ['outcome'],
    registers,
  });
  const own = new Counter({
    name: 'campus_own_readings_total',
    help: 'Readings at the campus that the service has made on its own, because hooks ask for it, by how they ended.',
    labelNames: ['read', 'outcome'],
    registers,
  });
  const page = { labelNames: ['system', 'page'], registers } as const;
  const readings = new Counter({
    name: 'campus_page_readings_total',
    help: 'Pages of the campus that were read, unreadable ones included.',
    ...page,
  });
  const unreadable = new Counter({
    name: 'campus_pages_unreadable_total',
    help: 'Pages of the campus that were not the pages we know.',
    ...page,
  });
  const dropped = new Counter({
    name: 'campus_rows_dropped_total',
    help: 'Rows of pages of the campus that could not be used.',
    ...page,
  });
  return {
    // A count that begins with its first event is an increase that nobody sees: both are there from the first reading on.
    pageRead(system, name) {
      readings.inc({ system, page: name });
      unreadable.inc({ system, page: name }, 0);
    },
    pageUnreadable: (system, name) => unreadable.inc({ system, page: name }),
    rowsDropped: (system, name, rows) => dropped.inc({ system, page: name }, rows),
    feedPolled: (outcome) => polls.inc({ outcome }),
    hookCalled: (outcome) => hooks.inc({ outcome }),
    ownReading: (read, outcome) => own.inc({ read, outcome }),
    guarded: (rule, callers) => guarded.inc({ rule, callers }),
    wrongAsk: (callers, outcome) => wrongAsks.inc({ callers, outcome }),
    upstream: (system, outcome) => upstreams.inc({ system, outcome }),
    upstreamAnswered: (system, seconds) => answers.observe({ system }, seconds),
    attempt: (operation, outcome) => attempts.inc({ operation, outcome }),
  };
};

/** Stored where a backup by a timer elsewhere can write it. */
const addLastBackup = (registry: Registry, { lastBackup }: ServiceWatch): void => {
  if (!lastBackup) return;
  let known: number | null | undefined;
  let asking = false;
  // A database that hangs must not hold up the metrics, which tell of it: each time shows what the one before has read.
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    known = await lastBackup().catch(() => undefined);
    asking = false;
  };
  void ask();
  new Gauge({
    name: 'campus_last_backup_timestamp_seconds',
    help: 'When the database was last backed up, in seconds since 1970; 0: never. Absent while the database does not say.',
    registers: [registry],
    collect() {
      // One without a value would be told as 0.
      if (known === undefined) this.remove();
      else this.set((known ?? 0) / 1000);
      void ask();
    },
  });
};

/** Values that are looked up when somebody asks, and cost nothing in between. */
const addGauges = (registry: Registry, watch: ServiceWatch): void => {
  const registers = [registry];
  new Gauge({
    name: 'campus_breaker_state',
    help: '1 for the state in which the breaker of a campus system is, for all students.',
    labelNames: ['system', 'state'],
    registers,
    collect() {
      for (const [system, current] of watch.breakers()) {
        for (const state of breakerStates) this.set({ system, state }, state === current ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'campus_paused_students',
    help: 'Students whose own calls to a campus system wait, because their last ones failed.',
    labelNames: ['system'],
    registers,
    collect() {
      for (const [system, students] of watch.pausedStudents()) this.set({ system }, students);
    },
  });
  new Gauge({
    name: 'campus_sessions_held',
    help: 'Students whose campus session is in memory.',
    registers,
    collect() {
      this.set(watch.sessionsHeld());
    },
  });
  new Gauge({
    name: 'campus_line_active',
    help: 'Logins under way, and busy connections to the systems of the campus and the database.',
    labelNames: ['line'],
    registers,
    collect() {
      for (const [line, { active }] of watch.lines()) this.set({ line }, active);
    },
  });
  new Gauge({
    name: 'campus_line_waiting',
    help: 'Logins, requests to the campus and statements for the database that wait for their turn.',
    labelNames: ['line'],
    registers,
    collect() {
      for (const [line, { waiting }] of watch.lines()) this.set({ line }, waiting);
    },
  });
  addLastBackup(registry, watch);
  const { evaluationRuns, eventStreams } = watch;
  if (eventStreams)
    new Gauge({
      name: 'campus_event_streams',
      help: 'Event streams that are open.',
      registers,
      collect() {
        this.set(eventStreams());
      },
    });
  if (!evaluationRuns) return;
  new Gauge({
    name: 'campus_evaluation_runs',
    help: 'Evaluation runs of this process.',
    registers,
    collect() {
      this.set(evaluationRuns());
    },
  });
};

/**
 * A registry of its own: nothing is shared with another application of the same process.
 * @param prefix of the paths of surface A
 */
export const createMetrics = (watch: ServiceWatch, prefix: string, build: Build): Metrics => {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'campus_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: secondBuckets,
    registers: [registry],
  });
  new Gauge({
    name: 'campus_build_info',
    help: 'Always 1; the version of the service, its commit, and the day of that.',
    labelNames: ['version', 'revision', 'date'],
    registers: [registry],
  }).set({ ...build }, 1);
  const failures = new Counter({
    name: 'campus_call_failures_total',
    help: 'Calls that failed, by what failed, whatever the status of the answer.',
    labelNames: ['surface', 'operation', 'failure'],
    registers: [registry],
  });
  watch.observe(observerOf(registry));
  addGauges(registry, watch);
  // The process: memory, processor, garbage collection, handles, and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  return {
    request(request, status, milliseconds) {
      const { method, is404, routeOptions, url } = request;
      const route = is404 ? noRoute : (routeOptions.url ?? noRoute);
      durations.observe({ method, route, status }, milliseconds / 1000);
      // A path that cannot be decoded has no call.
      const call: Call | undefined = request.call;
      const failure = call?.note?.failure;
      if (failure === undefined) return;
      const surface = url.startsWith(prefix) ? 'a' : 'b';
      failures.inc({ surface, operation: routeOptions.schema?.operationId ?? route, failure });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
};

/** Monitoring systems are few. */
const MOST_SCRAPERS = 20;

/** A server for `GET /metrics` alone, which listens where the public does not get to. */
export const createMetricsServer = (metrics: Metrics): Server => {
  const times = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 72_000 };
  const server = createServer(times, async (request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    // Bodies mean nothing here.
    request.resume();
    if (!isKnown) return response.writeHead(404, { 'Content-Length': 0 }).end();
    const text = await metrics.text().catch(() => null);
    if (text === null) return response.writeHead(500, { 'Content-Length': 0 }).end();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
  });
  server.maxConnections = MOST_SCRAPERS;
  return server;
};

/** `GET /metrics`, also while the service is overloaded or closing. In no interface description: it is not for clients. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics): void => {
  const options = { config: { alwaysAnswers: true, quiet: true }, schema: { hide: true } };
  app.get('/metrics', options, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
};
