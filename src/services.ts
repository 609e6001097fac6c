import { Addresses } from './campus/addresses.ts';
import { connect, manifestFaults, systemsOf } from './campus/connect.ts';
import type { Drivers } from './campus/driver.ts';
import { drivers } from './campus/drivers.ts';
import { CampusHttp } from './campus/http.ts';
import type { Manifest } from './campus/manifest.ts';
import { PageThreads } from './campus/page-threads.ts';
import { CampusSessions } from './campus/session/sessions.ts';
import { campusIdentity, passwordHosts } from './config/campus.ts';
import type { Config } from './config/config.ts';
import type { DemoCampus, DemoMessage } from './demo/types.ts';
import { createAcademics } from './domain/academics/service.ts';
import { createActivityScore } from './domain/activity-score/activity-score.ts';
import { createCalendarFeeds } from './domain/calendar/feeds.ts';
import { offeredParts } from './domain/calendar/kinds.ts';
import { type CampusFacts, capabilitiesIn, portsOf } from './domain/capabilities.ts';
import { createCard } from './domain/card/card.ts';
import { createCompetitions } from './domain/competitions/competitions.ts';
import type { Log } from './domain/context.ts';
import { createElectricity } from './domain/electricity/electricity.ts';
import { RoomDirectory } from './domain/electricity/room-directory.ts';
import { completePools } from './domain/evaluation/answers.ts';
import { type Evaluation, RunningEvaluation } from './domain/evaluation/evaluation.ts';
import { withCountedSubmissions } from './domain/evaluation/types.ts';
import { dailyReadsOf } from './domain/hooks/daily-readings.ts';
import { createLaborClub } from './domain/labor-club/labor-club.ts';
import { type LineState, ObserverRelay, type ServiceWatch } from './domain/observation.ts';
import { createOfferings, type Offerings } from './domain/offerings/offerings.ts';
import { createFileTickets } from './domain/profiles/images.ts';
import { createProfiles } from './domain/profiles/profiles.ts';
import { CampusLine } from './domain/reads/campus-line.ts';
import { createEntityTags } from './domain/reads/entity-tags.ts';
import { HourlyReadings, personalReadings } from './domain/reads/hourly-readings.ts';
import { createReads } from './domain/reads/reads.ts';
import { createWrites } from './domain/reads/writes.ts';
import { announceReplica } from './domain/replicas.ts';
import { createCalendarWriter } from './icalendar/write.ts';
import type { Clock } from './lib/clock.ts';
import { randomToken } from './lib/hash.ts';
import { openAccounts, openGuard } from './open-accounts.ts';
import { clockOf, openCampus } from './open-campus.ts';
import { openEvents, type Receivers } from './open-events.ts';
import { openOwnStorage } from './open-storage.ts';
import { startSweeping } from './storage/upkeep/sweeping.ts';

/** Pages known to be slow get this long for one attempt, if the call has that much time at all. */
const SLOW_ATTEMPT_MS = 25_000;
/** Enough for every student of a score night to wait instead of coming again; a call that would wait in vain fails at once. */
const WAITING_PER_ORIGIN = 2_048;
/** What one student may cause of what is read for all: it stops a crawl through one token. */
const CAMPUS_WIDE_PER_HOUR = 120;

/** What the process and its tests need to know. */
export type RunningServices = Awaited<ReturnType<typeof createServices>>;

type ToldLess = 'evaluation' | 'offerings';
type OfTheProcess = 'sessions' | 'reads' | 'dailyReadings' | 'storage' | 'demo' | 'lakeside' | 'passwordHosts';

/** What the surfaces may use. */
export interface Services extends Omit<RunningServices, ToldLess | OfTheProcess> {
  readonly evaluation: Evaluation;
  readonly offerings: Offerings;
}

interface ServiceOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** A demo campus that is already running; it stays its owner's to close. */
  readonly demo?: DemoCampus;
  /** Told what the phones of an own demo campus receive. */
  readonly onDemoMessage?: ((message: DemoMessage) => void) | undefined;
  /** Under which the process announces itself in the database; left out: it does not. */
  readonly replicaName?: string;
  /** A SQLite file of an older version is copied before it is migrated; false: it is not, and earlier copies go. */
  readonly keepUpgradeCopy?: boolean;
  /** Other addresses than those of the database are new ones of its campus: stored sessions are dropped. */
  readonly sameCampus?: boolean;
  /** How hooks find and check their receivers, where that is not the usual way. */
  readonly receivers?: Receivers;
  /** By the names that manifests use; left out: every product that the service speaks with. */
  readonly drivers?: Drivers;
}

