import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { RoomBindingStore, RoomTreeStore } from '../../domain/electricity/ports.ts';
import type { Building } from '../../domain/electricity/types.ts';
import { lockUser } from '../accounts/users-lock.ts';
import type { Runner } from '../database/run.ts';

/** Name of the tree's only row; a later format would have another one and be read anew. */
const name = 'v1';

const named = { code: Type.String(), name: Type.String() };
const rooms = Type.Array(Type.Object(named));
const floors = Type.Array(Type.Object({ ...named, rooms }));
/** A tree is whole or it is none. */
const checkBuildings = TypeCompiler.Compile(Type.Array(Type.Object({ ...named, floors })));

const readBuildings = (text: string): Building[] | null => {
  try {
    const value: unknown = JSON.parse(text);
    return checkBuildings.Check(value) ? value : null;
  } catch {
    return null;
  }
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

export const createRoomBindingStore = (runner: Runner): RoomBindingStore => ({
  find: (userid) =>
    runner.run('find room binding', async (db) => {
      const row = await db.selectFrom('room_bindings').selectAll().where('userid', '=', userid).executeTakeFirst();
      return row === undefined
        ? null
        : { roomCode: row.room_code, roomName: row.room_name, displayText: row.display_text };
    }),
  bind(userid, binding, now) {
    const columns = {
      room_code: binding.roomCode,
      room_name: binding.roomName,
      display_text: binding.displayText,
      bound_at: now,
    };
    return runner.transact<'bound' | 'user-gone'>('bind room', async (transaction) => {
      // An account is erased either before this line or after the commit.
      if (!(await lockUser(transaction, userid))) return 'user-gone';
      await transaction
        .insertInto('room_bindings')
        .values({ userid, ...columns })
        .onConflict((conflict) => conflict.column('userid').doUpdateSet(columns))
        .execute();
      return 'bound';
    });
  },
});
