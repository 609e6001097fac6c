import type { RoomTreeStore } from '../domain/electricity/ports.ts';
import type { Building, CodeName } from '../domain/electricity/types.ts';
import { isRecord } from '../lib/records.ts';
import type { Runner } from './run.ts';

/** Name of the tree's only row; a later format would have another one and be read anew. */
const name = 'v1';

/** Null when one element is not what it should be: a tree is whole or it is none. */
const listOf = <T>(value: unknown, read: (element: Record<string, unknown>) => T | null): T[] | null => {
  if (!Array.isArray(value)) return null;
  const elements = value.map((element: unknown) => (isRecord(element) ? read(element) : null));
  return elements.some((element) => element === null) ? null : elements.filter((element) => element !== null);
};

const codeName = ({ code, name: text }: Record<string, unknown>): CodeName | null =>
  typeof code === 'string' && typeof text === 'string' ? { code, name: text } : null;

const readBuildings = (text: string): Building[] | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return listOf(value, (building) => {
    const floors = listOf(building.floors, (floor) => {
      const rooms = listOf(floor.rooms, codeName);
      const named = codeName(floor);
      return rooms === null || named === null ? null : { ...named, rooms };
    });
    const named = codeName(building);
    return floors === null || named === null ? null : { ...named, floors };
  });
};

export const createRoomTreeStore = (runner: Runner): RoomTreeStore => ({
  revision: () =>
    runner.run('read room tree revision', async (db) => {
      const row = await db.selectFrom('room_trees').select('revision').where('name', '=', name).executeTakeFirst();
      return row?.revision ?? null;
    }),
  load: () =>
    runner.run('load room tree', async (db) => {
      const row = await db.selectFrom('room_trees').selectAll().where('name', '=', name).executeTakeFirst();
      if (row === undefined) return null;
      const buildings = readBuildings(row.buildings);
      return buildings === null ? null : { revision: row.revision, tree: { readAt: row.read_at, buildings } };
    }),
  replace({ readAt, buildings }) {
    const columns = { read_at: readAt, buildings: JSON.stringify(buildings) };
    return runner.run('replace room tree', async (db) => {
      const { revision } = await db
        .insertInto('room_trees')
        // Begins at the time, so that a tree that was deleted and read again does not meet its old numbers.
        .values({ name, revision: readAt, ...columns })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((to) => ({ ...columns, revision: to('room_trees.revision', '+', 1) })),
        )
        .returning('revision')
        .executeTakeFirstOrThrow();
      return revision;
    });
  },
  refreshedAt: () =>
    runner.run('read room refresh', async (db) => {
      const row = await db.selectFrom('room_refreshes').select('ended_at').where('name', '=', name).executeTakeFirst();
      return row?.ended_at ?? null;
    }),
  async refreshed(at) {
    await runner.run('write room refresh', (db) =>
      db
        .insertInto('room_refreshes')
        .values({ name, ended_at: at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ ended_at: at }))
        .execute(),
    );
  },
});
