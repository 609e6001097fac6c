import { createServer, type Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceObserver, ServiceWatch } from '../../domain/observation.ts';
import type { Build } from '../../lib/build.ts';

/** Buckets in seconds, from an answer out of memory to a call that uses up its deadline. */
const secondBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Stands for the path of a request without a route, which a client chooses and which must not become a label. */
const noRoute = '(none)';

const breakerStates = ['closed', 'open', 'probing'] as const;

/** Registers a counter; the function counts one under the values of its labels. */
const createCounters =
  (registry: Registry) =>
  (name: string, help: string, ...labelNames: string[]) => {
    const counter = new Counter({ name, help, labelNames, registers: [registry] });
    return (...values: readonly string[]): void => counter.labels(...values).inc();
  };

const secondsBy = (registry: Registry, name: string, help: string, ...labelNames: string[]) =>
  new Histogram({ name, help, labelNames, buckets: secondBuckets, registers: [registry] });

const pageLabels = ['system', 'page'];

type PageObserver = Pick<ServiceObserver, 'pageRead' | 'pageUnreadable' | 'rowsDropped' | 'pageOdd' | 'pageOddName'>;

const pageObserver = (registry: Registry): PageObserver => {
  const counter = (name: string, help: string, labelNames = pageLabels) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const readings = counter(
    'campus_page_readings_total',
    'Pages of the campus that were read, unreadable ones included.',
  );
  const unreadable = counter('campus_pages_unreadable_total', 'Pages of the campus that were not the pages we know.');
  const dropped = counter('campus_rows_dropped_total', 'Rows of pages of the campus that could not be used.');
  const odd = counter(
    'campus_page_oddities_total',
    'What pages of the campus had that we did not expect, by kind; the log names each once.',
    [...pageLabels, 'kind'],
  );
  // Bounded: the campus part tells at most a thousand.
  const named = counter(
    'campus_page_oddity_names_total',
    'The members and labels of pages that we did not expect, each once: `campus doctor --pages` shows them.',
    [...pageLabels, 'kind', 'name'],
  );
  return {
    // Prometheus sees no increase in a counter that begins with its first event, so both begin with the first reading.
    pageRead(system, page) {
      readings.labels(system, page).inc();
      unreadable.labels(system, page).inc(0);
    },
    pageUnreadable: (system, page) => unreadable.labels(system, page).inc(),
    rowsDropped: (system, page, rows) => dropped.labels(system, page).inc(rows),
    pageOdd: (system, page, kind, count) => odd.labels(system, page, kind).inc(count),
    pageOddName: (system, page, kind, name) => named.labels(system, page, kind, name).inc(),
  };
};

const observerOf = (registry: Registry): ServiceObserver => {
  const counter = createCounters(registry);
  const upstream = counter(
    'campus_upstream_requests_total',
    'Requests to the systems of the campus, by how they ended.',
    'system',
    'outcome',
  );
  const answers = secondsBy(
    registry,
    'campus_upstream_answer_seconds',
    'Time until a system of the campus had answered, the wait for a free connection included.',
    'system',
  );
  return {
    upstream,
    upstreamAnswered: (system, seconds) => answers.labels(system).observe(seconds),
    signIn: counter(
      'campus_sign_ins_total',
      'Sign-ins at the campus, those that reads need included, by how they ended.',
      'outcome',
    ),
    ownReading: counter(
      'campus_own_readings_total',
      'Readings at the campus that the service has made on its own, because hooks ask for it, by how they ended.',
      'read',
      'outcome',
    ),
    ...pageObserver(registry),
    attempt: counter(
      'campus_account_attempts_total',
      'Logins, registrations and account deletions, by outcome.',
      'operation',
      'outcome',
    ),
    guarded: counter(
      'campus_guard_refusals_total',
      'Refusals of the login guard, by its rule and by who was refused.',
      'rule',
      'callers',
    ),
    wrongAsk: counter(
      'campus_wrong_asks_total',
      'Passwords that the campus refused or met with a captcha or attack marker, by who sent them.',
      'callers',
      'outcome',
    ),
    feedPolled: counter('campus_calendar_polls_total', 'Polls of calendar feeds, by outcome.', 'outcome'),
    hookCalled: counter(
      'campus_hook_calls_total',
      'Attempts to tell hooks of an event, by outcome, and hooks that were switched off.',
      'outcome',
    ),
  };
};

