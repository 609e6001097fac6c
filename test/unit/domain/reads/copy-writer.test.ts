import { expect, it } from 'vitest';
import { silentLog } from '../../../../src/domain/context.ts';
import { CopyWriter } from '../../../../src/domain/reads/copies.ts';
import type { CopyStore } from '../../../../src/domain/reads/ports.ts';

type Kept = Parameters<CopyStore['keep']>;

it('copies of two students that wait at once are stored each with its own student', async () => {
  const stored: Array<readonly [userid: string, texts: readonly string[]]> = [];
  const release = Promise.withResolvers<void>();
  const store = {
    keep: async (...[userid, , copies]: Kept) => {
      stored.push([userid, copies.map(({ params }) => params)]);
      await release.promise;
    },
  };
  const writer = new CopyWriter(store, silentLog);
  const copyOf = (params: string): Kept[2][number] => ({
    read: 'terms',
    params,
    shape: 1,
    readAt: 1,
    text: params,
    writes: 0,
  });
  for (const round of ['first', 'second']) {
    for (const userid of ['ann', 'bob']) writer.keep({ userid }, 1, copyOf(`${userid} ${round}`));
  }
  release.resolve();
  await writer.idle();
  for (const [userid, texts] of stored) for (const text of texts) expect(text).toMatch(userid);
  expect(stored.flatMap(([, texts]) => texts)).toHaveLength(4);
});
