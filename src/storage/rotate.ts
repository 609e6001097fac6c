import { type RawBuilder, sql } from 'kysely';
import { copyPlace } from './copies.ts';
import { feedPlace } from './feeds.ts';
import { pairPlaces } from './pair-columns.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';
import { SealBroken, type SealedPlace, type Sealer } from './seal.ts';
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

/** A table with sealed columns. */
interface SealedTable<Name extends keyof Tables> {
  readonly name: Name;
  /** Its primary key, of texts. */
  readonly key: ReadonlyArray<keyof Tables[Name] & string>;
  readonly sealed: ReadonlyArray<
    readonly [column: keyof Tables[Name] & string, place: (row: Tables[Name]) => SealedPlace]
  >;
  /** Its rows are large. */
  readonly large?: boolean;
}

const sealedTable = <Name extends keyof Tables>(table: SealedTable<Name>) => ({
  rotate: (runner: Runner, sealer: Sealer, batchSize: number): Promise<RotationReport> =>
    rotateTable(table, runner, sealer, table.large ? Math.min(batchSize, largeRows) : batchSize),
});

const sealedTables = [
  sealedTable({
    name: 'credentials',
    key: ['userid'],
    sealed: [
      ['sealed_password', ({ userid }) => pairPlaces(userid).password],
      ['sealed_vpn_password', ({ userid }) => pairPlaces(userid).vpnPassword],
    ],
  }),
  sealedTable({
    name: 'upstream_sessions',
    key: ['userid', 'system'],
    sealed: [['sealed_state', ({ userid, system }) => sessionPlace(userid, system)]],
  }),
  sealedTable({ name: 'tokens', key: ['hash'], sealed: [['sealed_network', ({ userid }) => networkPlace(userid)]] }),
  sealedTable({
    name: 'copies',
    key: ['userid', 'read', 'params'],
    sealed: [['sealed_value', copyPlace]],
    large: true,
  }),
  sealedTable({
    name: 'calendar_feeds',
    key: ['id'],
    sealed: [
      ['sealed_calendar', (row) => feedPlace(row, 'calendar')],
      ['sealed_sources', (row) => feedPlace(row, 'sources')],
    ],
    large: true,
  }),
];

const rounds = 5;
/** Of a megabyte each, at most. */
const largeRows = 32;

const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);
const equals = (column: string, value: unknown) => sql`${sql.ref(column)} = ${value}`;

/** The next rows, after those with keys up to `after`, that the first key did not seal. */
const pageOf = async <Name extends keyof Tables>(
  { name, key, sealed }: SealedTable<Name>,
  runner: Runner,
  { currentPrefix }: Sealer,
  after: readonly unknown[],
  limit: number,
): Promise<Array<Tables[Name]>> => {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const stale = sealed.map(([column]) => sql`${sql.ref(column)} not like ${`${currentPrefix}%`}`);
  const page = sql<Tables[Name]>`select * from ${sql.table(name)} where (${columns}) > (${sql.join(after)})
    and (${sql.join(stale, sql` or `)}) order by ${columns} limit ${limit}`;
  return (await runner.run(`read sealed ${name}`, (db) => page.execute(db))).rows;
};

/** Rewrites the row if it is still as it was read. */
const reseal = async <Name extends keyof Tables>(
  { name, key, sealed }: SealedTable<Name>,
  runner: Runner,
  sealer: Sealer,
  row: Tables[Name],
): Promise<keyof RotationReport> => {
  try {
    const anew = sealed.flatMap(([column, place]) => {
      const old = row[column];
      return typeof old === 'string'
        ? [{ column, old, text: sealer.seal(sealer.open(old, place(row)), place(row)) }]
        : [];
    });
    const asRead = [
      ...key.map((column) => equals(column, row[column])),
      ...anew.map((one) => equals(one.column, one.old)),
    ];
    const update = sql`update ${sql.table(name)} set ${sql.join(anew.map(({ column, text }) => equals(column, text)))}
      where ${and(asRead)}`;
    const { numAffectedRows = 0n } = await runner.run(`reseal ${name}`, (db) => update.execute(db));
    return numAffectedRows > 0n ? 'resealed' : 'unsettled';
  } catch (error) {
    if (error instanceof SealBroken) return 'unreadable';
    throw error;
  }
};

const walk = async <Name extends keyof Tables>(
  table: SealedTable<Name>,
  runner: Runner,
  sealer: Sealer,
  batchSize: number,
): Promise<RotationReport> => {
  const counts = { resealed: 0, unreadable: 0, unsettled: 0 };
  let last: unknown[] = table.key.map(() => '');
  for (;;) {
    const rows = await pageOf(table, runner, sealer, last, batchSize);
    for (const row of rows) {
      counts[await reseal(table, runner, sealer, row)] += 1;
      last = table.key.map((column) => row[column]);
    }
    if (rows.length < batchSize) return counts;
  }
};

/** Rows that a login or a session save rewrote meanwhile are looked at again: a replica may still use the old key. */
const rotateTable = async <Name extends keyof Tables>(
  ...of: [table: SealedTable<Name>, runner: Runner, sealer: Sealer, batchSize: number]
): Promise<RotationReport> => {
  let report = await walk(...of);
  for (let round = 1; round < rounds && report.unsettled > 0; round += 1) {
    const next = await walk(...of);
    report = { ...next, resealed: report.resealed + next.resealed };
  }
  return report;
};

/**
 * Seals everything anew that the first key did not seal, row by row while the service goes on. A row is replaced only
 * if nobody has replaced it since it was read, so no newer secret is lost. May be run any number of times.
 */
export const rotateSeals = async (runner: Runner, sealer: Sealer, batchSize: number): Promise<RotationReport> => {
  const reports: RotationReport[] = [];
  for (const table of sealedTables) reports.push(await table.rotate(runner, sealer, batchSize));
  const total = (count: keyof RotationReport): number => reports.reduce((sum, report) => sum + report[count], 0);
  return { resealed: total('resealed'), unreadable: total('unreadable'), unsettled: total('unsettled') };
};