/** Reads the time from the database, where a backup by another process notes it. */
const addLastBackup = (registry: Registry, { lastBackup }: ServiceWatch): void => {
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

type MetricValues = Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;

const addGauges = (registry: Registry, watch: ServiceWatch): void => {
  const gauge = (name: string, help: string, labelNames: readonly string[], values: () => MetricValues): void =>
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const [labels, value] of values()) this.set(labels, value);
      },
    });
  gauge(
    'campus_breaker_state',
    '1 for the state in which the breaker of a campus system is, for all students.',
    ['system', 'state'],
    () =>
      [...watch.breakers()].flatMap(([system, current]) =>
        breakerStates.map((state) => [{ system, state }, state === current ? 1 : 0] as const),
      ),
  );
  gauge(
    'campus_paused_students',
    'Students whose own calls to a campus system wait, because their last ones failed.',
    ['system'],
    () =>
      watch
        .pausedStudents()
        .entries()
        .map(([system, students]) => [{ system }, students]),
  );
  gauge('campus_sessions_held', 'Students whose campus session is in memory.', [], () => [[{}, watch.sessionsHeld()]]);
  gauge(
    'campus_line_active',
    'Logins under way, and busy connections to the systems of the campus and the database.',
    ['line'],
    () =>
      watch
        .queues()
        .entries()
        .map(([line, { active }]) => [{ line }, active]),
  );
  gauge(
    'campus_line_waiting',
    'Logins, requests to the campus and statements for the database that wait for their turn.',
    ['line'],
    () =>
      watch
        .queues()
        .entries()
        .map(([line, { waiting }]) => [{ line }, waiting]),
  );
  addLastBackup(registry, watch);
  gauge('campus_event_streams', 'Event streams that are open.', [], () => [[{}, watch.eventStreams()]]);
  gauge('campus_evaluation_runs', 'Evaluation runs of this process.', [], () => [[{}, watch.evaluationRuns()]]);
};

/** In a registry of one application, so that two in one process share nothing. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations = secondsBy(
    this.#registry,
    'campus_http_request_duration_seconds',
    'Time from a request to the end of its answer.',
    'method',
    'route',
    'status',
  );
  readonly #prefix: string;
  readonly #countFailure: (surface: string, operation: string, failure: string) => void;

  /** @param prefix of the paths of surface A */
  constructor(watch: ServiceWatch, prefix: string, build: Build) {
    const registry = this.#registry;
    this.#prefix = prefix;
    new Gauge({
      name: 'campus_build_info',
      help: 'Always 1; the version of the service, its commit, and the day of that.',
      labelNames: ['version', 'revision', 'date'],
      registers: [registry],
    }).set({ ...build }, 1);
    this.#countFailure = createCounters(registry)(
      'campus_call_failures_total',
      'Calls that failed, by what failed, with any status of the answer.',
      'surface',
      'operation',
      'failure',
    );
    watch.observe(observerOf(registry));
    addGauges(registry, watch);
    // The process: memory, processor, garbage collection, handles, and the delay of the event loop.
    collectDefaultMetrics({ register: registry });
  }

  countDroppedLines(dropped: () => number): void {
    new Counter({
      name: 'campus_log_lines_dropped_total',
      help: 'Log lines that could not be written, as on a full disk.',
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(dropped());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Counts a finished request; `status` is 499 when the client left before its answer. */
  request(request: FastifyRequest, status: number, milliseconds: number): void {
    const { method, is404, routeOptions, url } = request;
    const route = is404 ? noRoute : (routeOptions.url ?? noRoute);
    this.#durations.labels(method, route, String(status)).observe(milliseconds / 1000);
    const failure = request.call.note?.failure;
    if (failure === undefined) return;
    this.#countFailure(url.startsWith(this.#prefix) ? 'a' : 'b', routeOptions.schema?.operationId ?? route, failure);
  }
}

/** More connections than any monitoring needs. */
const MOST_SCRAPERS = 20;

/** Serves the metrics alone, at a port that the public does not reach. */
export const createMetricsServer = (metrics: Metrics): Server => {
  const times = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 72_000 };
  const server = createServer(times, async (request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    request.resume();
    if (!isKnown) return response.writeHead(404, { 'Content-Length': 0 }).end();
    const text = await metrics.text().catch(() => null);
    if (text === null) return response.writeHead(500, { 'Content-Length': 0 }).end();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
  });
  server.maxConnections = MOST_SCRAPERS;
  return server;
};

/** Answers while the service is overloaded or closing too; no description names it. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics): void => {
  const options = { config: { alwaysAnswers: true, quiet: true }, schema: { hide: true } };
  app.get('/metrics', options, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
};
