import type { Selectable } from 'kysely';
import { copyPlace } from './copies.ts';
import { feedPlace } from './feeds.ts';
import { openPair, sealPair } from './pair-columns.ts';
import type { Runner } from './run.ts';
import type {
  CalendarFeedsTable,
  CopiesTable,
  CredentialsTable,
  TokensTable,
  UpstreamSessionsTable,
} from './schema.ts';
import { SealBroken, type Sealer } from './seal.ts';
import { sessionPlace } from './sessions.ts';
import { networkPlace } from './tokens.ts';

export interface RotationReport {
  /** Rows that were sealed by another key and are now sealed by the first. */
  readonly resealed: number;
  /** Rows that none of the keys opens; they are left as they are. */
  readonly unreadable: number;
  /** Rows that somebody else rewrote each time they were tried and that may need another run. */
  readonly unsettled: number;
}

/** A table with sealed columns, read in pages of rows that the first key did not seal. */
interface SealedTable<Row> {
  page(after: Row | null, limit: number): Promise<Row[]>;
  /** Rewrites the row if it is still as it was read; returns how many rows that were. */
  reseal(row: Row): Promise<bigint>;
}

const rounds = 5;
/** Of a megabyte each, at most. */
const largeRows = 32;

const credentialsTable = (runner: Runner, sealer: Sealer): SealedTable<Selectable<CredentialsTable>> => {
  const current = `${sealer.currentPrefix}%`;
  return {
    page: (after, limit) =>
      runner.run('read sealed credentials', (db) =>
        db
          .selectFrom('credentials')
          .selectAll()
          .where('userid', '>', after?.userid ?? '')
          .where((to) =>
            to.or([to('sealed_password', 'not like', current), to('sealed_vpn_password', 'not like', current)]),
          )
          .orderBy('userid')
          .limit(limit)
          .execute(),
      ),
    reseal: async (row) => {
      const columns = sealPair(sealer, row.userid, openPair(sealer, row.userid, row));
      return runner.run('reseal credentials', async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('credentials')
          .set(columns)
          .where('userid', '=', row.userid)
          .where('sealed_password', '=', row.sealed_password)
          .where('sealed_vpn_password', '=', row.sealed_vpn_password)
          .executeTakeFirst();
        return numUpdatedRows;
      });
    },
  };
};

const sessionsTable = (runner: Runner, sealer: Sealer): SealedTable<Selectable<UpstreamSessionsTable>> => ({
  page: (after, limit) =>
    runner.run('read sealed sessions', (db) =>
      db
        .selectFrom('upstream_sessions')
        .selectAll()
        .where((to) =>
          to.or([
            to('userid', '>', after?.userid ?? ''),
            to.and([to('userid', '=', after?.userid ?? ''), to('system', '>', after?.system ?? '')]),
          ]),
        )
        .where('sealed_state', 'not like', `${sealer.currentPrefix}%`)
        .orderBy('userid')
        .orderBy('system')
        .limit(limit)
        .execute(),
    ),
  reseal: async (row) => {
    const place = sessionPlace(row.userid, row.system);
    const sealed = sealer.seal(sealer.open(row.sealed_state, place), place);
    return runner.run('reseal session', async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('upstream_sessions')
        .set({ sealed_state: sealed })
        .where('userid', '=', row.userid)
        .where('system', '=', row.system)
        .where('sealed_state', '=', row.sealed_state)
        .executeTakeFirst();
      return numUpdatedRows;
    });
  },
});

const tokensTable = (runner: Runner, sealer: Sealer): SealedTable<Selectable<TokensTable>> => ({
  page: (after, limit) =>
    runner.run('read sealed networks', (db) =>
      db
        .selectFrom('tokens')
        .selectAll()
        .where('hash', '>', after?.hash ?? '')
        .where('sealed_network', 'is not', null)
        .where('sealed_network', 'not like', `${sealer.currentPrefix}%`)
        .orderBy('hash')
        .limit(limit)
        .execute(),
    ),
  reseal: async (row) => {
    const place = networkPlace(row.userid);
    const old = row.sealed_network ?? '';
    const sealed = sealer.seal(sealer.open(old, place), place);
    return runner.run('reseal network', async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('tokens')
        .set({ sealed_network: sealed })
        .where('hash', '=', row.hash)
        .where('sealed_network', '=', old)
        .executeTakeFirst();
      return numUpdatedRows;
    });
  },
});

