import { campusName, foreignDatabase } from '../../config/campus.ts';
import type { Config } from '../../config/config.ts';
import { findingLine, InvalidConfig } from '../../config/finding.ts';
import { storageName } from '../../config/kinds.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { systemClock } from '../../lib/clock.ts';
import { NoDatabase } from '../../open-storage.ts';
import type { Operator } from '../operator.ts';
import { ownUrl, type Reach, type Upstream } from '../reach.ts';
import { argumentsOf, noArguments, Refused, reasonOf, timeText } from '../usage.ts';
import { type Command, onDatabase, type World } from '../world.ts';
import { unreadableGuard, upgradeCopyLine } from './database.ts';

type Finding = readonly [state: 'ok' | 'warning' | 'FAILED', subject: string, detail: string];

/** Seconds that the clocks may differ before time-limited answers of the campus begin to look wrong. */
const CLOCK_TOLERANCE_S = 60;

const ownerFinding = async (
  operator: Operator,
  { campus: { identity: campus }, storage }: Config,
): Promise<Finding> => {
  const owner = await operator.owner();
  if (owner === null) return ['ok', 'database', 'belongs to no campus yet; the first start decides'];
  if (isSameCampus(owner, campus)) return ['ok', 'database', `belongs to ${campusName(owner)}`];
  return ['FAILED', 'database', findingLine(foreignDatabase(storageName(storage), owner, campus))];
};

/** Each process has a demo campus of its own, unless one is named. */
const demoFindings = async (operator: Operator, { campus, demoHost }: Config): Promise<Finding[]> => {
  const replicas = campus.kind === 'demo' && demoHost === null ? await operator.replicas() : [];
  if (replicas.length < 2) return [];
  const why = 'each replica has a demo campus of its own, which does not know the sessions of another: set DEMO_HOST';
  return [['FAILED', 'demo campus', why]];
};

const storageFindings = async (world: World, config: Config): Promise<Finding[]> => {
  const storage = storageName(config.storage);
  let operator: Operator;
  try {
    operator = await world.open(config, 'look');
  } catch (error) {
    // It names the storage itself.
    return [[error instanceof NoDatabase ? 'ok' : 'FAILED', 'storage', reasonOf(error)]];
  }
  try {
    const students = await operator.foreignSeals();
    const foreign = `none opens the passwords of ${students} students; is a key missing in SECRET_KEY?`;
    const keys: Finding[] = students === 0 ? [] : [['FAILED', 'keys', foreign]];
    const guards = (await operator.unreadableGuards()).map((row): Finding => ['FAILED', 'guard', unreadableGuard(row)]);
    const copies = operator.upgradeCopies().map((copy) => upgradeCopyLine(copy, config.campus.timeZone));
    return [
      ['ok', 'storage', `${storage} answers`],
      ...copies.map((line): Finding => ['ok', 'copy', line]),
      await ownerFinding(operator, config),
      ...(await demoFindings(operator, config)),
      ...keys,
      ...guards,
    ];
  } catch (error) {
    return [['FAILED', 'storage', `${storage}: ${reasonOf(error)}`]];
  } finally {
    await operator.close();
  }
};

/** Drivers know the systems; other commands do without loading them. @throws InvalidConfig */
const upstreamsOf = async (config: Config): Promise<Upstream[]> => {
  const { campus, demoHost, warnings } = config;
  // A demo campus inside the process runs with the service alone.
  if (campus.kind === 'demo' && (demoHost === null || campus.manifest !== null)) return [];
  const { campusFaults, campusSystems } = await import('../../services.ts');
  const { openCampus } = await import('../../open-campus.ts');
  const { manifest } = await openCampus(config, { clock: systemClock });
  const vpnInsecureTls = campus.kind === 'wired' && campus.vpnInsecureTls;
  const faults = campusFaults(manifest).map((problem) => ({ key: 'CAMPUS', problem, hint: 'correct the manifest' }));
  if (faults.length > 0) throw new InvalidConfig(faults, warnings);
  return campusSystems(manifest).map((system) => ({
    ...system,
    insecureTls: vpnInsecureTls && system.name === 'portal',
  }));
};

/** Any answer will do: without a session most of the campus sends people away, and that is an answer. */
const reachFinding = ({ name, origin, status, detail, milliseconds }: Reach): Finding =>
  status === null
    ? ['FAILED', name, `${origin}: ${detail}`]
    : [status >= 500 ? 'warning' : 'ok', name, `${origin} answers ${status} in ${Math.round(milliseconds)} ms`];

