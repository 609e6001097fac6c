import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Column } from '../../src/storage/columns.ts';
import { schema } from '../../src/storage/schema.ts';
import { type SealedPlace, Sealer } from '../../src/storage/seal.ts';
import { keyA, keyB, onBothDatabases, someStudent } from './databases.ts';

type Row = Record<string, unknown>;
const tables = Object.entries(schema).map(([name, { key, columns }]) => ({
  name,
  key,
  columns: Object.entries<Column>(columns),
}));
const ofStudents = tables.filter(({ columns }) => columns.some(([, { shown }]) => shown !== undefined));
const isSealed = ([name, { place }]: readonly [string, Column]) => place !== undefined || name.startsWith('sealed_');

it('every column of a student has a name in the export, or a reason for being left out', () => {
  for (const { name, columns } of ofStudents) {
    const unnamed = columns.filter(([, { shown }]) => !(typeof shown === 'string' ? shown : shown?.why));
    expect([name, unnamed]).toEqual([name, []]);
    const names = columns.flatMap(([, { shown }]) => (typeof shown === 'string' ? [shown] : []));
    expect([name, names]).toEqual([name, [...new Set(names)]]);
  }
  const others = tables.filter((table) => !ofStudents.includes(table));
  expect(others.filter(({ columns }) => columns.some(([column]) => column === 'userid'))).toEqual([]);
});

it('every sealed column is named as one, is bound to a place of no other, and can be rotated', () => {
  const places = new Map<string, string>();
  for (const { name, key, columns } of tables) {
    const row = Object.fromEntries(columns.map(([column]) => [column, column]));
    for (const [column, { place }] of columns.filter(isSealed)) {
      expect([name, column, place && column.startsWith('sealed_'), key.length > 0]).toEqual([name, column, true, true]);
      places.set(JSON.stringify(place?.(row as never)), column);
    }
  }
  expect(places.size).toBe(tables.flatMap(({ columns }) => columns.filter(isSealed)).length);
});

onBothDatabases('the schema', (database) => {
  const opened = async () => {
    const db = await database.raw();
    const run = async (query: RawBuilder<Row>): Promise<Row[]> => (await query.execute(db)).rows;
    return { db, run };
  };

  it('names every table and column that the migrations make, each table behind those that its rows refer to', async () => {
    const { db, run } = await opened();
    const kinds = { text: /text/i, number: /int|double|float/i, bytes: /bytea/i };
    const made = (await db.introspection.getTables()).filter(({ name }) => name !== 'schema_info');
    const listed = made.map(({ name, columns }) => [
      name,
      columns.map(({ name: column, dataType, isNullable }) => [
        column,
        Object.entries(kinds).find(([, pattern]) => pattern.test(dataType))?.[0],
        isNullable,
      ]),
    ]);
    const declared = tables.map(({ name, columns }) => [
      name,
      columns.map(([column, { kind, nullable }]) => [column, kind, nullable]),
    ]);
    const sorted = (all: unknown[][]) => all.map(([name, of]) => [name, (of as unknown[][]).toSorted()]).toSorted();
    expect(sorted(declared)).toEqual(sorted(listed));
    if (database.kind !== 'sqlite') return;
    const edges = await run(sql`select m.name as child, f."table" as parent
      from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`);
    const at = (name: unknown) => tables.findIndex((table) => table.name === name);
    expect(edges.length).toBeGreaterThan(10);
    expect(edges.filter(({ child, parent }) => at(parent) >= at(child))).toEqual([]);
  });

  it('every sealed column is rotated, and an erased account leaves a row in no table', async () => {
    const storage = await database.open([keyA]);
    const { run } = await opened();
    const userid = someStudent();
    const old = new Sealer([keyA]);
    const rows = new Map<string, Row>();
    for (const { name, columns } of ofStudents) {
      const row: Row = Object.fromEntries(
        columns.map(([column, { kind }]) => {
          const text =
            column === 'userid'
              ? userid
              : ['image', 'hook'].includes(column)
                ? `id of ${userid}`
                : `${column} of ${userid}`;
          return [column, kind === 'number' ? 1 : kind === 'bytes' ? Buffer.from(text) : text];
        }),
      );
      rows.set(name, { ...row });
      for (const [column, { place }] of columns) {
        if (place) row[column] = old.seal(String(row[column]), (place as (row: Row) => SealedPlace)(row));
      }
      const names = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      await run(sql`insert into ${sql.table(name)} (${names}) values (${sql.join(Object.values(row))})`);
    }
    const found = async (name: string): Promise<Row[]> => {
      const where = name === 'image_bytes' ? sql`image = ${`id of ${userid}`}` : sql`userid = ${userid}`;
      return run(sql`select * from ${sql.table(name)} where ${where}`);
    };

    const rotating = await database.open([keyB, keyA]);
    const sealedTables = ofStudents.filter(({ columns }) => columns.some(isSealed));
    expect(await rotating.rotate()).toMatchObject({ resealed: sealedTables.length, unreadable: 0 });

    const young = new Sealer([keyB]);
    for (const { name, columns } of ofStudents) {
      const [row = {}] = await found(name);
      for (const [column, { place }] of columns) {
        if (!place) continue;
        const text = young.open(String(row[column]), (place as (row: Row) => SealedPlace)(row));
        expect(text).toBe(rows.get(name)?.[column]);
      }
    }
    await storage.accounts.deleteUser(userid);
    for (const { name } of ofStudents) expect([name, await found(name)]).toEqual([name, []]);
  });
});
