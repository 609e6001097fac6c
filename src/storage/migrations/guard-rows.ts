import { type Kysely, sql } from 'kysely';
import type { KeyedNames } from '../../lib/hash.ts';
import { isRecord } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';

/** This migration needs code, because the names of its rows are keyed. */
export const guardRowsMigration = '0030-guard-rows';

const HOME_MS = 180 * DAY_MS;
const PAGE = 500;

const recordList = (value: unknown): Array<Record<string, unknown>> =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const momentOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const kinds: Readonly<Record<string, string>> = { holder: 'token', known: 'home', unlock: 'token' };

/** Takes home networks, the mark, and asks and refused secrets of the last day from a row of the release before. */
const partsOf = (memory: Record<string, unknown>, now: number) => {
  const { person } = memory;
  return {
    asks: recordList(memory.asks)
      .filter(({ at }) => momentOf(at) > now - DAY_MS)
      .map(({ id, at, by, state, endedAt, setAside }) => ({
        id: textOf(id),
        at: momentOf(at),
        kind: kinds[textOf(by)] ?? 'stranger',
        by: '',
        state: state === 'marker' ? 'refused' : textOf(state),
        endedAt: momentOf(endedAt),
        stored: setAside === true,
      })),
    refused: recordList(memory.refusedSecrets)
      .filter(({ at }) => momentOf(at) > now - DAY_MS)
      .map(({ at, step, print }) => ({ at: momentOf(at), step: textOf(step), print: textOf(print) })),
    networks: recordList(memory.networks)
      .filter(({ login, at }) => login === true && momentOf(at) > now - HOME_MS)
      .slice(-4)
      .map(({ at, network }) => ({ at: momentOf(at), network: textOf(network) })),
    mark: isRecord(person)
      ? { at: momentOf(person.at), wanted: textOf(person.wanted), step: textOf(person.step) || 'portal' }
      : null,
    acceptedAt: momentOf(memory.provenAt),
  };
};

type GuardMemory = ReturnType<typeof partsOf>;

const merge = (a: GuardMemory, b: GuardMemory): GuardMemory => ({
  asks: [...a.asks, ...b.asks],
  refused: [...a.refused, ...b.refused].slice(-12),
  networks: [...a.networks, ...b.networks].slice(-4),
  mark: a.mark ?? b.mark,
  acceptedAt: Math.max(a.acceptedAt, b.acceptedAt),
});

const rowOf = (name: string, parts: GuardMemory, now: number) => ({
  name,
  memory: JSON.stringify({
    guesses: [],
    rights: [],
    troubles: [],
    challenges: [],
    codes: [],
    restsSince: 0,
    spentUntil: 0,
    ...parts,
  }),
  expires_at: now + (parts.networks.length > 0 || parts.mark !== null ? HOME_MS : DAY_MS),
});

const parseMemory = (memory: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(memory);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** Takes over the rows of the old table, which is left empty for the release that still writes it. */
export const takeOverGuard = async <T>(db: Kysely<T>, names: KeyedNames | undefined, now: number): Promise<void> => {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ name: string; memory: string }>`
      select name, memory from guard_memory where name > ${after} order by name limit ${PAGE}`.execute(db);
    for (const { name, memory } of rows) {
      const [sort = '', of = ''] = name.split(':', 2);
      if (sort !== 'student' && sort !== 'asked') continue;
      if (names === undefined) throw new Error('the rows of the login guard are named with the keys of the service');
      const to = sort === 'asked' ? of : names.one('asked', of.toLowerCase());
      const parts = partsOf(parseMemory(memory), now);
      const there = (await sql<{ memory: string }>`select memory from guard_rows where name = ${to}`.execute(db))
        .rows[0];
      const row = rowOf(to, there === undefined ? parts : merge(parts, partsOfNew(there.memory, parts)), now);
      await sql`delete from guard_rows where name = ${to}`.execute(db);
      await sql`insert into guard_rows (name, memory, expires_at) values (${to}, ${row.memory}, ${row.expires_at})`.execute(
        db,
      );
    }
    after = rows.at(-1)?.name ?? '';
    if (rows.length < PAGE) break;
  }
  await sql`delete from guard_memory`.execute(db);
};

/** Parses a row that this migration has written for the same student. */
const partsOfNew = (memory: string, empty: GuardMemory): GuardMemory => ({ ...empty, ...JSON.parse(memory) });