const clockFinding = (reaches: readonly Reach[], now: number, timeZone: string): Finding => {
  const shown = `${campusTimestamp(now, timeZone)} (${timeZone})`;
  const differences = reaches
    .flatMap(({ serverTime }) => (serverTime === null ? [] : [Math.round((now - serverTime) / 1000)]))
    .sort((a, b) => a - b);
  // The middle one: a single upstream with a wrong clock proves nothing about ours.
  const difference = differences[Math.floor(differences.length / 2)];
  if (difference === undefined) return ['ok', 'clock', `${shown}; no upstream told the time to compare with`];
  const off = Math.abs(difference) > CLOCK_TOLERANCE_S;
  const way = difference < 0 ? 'behind' : 'ahead of';
  return [off ? 'warning' : 'ok', 'clock', `${shown}, ${Math.abs(difference)} s ${way} the campus`];
};

const findingsOf = async (world: World): Promise<Finding[]> => {
  let config: Config;
  let upstreams: Upstream[];
  try {
    config = world.config('look');
    upstreams = await upstreamsOf(config);
  } catch (error) {
    const problems = error instanceof InvalidConfig ? error.problems.map(findingLine) : [reasonOf(error)];
    return problems.map((problem): Finding => ['FAILED', 'configuration', problem]);
  }
  const configuration = config.warnings.map((warning): Finding => ['warning', 'configuration', findingLine(warning)]);
  const [storage, reaches] = await Promise.all([
    storageFindings(world, config),
    Promise.all(upstreams.map((upstream) => world.reach(upstream))),
  ]);
  const campus: Finding[] =
    reaches.length === 0 ? [['ok', 'campus', 'demo campus, nothing to reach']] : reaches.map(reachFinding);
  const clock = clockFinding(reaches, world.now(), config.campus.timeZone);
  return [['ok', 'configuration', 'complete'], ...configuration, ...storage, ...campus, clock];
};

export const doctor: Command = (args) => {
  noArguments(args);
  return async (world) => {
    const findings = await findingsOf(world);
    for (const [state, subject, detail] of findings) {
      world.out(`${state.padEnd(8)} ${subject.padEnd(14)} ${detail}`);
    }
    if (findings.some(([state]) => state === 'FAILED')) throw new Refused();
  };
};

/** Longer than readiness gives storage. */
const PATIENCE_MS = 3_500;

/** What runs on the configured database and what is in it. Fails where no replica answers or is announced. */
export const status: Command = (args) => {
  const { json = false } = argumentsOf(args, { json: { type: 'boolean' } }, 0).values;
  return onDatabase('look', async ({ world, config, operator }) => {
    const { timeZone } = config.campus;
    const { host, port } = config.server;
    const asked =
      port === 0 ? null : await world.reach({ name: 'service', url: ownUrl(host, port, '/ready') }, PATIENCE_MS);
    const here = asked?.status === 200 ? 'ready' : asked?.status === 503 ? 'not ready' : 'no answer';
    const [replicas, counts, lastBackup] = [
      await operator.replicas(),
      await operator.counts(),
      await operator.lastBackup(),
    ];
    const upgradeCopies = operator.upgradeCopies();
    const isUp = here === 'ready' || replicas.length > 0;
    if (json) {
      const storage = storageName(config.storage);
      const said = { service: here, replicas, storage, schema: operator.schema, lastBackup, ...counts, upgradeCopies };
      world.out(JSON.stringify(said));
      if (!isUp) throw new Refused();
      return;
    }
    const { students, tokens, evaluations, copies, feeds } = counts;
    const lines: ReadonlyArray<readonly [string, string]> = [
      ['service', asked === null ? 'PORT is 0: only it knows where it listens' : `${here} at ${asked.origin}`],
      ['replicas', replicas.length === 0 ? 'none' : replicas.join(', ')],
      ['storage', `${storageName(config.storage)}, schema ${operator.schema}`],
      ['last backup', timeText(lastBackup, timeZone)],
      ['students', `${students}, with ${tokens} valid tokens`],
      ['evaluations', `${evaluations} under way`],
      ['copies', `${copies} of reads, ${feeds} calendar feeds`],
      ...upgradeCopies.map((copy) => ['upgrade', upgradeCopyLine(copy, timeZone)] as const),
    ];
    for (const [subject, text] of lines) world.out(`${subject.padEnd(12)} ${text}`);
    if (!isUp) throw new Refused();
  });
};