const tokenEnders = ['login', 'logout', 'logoutAll', 'endSession', 'deleteAccount'] as const;

/** The same service; `then` is called after each of these methods. */
const followed = <K extends string, S extends Record<K, (...args: never[]) => Promise<unknown>>>(
  service: S,
  names: readonly K[],
  then: () => void,
): S => {
  const after =
    (name: K) =>
    async (...args: never[]): Promise<unknown> => {
      try {
        return await service[name](...args);
      } finally {
        then();
      }
    };
  return { ...service, ...Object.fromEntries(names.map((name) => [name, after(name)])) };
};

/** What the drivers of a manifest cannot work with. */
export const campusFaults = (manifest: Manifest): readonly string[] => manifestFaults(manifest, drivers);

/** The systems of a manifest that has no faults. */
export const campusSystems = (manifest: Manifest) => systemsOf(manifest, drivers);

const campusHttp = (config: Config, addresses: Addresses, clock: Clock): CampusHttp =>
  new CampusHttp({
    clock,
    ceilings: addresses.ceilings(),
    insecureOrigin: config.campus.vpnInsecureTls ? addresses.portalOrigin : null,
    connections: config.campus.connections,
    line: WAITING_PER_ORIGIN,
  });

/** The lines before the campus under the names of the systems behind them: several may share one address. */
const linesOf = (
  { http, addresses, pages }: { http: CampusHttp; addresses: Addresses; pages: PageThreads },
  sessions: CampusSessions,
): ReadonlyMap<string, LineState> => {
  const lines = new Map([
    ['login', sessions.signInLine],
    ['pages', pages.line],
  ]);
  for (const [origin, line] of http.lines()) {
    const there = addresses.upstreamNames.filter((name) => addresses.base(name).origin === origin);
    lines.set(there.map((name) => addresses.systemOf(name)).join('+'), line);
  }
  return lines;
};

