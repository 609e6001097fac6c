import { storageName } from '../../config/structured.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import type { UpgradeCopy } from '../../open-storage.ts';
import { argumentsOf } from '../arguments.ts';
import type { Command } from '../world.ts';

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
    return 0;
  };
};
