import { beforeAll, expect, it, vi } from 'vitest';
import { REPLICA_LIFE_MS } from '../../src/domain/replicas.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, registered, someHash } from './databases.ts';

onBothDatabases('replicas', (database) => {
  let storage: Storage;
  let other: Storage;
  beforeAll(async () => {
    storage = await database.open();
    other = await database.open();
  });
  const live = () => other.replicas.live(Date.now(), REPLICA_LIFE_MS);
  const announce = (id: string, name: string) => storage.replicas.announce({ id, name }, Date.now(), REPLICA_LIFE_MS);
  /** As if the process had last been heard of so long ago, or its clock had been so far ahead. */
  const shift = async (id: string, ms: number) => {
    const db = await database.raw();
    await db
      .updateTable('replicas')
      .set((to) => ({ expires_at: to('expires_at', '+', ms) }))
      .where('id', '=', id)
      .execute();
  };

  it('are listed from their announcement until they withdraw or end, and never where a clock that was ahead announced them', async () => {
    const [a, b, c] = [someHash(), someHash(), someHash()];
    await announce(a, 'a');
    await announce(b, 'b');
    await announce(c, 'c');
    await announce(a, 'a');
    expect(await live()).toEqual(['a', 'b', 'c']);
    await storage.replicas.withdraw(a);
    await shift(b, -REPLICA_LIFE_MS);
    await shift(c, 2 * day);
    expect(await live()).toEqual([]);
  });

  it('beside a running service no database is filled or moved; a backup is made', async () => {
    const [source, target] = [await database.openFresh(), await database.openFresh()];
    await registered(source);
    const id = someHash();
    await source.replicas.announce({ id, name: 'here:1' }, Date.now(), REPLICA_LIFE_MS);
    const refused = { refusal: 'in use', by: ['here:1'] };
    expect(await source.copyTo(target.url, { atRest: true })).toEqual(refused);

    // The copy does not list the services of the database.
    const copied = await source.copyTo(target.url);
    expect('refusal' in copied).toBe(false);
    const again = await target.again();
    expect(await again.replicas.live(Date.now(), REPLICA_LIFE_MS)).toEqual([]);

    const empty = await database.openFresh();
    await empty.replicas.announce({ id, name: 'there:2' }, Date.now(), REPLICA_LIFE_MS);
    expect(await source.copyTo(empty.url)).toEqual({ refusal: 'in use', by: ['there:2'] });
    await empty.replicas.withdraw(id);
    await source.replicas.withdraw(id);
    expect('refusal' in (await source.copyTo(empty.url, { atRest: true }))).toBe(false);
  });

  it('a service that starts while rows are copied ends the copy, of which nothing stays', async () => {
    const [source, target] = [await database.openFresh(), await database.openFresh()];
    for (let at = 0; at < 25; at += 1) await registered(source);
    const id = someHash();
    let announced: Promise<void> | null = null;
    const { signal } = new AbortController();
    vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => {
      announced ??= source.replicas.announce({ id, name: 'late:1' }, Date.now(), REPLICA_LIFE_MS);
    });
    // The last look comes after the announcement, however slow the database is with either.
    const live = source.replicas.live.bind(source.replicas);
    vi.spyOn(source.replicas, 'live').mockImplementation(async (...asked) => {
      await announced;
      return live(...asked);
    });
    const outcome = await source.copyTo(target.url, { atRest: true, signal });
    expect(announced).not.toBeNull();
    expect(outcome).toEqual({ refusal: 'in use', by: ['late:1'] });
    expect(await target.invites.listCodes()).toEqual([]);
  });

  it('ended by a signal, a copy leaves nothing', async () => {
    const [source, target] = [await database.openFresh(), await database.openFresh()];
    await registered(source);
    const reason = new Error('ended by SIGTERM');
    await expect(source.copyTo(target.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await target.invites.listCodes()).toEqual([]);
  });
});