const copiesTable = (runner: Runner, sealer: Sealer): SealedTable<Selectable<CopiesTable>> => ({
  page: (after, limit) =>
    runner.run('read sealed copies', (db) =>
      db
        .selectFrom('copies')
        .selectAll()
        .where((to) => {
          const { userid, read, params } = after ?? { userid: '', read: '', params: '' };
          return to.or([
            to('userid', '>', userid),
            to.and([to('userid', '=', userid), to('read', '>', read)]),
            to.and([to('userid', '=', userid), to('read', '=', read), to('params', '>', params)]),
          ]);
        })
        .where('sealed_value', 'not like', `${sealer.currentPrefix}%`)
        .orderBy('userid')
        .orderBy('read')
        .orderBy('params')
        .limit(limit)
        .execute(),
    ),
  reseal: async (row) => {
    const place = copyPlace(row);
    const sealed = sealer.seal(sealer.open(row.sealed_value, place), place);
    return runner.run('reseal copy', async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('copies')
        .set({ sealed_value: sealed })
        .where('userid', '=', row.userid)
        .where('read', '=', row.read)
        .where('params', '=', row.params)
        .where('sealed_value', '=', row.sealed_value)
        .executeTakeFirst();
      return numUpdatedRows;
    });
  },
});

const feedsTable = (runner: Runner, sealer: Sealer): SealedTable<Selectable<CalendarFeedsTable>> => {
  const current = `${sealer.currentPrefix}%`;
  return {
    page: (after, limit) =>
      runner.run('read sealed feeds', (db) =>
        db
          .selectFrom('calendar_feeds')
          .selectAll()
          .where('id', '>', after?.id ?? '')
          .where((to) => to.or([to('sealed_calendar', 'not like', current), to('sealed_sources', 'not like', current)]))
          .orderBy('id')
          .limit(limit)
          .execute(),
      ),
    reseal: async (row) => {
      const anew = (sealed: string | null, column: 'calendar' | 'sources'): string | null => {
        const place = feedPlace(row, column);
        return sealed === null ? null : sealer.seal(sealer.open(sealed, place), place);
      };
      const columns = {
        sealed_calendar: anew(row.sealed_calendar, 'calendar'),
        sealed_sources: anew(row.sealed_sources, 'sources'),
      };
      return runner.run('reseal feed', async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('calendar_feeds')
          .set(columns)
          .where('id', '=', row.id)
          .where('sealed_calendar', '=', row.sealed_calendar)
          .where('sealed_sources', '=', row.sealed_sources)
          .executeTakeFirst();
        return numUpdatedRows;
      });
    },
  };
};

const resealOne = async <Row>(table: SealedTable<Row>, row: Row): Promise<keyof RotationReport> => {
  try {
    return (await table.reseal(row)) > 0n ? 'resealed' : 'unsettled';
  } catch (error) {
    if (error instanceof SealBroken) return 'unreadable';
    throw error;
  }
};

const walk = async <Row>(table: SealedTable<Row>, batchSize: number): Promise<RotationReport> => {
  const counts = { resealed: 0, unreadable: 0, unsettled: 0 };
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await table.page(last, batchSize);
    for (const row of rows) {
      counts[await resealOne(table, row)] += 1;
      last = row;
    }
    if (rows.length < batchSize) return counts;
  }
};

/** Rows that a login or a session save rewrote meanwhile are looked at again: a replica may still use the old key. */
const rotateTable = async <Row>(table: SealedTable<Row>, batchSize: number): Promise<RotationReport> => {
  let report = await walk(table, batchSize);
  for (let round = 1; round < rounds && report.unsettled > 0; round += 1) {
    const next = await walk(table, batchSize);
    report = { ...next, resealed: report.resealed + next.resealed };
  }
  return report;
};

/**
 * Seals everything anew that the first key did not seal, row by row while the service goes on. A row is replaced only
 * if nobody has replaced it since it was read, so no newer secret is lost. May be run any number of times.
 */
export const rotateSeals = async (runner: Runner, sealer: Sealer, batchSize: number): Promise<RotationReport> => {
  const credentials = await rotateTable(credentialsTable(runner, sealer), batchSize);
  const sessions = await rotateTable(sessionsTable(runner, sealer), batchSize);
  const tokens = await rotateTable(tokensTable(runner, sealer), batchSize);
  const copies = await rotateTable(copiesTable(runner, sealer), Math.min(batchSize, largeRows));
  const feeds = await rotateTable(feedsTable(runner, sealer), Math.min(batchSize, largeRows));
  const reports = [credentials, sessions, tokens, copies, feeds];
  const total = (count: keyof RotationReport): number => reports.reduce((sum, report) => sum + report[count], 0);
  return { resealed: total('resealed'), unreadable: total('unreadable'), unsettled: total('unsettled') };
};
