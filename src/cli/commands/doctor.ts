import type { Storage } from '../../composition/storage.ts';
import { campusName, foreignDatabase, passwordHosts } from '../../config/campus.ts';
import type { Config } from '../../config/config.ts';
import { demoInvite } from '../../config/demo.ts';
import { findingLine, InvalidConfig } from '../../config/finding.ts';
import { proxyUrl, storageName, webUrl } from '../../config/kinds.ts';
import { localUrl } from '../../lib/address.ts';
import { buildOf } from '../../lib/build.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { reasonOf } from '../../lib/text.ts';
import { campusTimestamp, systemClock } from '../../lib/time.ts';
import { CommandRefused, command, UsageError } from '../command.ts';
import { oddPagesIn } from '../odd-pages.ts';
import type { ReachResult, ReachTarget } from '../reach.ts';
import type { World } from '../world.ts';
import { unreadableGuards } from './guard.ts';
import { replicasOf, storedLines } from './status.ts';

type DoctorFinding = readonly [state: 'ok' | 'warning' | 'FAILED', subject: string, detail: string];

/** Seconds that the clocks may differ before time-limited answers of the campus begin to look wrong. */
const CLOCK_TOLERANCE_S = 60;

const line = (state: DoctorFinding[0], subject: string, detail: string): DoctorFinding => [state, subject, detail];

const ownerFinding = async (storage: Storage, config: Config): Promise<DoctorFinding> => {
  const { identity } = config.campus;
  const owner = await storage.campusIdentity.owner(demoInvite.code);
  if (owner === null) return ['ok', 'database', 'belongs to no campus yet; the first start decides'];
  if (isSameCampus(owner, identity)) return ['ok', 'database', `belongs to ${campusName(owner)}`];
  return ['FAILED', 'database', findingLine(foreignDatabase(storageName(config.storage), owner, identity))];
};

/** Without DEMO_HOST each process runs its own demo campus, which fails calls that another replica signed in. */
const demoFindings = async (storage: Storage, { campus, demoHost }: Config, now: number): Promise<DoctorFinding[]> => {
  const replicas = campus.kind === 'demo' && demoHost === null ? await replicasOf(storage, now) : [];
  const why = 'each replica has its own demo campus, which does not know the sessions of another: set DEMO_HOST';
  return replicas.length < 2 ? [] : [['FAILED', 'demo campus', why]];
};

const keyFindings = async (storage: Storage): Promise<DoctorFinding[]> => {
  const students = await storage.accounts.foreignSeals();
  const why = `none opens the passwords of ${students} students; is a key missing in SECRET_KEY?`;
  return students === 0 ? [] : [['FAILED', 'keys', why]];
};

/** Opens the database for reading only, so it must have the schema of this version. */
const contentFindings = async (world: World, config: Config): Promise<DoctorFinding[]> => {
  const now = world.clock.now();
  await using storage = await world.open(config, 'look');
  const guards = await unreadableGuards(storage);
  const stored = await storedLines(storage, now, config.campus.timeZone);
  return [
    ['ok', 'storage', `${storageName(config.storage)} answers, schema ${storage.schema}`],
    await ownerFinding(storage, config),
    ...(await demoFindings(storage, config, now)),
    ...(await keyFindings(storage)),
    ...guards.map((text) => line('FAILED', 'guard', text)),
    ...stored.map(([subject, text]) => line('ok', subject, text)),
  ];
};

const storageFindings = async (world: World, config: Config): Promise<DoctorFinding[]> => {
  const name = storageName(config.storage);
  try {
    const { from, to, pending, newer } = await world.schema(config);
    if (newer === null && pending.length > 0) {
      const step =
        from === null ? 'a start makes it' : `a start brings it from ${from} to ${to}: ${pending.join(', ')}`;
      return [['ok', 'storage', `${name}: ${step}`]];
    }
    return await contentFindings(world, config);
  } catch (error) {
    return [['FAILED', 'storage', reasonOf(error)]];
  }
};

interface CampusUnderCheck {
  readonly upstreams: readonly ReachTarget[];
  /** Which of its reads a recording has proven. */
  readonly proofs: readonly DoctorFinding[];
}