/** The composition root: configuration → storage → campus clients → domain services, and one `close()` for all. */
export const createServices = async (config: Config, options: ServiceOptions) => {
  const {
    log,
    clock = clockOf(config),
    replicaName,
    keepUpgradeCopy = true,
    sameCampus = false,
    onDemoMessage,
  } = options;
  const access = keepUpgradeCopy ? 'migrate' : 'migrate without copy';
  const storage = await openOwnStorage(config, { log, clock, access, sameCampus });
  const replica =
    replicaName === undefined ? null : await announceReplica(replicaName, storage.replicas, { clock, log });
  const served = await openCampus(config, { clock, demo: options.demo, onDemoMessage });
  const { manifest, demo, lakeside } = served;
  const connection = connect(manifest, options.drivers ?? drivers, log);
  const addresses = new Addresses(connection);
  const http = campusHttp(config, addresses, clock);
  const pages = new PageThreads(clock);
  const { attemptMs, timeZone, offeringsEveryMs: everyMs } = config.campus;
  const observer = new ObserverRelay();
  const { requestTimeoutMs } = config.server;
  const slowAttemptMs = Math.max(attemptMs, Math.min(SLOW_ATTEMPT_MS, requestTimeoutMs));
  const opened = openGuard(config, { storage, clock, log, observer });
  const { leases, credentials, tagOf } = opened;
  const sessions = new CampusSessions({
    campus: { http, addresses, clock, attemptMs, slowAttemptMs, pages, observer },
    ...{ vault: storage.sessions, leases, credentials, log, tagOf, signInMs: requestTimeoutMs },
  });
  const accounts = openAccounts(config, opened, sessions);
  const { marks } = storage;
  const keepCopies = config.reads.copyMaxMs > 0;
  const reads = createReads({
    ...{ marks, copies: storage.copies, clock, log },
    line: new CampusLine({ leases, store: storage.campusLine, clock, log, everyMs }),
    budgets: {
      everybody: new HourlyReadings(clock, CAMPUS_WIDE_PER_HOUR, 'readings for everybody'),
      personal: personalReadings(clock),
    },
    settings: { ...config.reads, keepCopies },
  });
  const writes = createWrites({ marks, clock });
  const supplied = connection.supplies({ sessions, clock });
  const ports = portsOf(supplied);
  const campus: CampusFacts = {
    id: manifest.id,
    name: manifest.name,
    hasPortal: manifest.portal !== null,
    challenges: connection.challenges,
    capabilities: new Set(supplied.flatMap(capabilitiesIn)),
  };
  const calendarFeeds = createCalendarFeeds({
    store: keepCopies ? storage.feeds : null,
    offered: offeredParts(campus),
    reads,
    write: createCalendarWriter(timeZone),
    clock,
    timeZone,
    adjustments: config.calendar.adjustments,
    observer,
  });
  const academics = createAcademics({ campus: ports.academics, reads, clock, timeZone });
  const competitions = createCompetitions({ campus: ports.competitions, reads });
  const card = createCard({ campus: ports.card, reads });
  const activityScore = createActivityScore({ campus: ports.activityScore, reads });
  const offerings = createOfferings({ campus: ports.offerings, reads, clock, everyMs });
  const rooms = new RoomDirectory({ campus: ports.electricity, store: storage.roomTree, leases, clock });
  const electricity = createElectricity({
    rooms,
    bindings: storage.roomBindings,
    campus: ports.electricity,
    reads,
    writes,
    clock,
    adminUserIds: config.accounts.adminUserIds,
  });
  const laborClub = createLaborClub({ campus: ports.laborClub, leases, reads, writes });
  const { hooks, changeEvents, dailyReadings, ...events } = openEvents(config, {
    ...opened,
    receivers: options.receivers,
    academics,
    dailyReads: dailyReadsOf(campus, academics),
    breakersClosed: (userid) => sessions.breakersClosed(userid),
  });
  const { evaluation: settings } = config;
  const evaluation = new RunningEvaluation({
    campus: withCountedSubmissions(ports.evaluation, writes),
    store: storage.evaluation,
    clock,
    log,
    tagOf,
    random: Math.random,
    owner: randomToken(),
    isAlone: () => replica?.isAlone() ?? false,
    settings: {
      plan: settings.plan,
      timing: settings.timing,
      maxRunning: settings.maxRunning,
      pools: completePools(settings.answers),
      callMs: config.server.requestTimeoutMs,
    },
  });
  const fileTickets = createFileTickets(config.secretKeys, clock);
  const profiles = createProfiles({ profiles: storage.profiles, images: storage.images, tickets: fileTickets, clock });
  const [firstKey = Buffer.alloc(0)] = config.secretKeys;
  const entityTags = createEntityTags(firstKey);
  const sweeping = startSweeping(storage, {
    clock,
    log,
    also: [() => reads.sweep()],
  });
  const watch: ServiceWatch = {
    observe: (next) => observer.observe(next),
    sessionsHeld: () => sessions.held,
    evaluationRuns: () => evaluation.running,
    eventStreams: () => changeEvents.open,
    breakers: () => sessions.breakerStates(),
    pausedStudents: () => sessions.pausedStudents(),
    lastBackup: () => storage.lastBackup(),
    lines: () => {
      const pool = storage.pool();
      const lines = linesOf({ http, addresses, pages }, sessions);
      return pool === null ? lines : new Map([...lines, ['database', pool]]);
    },
  };

  return {
    clock,
    /** Which campus is served, and what of it. */
    campus,
    ...accounts,
    // Streams end with their tokens.
    accounts: followed(accounts.accounts, tokenEnders, changeEvents.tokensEnded),
    personalTokens: followed(accounts.personalTokens, ['rotate', 'end'], changeEvents.tokensEnded),
    academics,
    offerings,
    activityScore,
    electricity,
    laborClub,
    competitions,
    card,
    evaluation,
    profiles,
    calendarFeeds,
    hooks,
    changeEvents,
    /** Days that differ from the timetable. */
    adjustments: config.calendar.adjustments,
    /** For the addresses of images. */
    fileTickets,
    /** For conditional reads. */
    entityTags,
    sessions,
    reads,
    dailyReadings,
    storage,
    demo,
    lakeside,
    /** Origins that passwords are sent to. */
    passwordHosts: passwordHosts(campusIdentity(manifest)),
    /** For metrics. */
    watch,
    /** True while storage answers. Never throws. */
    async ready(): Promise<boolean> {
      try {
        await storage.ping();
        return true;
      } catch {
        return false;
      }
    },
    /** Replicas whose clocks are seconds apart, each with what it is ahead of the database by. */
    clocksApart: (): readonly string[] => replica?.clocksApart() ?? [],
    async close(): Promise<void> {
      await events.close();
      await Promise.all([evaluation.close(), rooms.close(), offerings.close(), sweeping.stop()]);
      await reads.close();
      await Promise.all([http.close(), pages.close()]);
      await served.close();
      await replica?.close();
      await storage.close();
    },
  };
};
