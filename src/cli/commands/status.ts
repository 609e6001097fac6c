import type { Storage, UpgradeCopy } from '../../composition/storage.ts';
import { storageName } from '../../config/kinds.ts';
import { REPLICA_LIFE_MS } from '../../domain/replicas.ts';
import { localUrl } from '../../lib/address.ts';
import { campusTimestamp } from '../../lib/time.ts';
import { CommandRefused, command, openConfigured } from '../command.ts';
import { timeText } from '../print.ts';
import { READY_PATIENCE_MS } from '../reach.ts';

/** An operator who erases accounts learns that they are still in the copy. */
export const upgradeCopyLine = ({ path, bytes, madeAt, endsAt }: UpgradeCopy, timeZone: string): string => {
  const [made = '', ends = ''] = [madeAt, endsAt].map((at) => campusTimestamp(at, timeZone));
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${path}: ${size} of ${made}, before an upgrade; holds accounts erased since, and is deleted after ${ends}`;
};

export const replicasOf = (storage: Storage, now: number): Promise<readonly string[]> =>
  storage.replicas.live(now, REPLICA_LIFE_MS);

export const storedLines = async (storage: Storage, now: number, timeZone: string): Promise<[string, string][]> => {
  const { students, tokens, evaluations, copies, feeds } = await storage.counts(now);
  return [
    ['last backup', timeText(await storage.lastBackup(), timeZone)],
    ['students', `${students}, with ${tokens} valid tokens`],
    ['evaluations', `${evaluations} under way`],
    ['copies', `${copies} of reads, ${feeds} calendar feeds`],
    ...storage.upgradeCopies().map((copy): [string, string] => ['upgrade', upgradeCopyLine(copy, timeZone)]),
  ];
};

export const status = command({
  name: 'status',
  options: { json: true },
  does: `Says whether the service answers, which replicas run, the schema, the last backup, and how much is stored. Exit code
1 where nothing runs.`,
  run: async ({ options }, world) => {
    await using database = await openConfigured(world, 'look');
    const { storage, config } = database;
    const now = world.clock.now();
    const { host, port } = config.server;
    const asked =
      port === 0
        ? null
        : await world.reach({ name: 'service', url: `${localUrl(host, port)}/ready` }, READY_PATIENCE_MS);
    const service = asked?.status === 200 ? 'ready' : asked?.status === 503 ? 'not ready' : 'no answer';
    const replicas = await replicasOf(storage, now);
    const { schema } = storage;
    if (options.json) {
      const stored = { ...(await storage.counts(now)), upgradeCopies: storage.upgradeCopies() };
      const lastBackup = await storage.lastBackup();
      world.out(
        JSON.stringify({ service, replicas, storage: storageName(config.storage), schema, lastBackup, ...stored }),
      );
    } else {
      const lines = [
        ['service', asked === null ? 'PORT is 0: only it knows where it listens' : `${service} at ${asked.origin}`],
        ['replicas', replicas.length === 0 ? 'none' : replicas.join(', ')],
        ['storage', `${storageName(config.storage)}, schema ${schema}`],
        ...(await storedLines(storage, now, config.campus.timeZone)),
      ];
      for (const [subject = '', text] of lines) world.out(`${subject.padEnd(12)} ${text}`);
    }
    if (service !== 'ready' && replicas.length === 0) throw new CommandRefused();
  },
});
