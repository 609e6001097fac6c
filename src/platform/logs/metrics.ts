import { createServer, type Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceObserver, ServiceWatch } from '../../domain/observation.ts';
import type { Build } from '../../lib/build.ts';
import type { Call } from '../call/call-context.ts';

/** Buckets in seconds, from an answer out of memory to a call that uses up its deadline. */
const secondBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Stands for the path of a request without a route, which a client chooses and which must not become a label. */
const noRoute = '(none)';

const breakerStates = ['closed', 'open', 'probing'] as const;

const counting =
  (registry: Registry) =>
  <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers: [registry] });

type CampusObserver = Pick<
  ServiceObserver,
  'pageRead' | 'pageUnreadable' | 'rowsDropped' | 'upstream' | 'upstreamAnswered' | 'signIn' | 'ownReading'
>;

/** Counts what is asked of the campus, and how it answers. */
const campusObserver = (registry: Registry): CampusObserver => {
  const counter = counting(registry);
  const upstreams = counter(
    'campus_upstream_requests_total',
    'Requests to the systems of the campus, by how they ended.',
    'system',
    'outcome',
  );
  const answers = new Histogram({
    name: 'campus_upstream_answer_seconds',
    help: 'Time until a system of the campus had answered, the wait for a free connection included.',
    labelNames: ['system'],
    buckets: secondBuckets,
    registers: [registry],
  });
  const signIns = counter(
    'campus_sign_ins_total',
    'Sign-ins at the campus, those that reads need included, by how they ended.',
    'outcome',
  );
  const own = counter(
    'campus_own_readings_total',
    'Readings at the campus that the service has made on its own, because hooks ask for it, by how they ended.',
    'read',
    'outcome',
  );
  const page = ['system', 'page'] as const;
  const readings = counter(
    'campus_page_readings_total',
    'Pages of the campus that were read, unreadable ones included.',
    ...page,
  );
  const unreadable = counter(
    'campus_pages_unreadable_total',
    'Pages of the campus that were not the pages we know.',
    ...page,
  );
  const dropped = counter('campus_rows_dropped_total', 'Rows of pages of the campus that could not be used.', ...page);
  return {
    // Prometheus sees no increase in a counter that begins with its first event, so both begin with the first reading.
    pageRead(system, name) {
      readings.inc({ system, page: name });
      unreadable.inc({ system, page: name }, 0);
    },
    pageUnreadable: (system, name) => unreadable.inc({ system, page: name }),
    rowsDropped: (system, name, rows) => dropped.inc({ system, page: name }, rows),
    ownReading: (read, outcome) => own.inc({ read, outcome }),
    upstream: (system, outcome) => upstreams.inc({ system, outcome }),
    upstreamAnswered: (system, seconds) => answers.observe({ system }, seconds),
    signIn: (outcome) => signIns.inc({ outcome }),
  };
};

/** Counts what students and their programs do, and what is refused them. */
const studentObserver = (registry: Registry): Omit<ServiceObserver, keyof CampusObserver> => {
  const counter = counting(registry);
  const attempts = counter(
    'campus_account_attempts_total',
    'Logins, registrations and account deletions, by outcome.',
    'operation',
    'outcome',
  );
  const guarded = counter(
    'campus_guard_refusals_total',
    'Refusals of the login guard, by its rule and by who was refused.',
    'rule',
    'callers',
  );
  const wrongAsks = counter(
    'campus_wrong_asks_total',
    'Passwords that the campus refused or met with a captcha or attack marker, by who sent them.',
    'callers',
    'outcome',
  );
  const polls = counter('campus_calendar_polls_total', 'Polls of calendar feeds, by outcome.', 'outcome');
  const hooks = counter(
    'campus_hook_calls_total',
    'Attempts to tell hooks of an event, by outcome, and hooks that were switched off.',
    'outcome',
  );
  return {
    feedPolled: (outcome) => polls.inc({ outcome }),
    hookCalled: (outcome) => hooks.inc({ outcome }),
    guarded: (rule, callers) => guarded.inc({ rule, callers }),
    wrongAsk: (callers, outcome) => wrongAsks.inc({ callers, outcome }),
    attempt: (operation, outcome) => attempts.inc({ operation, outcome }),
  };
};