const noCampus: CampusUnderCheck = { upstreams: [], proofs: [] };

const proofFindings = (
  proofs: ReadonlyArray<{ product: string; proven: ReadonlyMap<string, string> }>,
): DoctorFinding[] => {
  const some = proofs.filter(({ proven }) => proven.size > 0);
  if (some.length === 0) return [line('ok', 'proven', 'no read yet, as no recording of a real campus is here')];
  return some.map(({ product, proven }) => {
    const newest = [...proven.values()].toSorted().at(-1);
    return line('ok', 'proven', `${proven.size} reads of ${product} by recordings of real campuses, until ${newest}`);
  });
};

/** Loads the drivers, which name the systems; no other command needs them. @throws InvalidConfig */
const campusOf = async (config: Config): Promise<CampusUnderCheck> => {
  const { campus, demoHost, warnings } = config;
  // A demo campus inside the process runs only while the service runs.
  if (campus.kind === 'demo' && (demoHost === null || campus.manifest !== null)) return noCampus;
  const {
    campusFaults,
    campusProofs,
    listCampusSystems: campusSystems,
  } = await import('../../composition/services.ts');
  const { openCampus } = await import('../../composition/campus.ts');
  const { manifest } = await openCampus(config, { clock: systemClock });
  const vpnInsecureTls = campus.kind === 'wired' && campus.vpnInsecureTls;
  const faults = campusFaults(manifest).map((problem) => ({ key: 'CAMPUS', problem, hint: 'correct the manifest' }));
  if (faults.length > 0) throw new InvalidConfig(faults, warnings);
  const upstreams = campusSystems(manifest).map((system) => ({
    ...system,
    proxy: campus.proxy,
    insecureTls: vpnInsecureTls && system.name === 'portal',
  }));
  return { upstreams, proofs: campus.kind === 'demo' ? [] : proofFindings(campusProofs(manifest)) };
};

/** Accepts any answer: without a session most systems redirect to the login, which proves that they are up. */
const reachFinding = ({ name, origin, status, detail, milliseconds }: ReachResult): DoctorFinding =>
  status === null
    ? ['FAILED', name, `${origin}: ${detail}`]
    : [status >= 500 ? 'warning' : 'ok', name, `${origin} answers ${status} in ${Math.round(milliseconds)} ms`];

const clockFinding = (reaches: readonly ReachResult[], now: number, timeZone: string): DoctorFinding => {
  const shown = `${campusTimestamp(now, timeZone)} (${timeZone})`;
  const differences = reaches
    .flatMap(({ serverTime }) => (serverTime === null ? [] : [Math.round((now - serverTime) / 1000)]))
    .sort((a, b) => a - b);
  // The median: a single upstream with a wrong clock proves nothing about ours.
  const difference = differences[Math.floor(differences.length / 2)];
  if (difference === undefined) return ['ok', 'clock', `${shown}; no upstream told the time to compare with`];
  const off = Math.abs(difference) > CLOCK_TOLERANCE_S;
  const way = difference < 0 ? 'behind' : 'ahead of';
  return [off ? 'warning' : 'ok', 'clock', `${shown}, ${Math.abs(difference)} s ${way} the campus`];
};

const findingsOf = async (world: World): Promise<DoctorFinding[]> => {
  let config: Config;
  let upstreams: readonly ReachTarget[];
  let proofs: readonly DoctorFinding[];
  try {
    config = world.config('look');
    ({ upstreams, proofs } = await campusOf(config));
  } catch (error) {
    const problems = error instanceof InvalidConfig ? error.problems.map(findingLine) : [reasonOf(error)];
    return problems.map((problem): DoctorFinding => ['FAILED', 'configuration', problem]);
  }
  const { proxy } = config.campus;
  const [storage, reaches] = await Promise.all([
    storageFindings(world, config),
    Promise.all(upstreams.map((upstream) => world.reach(upstream))),
  ]);
  return [
    ['ok', 'configuration', 'complete'],
    ...passwordHosts(config.campus.identity).map((host) => line('ok', 'passwords', `go to ${host}`)),
    ...config.warnings.map((warning) => line('warning', 'configuration', findingLine(warning))),
    ...proofs,
    ...storage,
    ...(proxy === null ? [] : [line('ok', 'proxy', `${proxy.url} stands before all systems of the campus`)]),
    ...(reaches.length === 0 ? [line('ok', 'campus', 'demo campus, nothing to reach')] : reaches.map(reachFinding)),
    clockFinding(reaches, world.clock.now(), config.campus.timeZone),
  ];
};

