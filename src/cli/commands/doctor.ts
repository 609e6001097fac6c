import { campusName, foreignDatabase } from '../../config/campus-identity.ts';
import { findingLine } from '../../config/load.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { noArguments } from '../arguments.ts';
import type { Operator, Reach, Settings, World } from '../operator.ts';
import { reasonOf } from '../reason.ts';

type Finding = readonly [state: 'ok' | 'warning' | 'FAILED', subject: string, detail: string];

/** Seconds that the clocks may differ before time-limited answers of the campus begin to look wrong. */
const CLOCK_TOLERANCE_S = 60;

const keysFinding = (students: number): Finding[] =>
  students === 0
    ? []
    : [['FAILED', 'keys', `none opens the passwords of ${students} students; is a key missing in SECRET_KEY?`]];

const ownerFinding = async (operator: Operator, { campus, storage }: Settings): Promise<Finding> => {
  const owner = await operator.owner();
  if (owner === null) return ['ok', 'database', 'belongs to no campus yet; the first start decides'];
  if (isSameCampus(owner, campus)) return ['ok', 'database', `belongs to ${campusName(owner)}`];
  return ['FAILED', 'database', findingLine(foreignDatabase(storage, owner, campus))];
};

const storageFindings = async (world: World, settings: Settings): Promise<Finding[]> => {
  const { storage } = settings;
  let operator: Operator;
  try {
    operator = await world.open();
  } catch (error) {
    // It names the storage itself.
    return [['FAILED', 'storage', reasonOf(error)]];
  }
  try {
    const keys = keysFinding(await operator.foreignSeals());
    return [['ok', 'storage', `${storage} answers`], await ownerFinding(operator, settings), ...keys];
  } catch (error) {
    return [['FAILED', 'storage', `${storage}: ${reasonOf(error)}`]];
  } finally {
    await operator.close();
  }
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
  const read = world.settings();
  if ('problems' in read) return read.problems.map((problem): Finding => ['FAILED', 'configuration', problem]);
  const { settings } = read;
  const configuration: Finding[] = settings.warnings.map((warning) => ['warning', 'configuration', warning]);
  const [storage, reaches] = await Promise.all([
    storageFindings(world, settings),
    Promise.all(settings.upstreams.map((upstream) => world.reach(upstream))),
  ]);
  const campus: Finding[] =
    reaches.length === 0 ? [['ok', 'campus', 'demo campus, nothing to reach']] : reaches.map(reachFinding);
  const clock = clockFinding(reaches, world.now(), settings.timeZone);
  return [['ok', 'configuration', 'complete'], ...configuration, ...storage, ...campus, clock];
};

export const doctor = async (args: readonly string[], world: World): Promise<number> => {
  noArguments(args);
  const findings = await findingsOf(world);
  for (const [state, subject, detail] of findings) {
    world.out(`${state.padEnd(8)} ${subject.padEnd(14)} ${detail}`);
  }
  return findings.some(([state]) => state === 'FAILED') ? 1 : 0;
};
