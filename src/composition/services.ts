import { attendedHalves, manifestFaults, ownLoginOf, systemsOf, takenHalves } from '../campus/connect.ts';
import type { Drivers } from '../campus/contract/driver.ts';
import type { Manifest } from '../campus/contract/manifest.ts';
import { drivers } from '../campus/drivers.ts';
import { campusIdentity, passwordHosts } from '../config/campus.ts';
import type { Config } from '../config/config.ts';
import { listProven, type Proof } from '../config/proven.ts';
import type { DemoCampus, DemoMessage } from '../demo/types.ts';
import { createAcademics } from '../domain/academics/service.ts';
import { activityScoreReads } from '../domain/activity-score/records.ts';
import { FeedService } from '../domain/calendar/feeds.ts';
import { offeredParts } from '../domain/calendar/kinds.ts';
import { cardReads } from '../domain/card/records.ts';
import { createKeptCopies } from '../domain/changes/kept-copies.ts';
import { competitionReads } from '../domain/competitions/records.ts';
import type { Log } from '../domain/context.ts';
import { ElectricityService } from '../domain/electricity/electricity.ts';
import { RoomDirectory } from '../domain/electricity/room-directory.ts';
import { completePools } from '../domain/evaluation/answers.ts';
import { RunningEvaluation } from '../domain/evaluation/evaluation.ts';
import { createLaborClub } from '../domain/labor-club/labor-club.ts';
import { createRelay, type ServiceWatch, type SystemReport, SystemStates } from '../domain/observation.ts';
import { createOfferings } from '../domain/offerings/offerings.ts';
import { createFileTickets } from '../domain/profiles/images.ts';
import { createProfiles } from '../domain/profiles/profiles.ts';
import { CampusQueue } from '../domain/reads/campus-queue.ts';
import { plainReads } from '../domain/reads/plain-reads.ts';
import { Reads } from '../domain/reads/reads.ts';
import { Writes } from '../domain/reads/writes.ts';
import { AnnouncedReplica } from '../domain/replicas.ts';
import { createCalendarWriter } from '../icalendar/write.ts';
import { createEntityTags, randomToken } from '../lib/hash.ts';
import type { Clock } from '../lib/time.ts';
import { type OpenGuard, openAccounts, openGuard } from './accounts.ts';
import { campusClockOf, openCampus } from './campus.ts';
import { openEvents, type Receivers } from './events.ts';
import { openOwnStorage } from './storage.ts';
import { type OpenSystems, openSystems } from './systems.ts';

/** For the process and its tests. */
export type RunningServices = Awaited<ReturnType<typeof createServices>>;

interface ServiceOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** A demo campus that is already running, which its owner closes. */
  readonly demo?: DemoCampus;
  /** Called with what the phones of a demo campus of this process receive. */
  readonly onDemoMessage?: ((message: DemoMessage) => void) | undefined;
  /** The process announces itself in the database under this name, or not at all. */
  readonly replicaName?: string;
  /** Copies a SQLite file of an older version before it is migrated; false deletes earlier copies as well. */
  readonly keepUpgradeCopy?: boolean;
  /** Takes other addresses than those of the database for new ones of its campus, and drops the stored sessions. */
  readonly sameCampus?: boolean;
  /** How hooks find and check their receivers, where that is not the usual way. */
  readonly receivers?: Receivers;
  /** By the names that manifests use; without them, every product that the service can talk to. */
  readonly drivers?: Drivers;
  /** Which reads are proven, where that is not what comes with this version. */
  readonly proofs?: readonly Proof[];
}

const tokenEnders = ['login', 'logout', 'logoutAll', 'endSession', 'deleteAccount'] as const;

/** The same service, which calls `then` after each of these methods. */
const follow = <K extends string, S extends Record<K, (...args: never[]) => Promise<unknown>>>(
  service: S,
  names: readonly K[],
  then: () => void,
): S => {
  const after = (name: K) => {
    return (...args: never[]) => service[name](...args).finally(then);
  };
  return { ...service, ...Object.fromEntries(names.map((name) => [name, after(name)])) };
};

export const campusFaults = (manifest: Manifest): readonly string[] => manifestFaults(manifest, drivers);