const detectProduct = async (address: string, proxy: string | undefined, world: World): Promise<void> => {
  const url = webUrl.read(address);
  if (url === null) throw new UsageError(`--detect needs ${webUrl.expects}`);
  if (proxy !== undefined && proxyUrl.read(proxy) === null) throw new UsageError(`--proxy needs ${proxyUrl.expects}`);
  // Where the settings name a proxy, this may not go past it either.
  const through = proxy === undefined ? world.config('look').campus.proxy : { url: proxy, authorization: null };
  const { lines, told } = await world.detect(new URL(url), through);
  for (const text of [...(through === null ? [] : [`through  ${through.url}`]), ...lines]) world.out(text);
  if (!told) throw new CommandRefused();
};

/** Kinds of oddities that show no change of a page: the readers leave these out by a rule. */
const usual: ReadonlySet<string> = new Set([
  'unpublished',
  'weeks-beyond',
  'null-element',
  'untitled',
  'notice',
  'payment-in-kwh',
]);

/**
 * Asks the running service of this environment: what it met is not stored, because names that a page has made up are
 * nothing to keep.
 */
const showPages = async (world: World): Promise<void> => {
  const { server, metrics } = world.config('look');
  if (!metrics.enabled) throw new CommandRefused('the service counts no pages: set METRICS=on');
  const port = metrics.port ?? server.port;
  if (port === 0) throw new CommandRefused('PORT is 0: only the service knows where it listens');
  const url = `${localUrl(server.host, port)}/metrics`;
  const { status, text } = await world.metricsAt(url).catch((error: unknown) => {
    throw new CommandRefused(`no service answers at ${url}: ${reasonOf(error)}`);
  });
  if (status !== 200) throw new CommandRefused(`${url} answers ${status}`);
  const pages = oddPagesIn(text);
  for (const { system, page, kind, count, names } of pages) {
    const state = usual.has(kind) ? 'ok' : 'warning';
    const named = names.length === 0 ? '' : `: ${names.map((name) => JSON.stringify(name)).join(', ')}`;
    world.out(`${state.padEnd(8)} ${`${system}/${page}`.padEnd(36)} ${count} × ${kind}${named}`);
  }
  if (pages.length === 0) world.out('ok       pages          as we know them, since the service has started');
};

export const doctor = command({
  name: 'doctor',
  does: `Says what a start would say (version, configuration, schema, keys, campus systems, clock), and what storage holds.
Writes nothing. With --detect it only tells which product is at an address, in at most six requests without a password,
and drafts a manifest; through the proxy of --proxy, or of the settings. With --pages it shows what the running service on
this machine has met on pages of the campus that it did not expect, by page and kind, with the names of members and labels
and never a value (METRICS=on).`,
  options: { detect: 'URL', proxy: 'URL', pages: true },
  async run({ options }, world) {
    if (options.pages) return showPages(world);
    if (options.detect !== undefined) return detectProduct(options.detect, options.proxy, world);
    if (options.proxy !== undefined)
      throw new UsageError('--proxy belongs to --detect; the settings name that of a campus');
    const { version, revision, date } = await buildOf(process.env);
    const build = line('ok', 'version', `campus-gateway ${version}, revision ${revision}, ${date}`);
    const findings = [build, ...(await findingsOf(world))];
    for (const [state, subject, detail] of findings) world.out(`${state.padEnd(8)} ${subject.padEnd(14)} ${detail}`);
    if (findings.some(([state]) => state === 'FAILED')) throw new CommandRefused();
  },
});
