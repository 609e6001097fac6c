import { sql } from 'kysely';
import type { ExportStore, NotIncluded } from '../../domain/accounts/export.ts';
import type { Column } from '../columns.ts';
import type { StoredRow } from '../database/rows.ts';
import { schema } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';
import { Store } from '../store.ts';

/** Rows in memory at once, for an export of any size. */
const rowsOfPage = 200;

/** The order of the index over a student's rows, where that is not the primary key. */
const orders: Readonly<Record<string, readonly string[]>> = { tokens: ['sequence'], image_uploads: ['uploaded_at'] };

const tables = Object.entries(schema)
  .map(([name, { key, columns }]) => ({
    name,
    columns: Object.entries<Column>(columns),
    order: orders[name] ?? key,
  }))
  .filter(({ columns }) => columns.some(([, { shown }]) => shown !== undefined));

type ExportedTable = (typeof tables)[number];

/** Columns of JSON, which is exported as JSON. */
const jsonColumns: ReadonlySet<string> = new Set(['snapshot', 'params', 'sealed_value', 'sealed_body']);

const notIncluded: readonly NotIncluded[] = tables.flatMap(({ name, columns }) =>
  columns.flatMap(([column, { shown }]) =>
    typeof shown === 'object' ? [{ what: `${name}.${column}`, why: shown.why }] : [],
  ),
);

/** Reads everything that is stored of a student, under the names that the schema has for people. */
export class SqlExportStore extends Store implements ExportStore {
  readonly notIncluded = notIncluded;
  async *read(userid: string): AsyncGenerator<readonly [table: string, row: StoredRow]> {
    for (const { name, columns, order } of tables) {
      const rows = name === 'image_bytes' ? this.#bytesOf(userid) : this.#rowsOf({ name, order }, userid);
      const shown = columns.flatMap(([column, of]) =>
        typeof of.shown === 'string' ? [{ column, of, called: of.shown }] : [],
      );
      for await (const row of rows) {
        const members = shown.map(({ column, of, called }) => [called, this.#show(row, column, of)]);
        yield [name, Object.fromEntries(members)];
      }
    }
  }

  #show(row: StoredRow, column: string, { place, told }: Column): unknown {
    const stored = row[column];
    const value = place
      ? openOrNull(
          this.deps.sealer,
          stored === null ? null : String(stored),
          (place as (row: StoredRow) => SealedPlace)(row),
        )
      : stored;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (told !== undefined && value !== null) return told(value);
    return jsonColumns.has(column) && typeof value === 'string' ? JSON.parse(value) : value;
  }

  async *#rowsOf({ name, order }: Pick<ExportedTable, 'name' | 'order'>, userid: string): AsyncGenerator<StoredRow> {
    const own = { table: name, where: sql`userid = ${userid}`, order, limit: rowsOfPage };
    for await (const rows of this.runner.pages<StoredRow>(`export ${name}`, own)) yield* rows;
  }

  /** One image at a time: they have megabytes each. */
  async *#bytesOf(userid: string): AsyncGenerator<StoredRow> {
    for await (const { id } of this.#rowsOf({ name: 'images', order: ['id'] }, userid)) {
      const select = sql<StoredRow>`select * from image_bytes where image = ${id}`;
      yield* (await this.runner.run('export image', (db) => select.execute(db))).rows;
    }
  }
}