export const campusOwnLogin = (manifest: Manifest) => ownLoginOf(manifest, drivers);

/** Every product that the service can talk to. */
export const campusDrivers: Drivers = drivers;

export const driverNames: ReadonlySet<string> = new Set(Object.keys(drivers));

export const listCampusSystems = (manifest: Manifest) => systemsOf(manifest, drivers);

/** Of each application: its reads that a recording of a real campus has proven, by their months. */
export const campusProofs = ({ applications }: Manifest) =>
  applications.map(({ driver }) => ({ product: driver, proven: listProven(driver) }));

const openReads = (config: Config, { storage, journal, leases, clock, log, taken }: OpenGuard) => {
  const { marks, campusQueue } = storage;
  const { timeZone, offeringsEveryMs: everyMs } = config.campus;
  const reads = new Reads({
    marks,
    copies: createKeptCopies({ stored: storage.copies, journal, clock, log, timeZone }),
    clock,
    log,
    taken,
    queue: new CampusQueue({ leases, store: campusQueue, clock, log, everyMs }),
    settings: { ...config.reads, keepCopies: config.reads.copyMaxMs > 0 },
  });
  const [firstKey = Buffer.alloc(0)] = config.secretKeys;
  return { reads, writes: new Writes({ marks, clock }), entityTags: createEntityTags(firstKey) };
};

interface AreaDeps extends Omit<ReturnType<typeof openReads>, 'entityTags'> {
  readonly opened: OpenGuard;
  readonly systems: OpenSystems;
}

/** The areas of the campus, each over its port. */
const openAreas = (config: Config, { opened, systems, reads, writes }: AreaDeps) => {
  const { storage, leases, clock } = opened;
  const { ports } = systems;
  const { timeZone, offeringsEveryMs: everyMs } = config.campus;
  const rooms = new RoomDirectory({ campus: ports.electricity, store: storage.roomTree, leases, clock });
  const offerings = createOfferings({ campus: ports.offerings, reads, clock, everyMs });
  const areas = {
    academics: createAcademics({ campus: ports.academics, reads, clock, timeZone }),
    activityScore: plainReads(reads, activityScoreReads, ports.activityScore),
    card: plainReads(reads, cardReads, ports.card),
    competitions: plainReads(reads, competitionReads, ports.competitions),
    electricity: new ElectricityService({
      rooms,
      bindings: storage.roomBindings,
      campus: ports.electricity,
      reads,
      writes,
      clock,
      adminUserIds: config.accounts.adminUserIds,
    }),
    laborClub: createLaborClub({ campus: ports.laborClub, leases, reads, writes }),
    offerings,
  };
  const close = () => Promise.all([rooms.close(), offerings.close()]);
  return { areas, close };
};

const openCalendars = (config: Config, { opened, systems, reads }: AreaDeps) => {
  const { timeZone } = config.campus;
  return new FeedService({
    ...opened,
    store: config.reads.copyMaxMs > 0 ? opened.storage.feeds : null,
    offered: offeredParts(systems.facts),
    reads,
    write: createCalendarWriter(timeZone),
    timeZone,
    adjustments: config.calendar.adjustments,
  });
};

const openEvaluation = (config: Config, { opened, systems, writes }: AreaDeps, isAlone: () => boolean) => {
  const { plan, timing, maxRunning, answers } = config.evaluation;
  return new RunningEvaluation({
    ...opened,
    campus: systems.ports.evaluation,
    writes,
    store: opened.storage.evaluation,
    isAlone,
    random: Math.random,
    owner: randomToken(),
    settings: { plan, timing, maxRunning, pools: completePools(answers), callMs: config.server.requestTimeoutMs },
  });
};

const openProfiles = (config: Config, { storage, clock }: OpenGuard) => {
  const fileTickets = createFileTickets(config.secretKeys, clock);
  const { profiles, images } = storage;
  return {
    profiles: createProfiles({ profiles, images, tickets: fileTickets, clock }),
    /** For the addresses of images. */
    fileTickets,
  };
};

interface Watched {
  readonly opened: OpenGuard;
  readonly observe: ServiceWatch['observe'];
  readonly systems: OpenSystems;
  readonly evaluation: RunningEvaluation;
  readonly changeEvents: ReturnType<typeof openEvents>['changeEvents'];
}

