import { sql } from 'kysely';
import type { ExportStore, NotIncluded } from '../../domain/accounts/export.ts';
import type { Column } from '../columns.ts';
import type { Runner } from '../database/run.ts';
import { schema } from '../schema.ts';
import { openOrNull, type SealedPlace, type Sealer } from '../seal.ts';

type Row = Readonly<Record<string, unknown>>;

const tables = Object.entries(schema)
  .map(([name, { columns }]) => ({ name, columns: Object.entries<Column>(columns) }))
  .filter(({ columns }) => columns.some(([, { shown }]) => shown !== undefined));

/** They hold JSON, which is handed out as what it is. */
const jsonColumns: ReadonlySet<string> = new Set(['snapshot', 'params', 'sealed_value', 'sealed_body']);

const notIncluded: readonly NotIncluded[] = tables.flatMap(({ name, columns }) =>
  columns.flatMap(([column, { shown }]) =>
    typeof shown === 'object' ? [{ what: `${name}.${column}`, why: shown.why }] : [],
  ),
);

/** Everything that is stored of a student, by what the schema calls it. */
export const createExportStore = (runner: Runner, sealer: Sealer): ExportStore => {
  const shownOf = (row: Row, column: string, { place, told }: Column): unknown => {
    const stored = row[column];
    const value = place
      ? openOrNull(sealer, stored === null ? null : String(stored), (place as (row: Row) => SealedPlace)(row))
      : stored;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (told !== undefined && value !== null) return told(value);
    return jsonColumns.has(column) && typeof value === 'string' ? JSON.parse(value) : value;
  };
  const rowsOf = (name: string, userid: string): Promise<Row[]> =>
    runner.run(`export ${name}`, async (db) => {
      const rows = await sql<Row>`select * from ${sql.table(name)} where userid = ${userid}`.execute(db);
      return rows.rows;
    });
  /** Of megabytes each: one at a time. */
  async function* bytesOf(userid: string): AsyncIterable<Row> {
    for (const { id } of await rowsOf('images', userid)) {
      const select = sql<Row>`select * from image_bytes where image = ${id}`;
      yield* (await runner.run('export image', (db) => select.execute(db))).rows;
    }
  }

  return {
    notIncluded,
    async *read(userid) {
      for (const { name, columns } of tables) {
        const rows = name === 'image_bytes' ? bytesOf(userid) : await rowsOf(name, userid);
        const shown = columns.flatMap(([column, of]) =>
          typeof of.shown === 'string' ? [{ column, of, called: of.shown }] : [],
        );
        for await (const row of rows) {
          yield [name, Object.fromEntries(shown.map(({ column, of, called }) => [called, shownOf(row, column, of)]))];
        }
      }
    },
  };
};
