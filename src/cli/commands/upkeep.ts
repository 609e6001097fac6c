import { storageName } from '../../config/structured.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import type { UpgradeCopy } from '../../open-storage.ts';
import { argumentsOf, noArguments, onlyArgument } from '../arguments.ts';
import { Refused } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';

/** With what an operator must know who deletes accounts meanwhile. */
export const upgradeCopyLine = ({ path, bytes, madeAt, endsAt }: UpgradeCopy, timeZone: string): string => {
  const [made = '', ends = ''] = [madeAt, endsAt].map((at) => campusTimestamp(at, timeZone));
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${path}: ${size} of ${made}, before an upgrade; holds accounts erased since, and is deleted after ${ends}`;
};

/** Opens the database itself: no other command may change its schema. */
export const migrate: Command = (args) => {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = argumentsOf(args, { 'dry-run': flag, 'no-copy': flag }, 0);
  const [dryRun, keepCopy] = [values['dry-run'], !values['no-copy']];
  return async (world) => {
    const config = world.config(dryRun ? 'look' : 'create');
    const storage = storageName(config.storage);
    const { from, to, pending, copies } = await world.migrate(config, { dryRun, keepCopy });
    const steps = `from ${from ?? 'nothing'} to ${to}: ${pending.join(', ')}`;
    if (pending.length === 0) world.out(`${storage} has the schema ${to} already; nothing to do`);
    else world.out(`${storage} ${dryRun ? 'would go' : 'went'} ${steps}`);
    for (const copy of copies) world.err(upgradeCopyLine(copy, config.campus.timeZone));
  };
};

export const rotateKeys: Command = (args) => {
  noArguments(args);
  return onDatabase('current', async ({ world, operator }) => {
    const { resealed, unreadable, unsettled } = await operator.rotateKeys();
    world.out(`${resealed} sealed anew with the first key`);
    if (unsettled > 0) world.err(`${unsettled} changed meanwhile; run the command again before an old key is removed`);
    if (unreadable > 0) {
      world.err(`${unreadable} opened by no key; their students have to log in anew. Is a key missing in SECRET_KEY?`);
    }
    if (unsettled > 0 || unreadable > 0) throw new Refused();
    world.out('the other keys are not needed any more');
  });
};

/** What is said of a row of the login guard that cannot be understood, wherever one is found. */
export const unreadableGuard = (row: string): string =>
  `the login guard cannot understand its row ${row}; \`campus guard reset ${row}\` lets it begin again`;

export const resetGuard: Command = (args) => {
  const row = onlyArgument(args, 'ROW');
  return onDatabase('current', async ({ world, operator }) => {
    if (!(await operator.resetGuard(row)))
      throw new Refused(`the login guard has no row ${row}; \`campus doctor\` names those that it cannot understand`);
    world.out(`${row}: what the login guard remembered there is forgotten`);
  });
};