/** Shows the metrics what happens here, without storing or asking anything for them. */
const watchOf = ({ opened, observe, systems, evaluation, changeEvents }: Watched): ServiceWatch => {
  const { storage } = opened;
  const { sessions } = systems;
  return {
    observe,
    sessionsHeld: () => sessions.size,
    evaluationRuns: () => evaluation.running,
    eventStreams: () => changeEvents.open,
    breakers: () => sessions.breakerStates(),
    pausedStudents: () => sessions.pausedStudents(),
    lastBackup: () => storage.lastBackup(),
    queues() {
      const pool = storage.pool();
      const queues = systems.queues();
      return pool === null ? queues : queues.set('database', pool);
    },
  };
};

/** Opens the database, and announces this process there under its name. */
const openGround = async (config: Config, clock: Clock, options: ServiceOptions) => {
  const { log, replicaName, keepUpgradeCopy = true, sameCampus = false } = options;
  const access = keepUpgradeCopy ? 'migrate' : 'migrate without copy';
  const storage = await openOwnStorage(config, { log, clock, access, sameCampus });
  const replica =
    replicaName === undefined ? null : new AnnouncedReplica(replicaName, { store: storage.replicas, clock, log });
  await replica?.start();
  return { storage, replica };
};

/** The composition root: configuration → storage → campus clients → domain services, and one `close()` for all. */
export const createServices = async (config: Config, options: ServiceOptions) => {
  const { log, clock = campusClockOf(config), receivers, proofs } = options;
  const { storage, replica } = await openGround(config, clock, options);
  const served = await openCampus(config, { clock, demo: options.demo, onDemoMessage: options.onDemoMessage });
  const systemStates = new SystemStates(clock);
  const { relay: observer, observe } = createRelay(systemStates);
  const known = options.drivers ?? drivers;
  const [attended, taken] = [attendedHalves(served.manifest, known), takenHalves(served.manifest, known)];
  const opened = openGuard(config, { storage, clock, log, observer, attended, taken });
  const systems = openSystems({ ...config, proofs }, served.manifest, known, {
    ...opened,
    vault: storage.sessions,
  });
  const { sessions, facts: campus } = systems;
  const { accounts, personalTokens, ...entrances } = openAccounts(config, opened, sessions);
  const { reads, writes, entityTags } = openReads(config, opened);
  const deps = { opened, systems, reads, writes };
  const { areas, close: closeAreas } = openAreas(config, deps);
  const evaluation = openEvaluation(config, deps, () => replica?.isAlone ?? false);
  const { academics } = areas;
  const { close: closeChanges, ...changes } = openEvents(config, { opened, systems, academics, receivers });
  storage.sweepRegularly(() => reads.sweep());

  return {
    clock,
    campus,
    ...entrances,
    // Streams end with their tokens.
    accounts: follow(accounts, tokenEnders, () => changes.changeEvents.tokensEnded()),
    personalTokens: follow(personalTokens, ['rotate', 'end'], () => changes.changeEvents.tokensEnded()),
    ...areas,
    evaluation,
    ...openProfiles(config, opened),
    calendarFeeds: openCalendars(config, deps),
    ...changes,
    /** Days that differ from the timetable. */
    adjustments: config.calendar.adjustments,
    entityTags,
    sessions,
    reads,
    journal: opened.journal,
    storage,
    demo: served.demo,
    simulated: served.simulated,
    /** Origins that passwords are sent to. */
    passwordHosts: passwordHosts(campusIdentity(served.manifest, campusOwnLogin(served.manifest))),
    watch: watchOf({ opened, observe, systems, evaluation, changeEvents: changes.changeEvents }),
    /** True while storage answers in time and takes writes. Never throws. */
    ready: () => storage.readiness.isReady(),
    /** Shows what this process has seen of each system of the campus. */
    systemStates: (): readonly SystemReport[] => systemStates.report(campus, sessions.breakerStates()),
    async close(): Promise<void> {
      await closeChanges();
      await Promise.all([evaluation.close(), closeAreas()]);
      await reads.close();
      await systems.close();
      await served.close();
      await replica?.close();
      await storage.close();
    },
  };
};