/** Reads the time from the database, where a backup by another process notes it. */
const addLastBackup = (registry: Registry, { lastBackup }: ServiceWatch): void => {
  if (!lastBackup) return;
  let lastAt: number | null | undefined;
  let asking = false;
  // A database that hangs must not hold up the metrics that tell of it, so each scrape shows what the last one has read.
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    lastAt = await lastBackup().catch(() => undefined);
    asking = false;
  };
  void ask();
  new Gauge({
    name: 'campus_last_backup_timestamp_seconds',
    help: 'When the database was last backed up, in seconds since 1970; 0: never. Absent while the database does not say.',
    registers: [registry],
    collect() {
      // A gauge without a value would be shown as 0.
      if (lastAt === undefined) this.remove();
      else this.set((lastAt ?? 0) / 1000);
      void ask();
    },
  });
};

/** Adds gauges that look their values up when they are scraped. */
const addGauges = (registry: Registry, watch: ServiceWatch): void => {
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    collect: (this: Gauge<L>) => void,
  ): void => void new Gauge({ name, help, labelNames, registers: [registry], collect });
  gauge(
    'campus_breaker_state',
    '1 for the state in which the breaker of a campus system is, for all students.',
    ['system', 'state'],
    function collect() {
      for (const [system, current] of watch.breakers()) {
        for (const state of breakerStates) this.set({ system, state }, state === current ? 1 : 0);
      }
    },
  );
  gauge(
    'campus_paused_students',
    'Students whose own calls to a campus system wait, because their last ones failed.',
    ['system'],
    function collect() {
      for (const [system, students] of watch.pausedStudents()) this.set({ system }, students);
    },
  );
  gauge('campus_sessions_held', 'Students whose campus session is in memory.', [], function collect() {
    this.set(watch.sessionsHeld());
  });
  gauge(
    'campus_line_active',
    'Logins under way, and busy connections to the systems of the campus and the database.',
    ['line'],
    function collect() {
      for (const [line, { active }] of watch.lines()) this.set({ line }, active);
    },
  );
  gauge(
    'campus_line_waiting',
    'Logins, requests to the campus and statements for the database that wait for their turn.',
    ['line'],
    function collect() {
      for (const [line, { waiting }] of watch.lines()) this.set({ line }, waiting);
    },
  );
  addLastBackup(registry, watch);
  const { evaluationRuns, eventStreams } = watch;
  if (eventStreams)
    gauge('campus_event_streams', 'Event streams that are open.', [], function collect() {
      this.set(eventStreams());
    });
  if (!evaluationRuns) return;
  gauge('campus_evaluation_runs', 'Evaluation runs of this process.', [], function collect() {
    this.set(evaluationRuns());
  });
};

/**
 * Makes the metrics in a registry of this application, so that two in one process share nothing.
 * @param prefix of the paths of surface A
 */
export const createMetrics = (watch: ServiceWatch, prefix: string, build: Build) => {
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
  const failures = counting(registry)(
    'campus_call_failures_total',
    'Calls that failed, by what failed, with any status of the answer.',
    'surface',
    'operation',
    'failure',
  );
  watch.observe({ ...campusObserver(registry), ...studentObserver(registry) });
  addGauges(registry, watch);
  // The process: memory, processor, garbage collection, handles, and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  return {
    /** Counts a finished request; `status` is 499 when the client left before its answer. */
    request(request: FastifyRequest, status: number, milliseconds: number): void {
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

type Metrics = ReturnType<typeof createMetrics>;

/** More connections than any monitoring needs. */
const MOST_SCRAPERS = 20;

/** Makes a server for `GET /metrics` alone, for a port that the public does not reach. */
export const createMetricsServer = (metrics: Metrics): Server => {
  const times = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 72_000 };
  const server = createServer(times, async (request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    // A body is thrown away.
    request.resume();
    if (!isKnown) return response.writeHead(404, { 'Content-Length': 0 }).end();
    const text = await metrics.text().catch(() => null);
    if (text === null) return response.writeHead(500, { 'Content-Length': 0 }).end();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
  });
  server.maxConnections = MOST_SCRAPERS;
  return server;
};

/** Serves `GET /metrics`, also while the service is overloaded or closing; clients find it in no description. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics): void => {
  const options = { config: { alwaysAnswers: true, quiet: true }, schema: { hide: true } };
  app.get('/metrics', options, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
};
