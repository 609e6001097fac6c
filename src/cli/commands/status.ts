import { storageName } from '../../config/structured.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { argumentsOf } from '../arguments.ts';
import { ownUrl } from '../reach.ts';
import { Refused } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';
import { upgradeCopyLine } from './upkeep.ts';

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
      ['last backup', lastBackup === null ? 'never' : campusTimestamp(lastBackup, timeZone)],
      ['students', `${students}, with ${tokens} valid tokens`],
      ['evaluations', `${evaluations} under way`],
      ['copies', `${copies} of reads, ${feeds} calendar feeds`],
      ...upgradeCopies.map((copy) => ['upgrade', upgradeCopyLine(copy, timeZone)] as const),
    ];
    for (const [subject, text] of lines) world.out(`${subject.padEnd(12)} ${text}`);
    if (!isUp) throw new Refused();
  });
};
