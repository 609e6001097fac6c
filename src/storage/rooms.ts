import type { RoomBinding, RoomBindingStore, RoomTreeStore, TreeText } from '../domain/electricity/reads.ts';
import { lockUser, put } from './database/rows.ts';
import { Store } from './store.ts';

/** Names the tree's only row; another format would have another name. */
const name = 'v1';

export class SqlRoomTreeStore extends Store implements RoomTreeStore {
  revision(): Promise<number | null> {
    return this.runner.first(
      'read room tree revision',
      (db) => db.selectFrom('room_trees').select('revision').where('name', '=', name),
      (row) => row.revision,
    );
  }

  load(): Promise<TreeText | null> {
    return this.runner.one('load room tree', (db) =>
      db.selectFrom('room_trees').select(['revision', 'read_at as readAt', 'buildings']).where('name', '=', name),
    );
  }

  replace({ readAt, buildings }: Omit<TreeText, 'revision'>): Promise<number> {
    const columns = { read_at: readAt, buildings };
    return this.runner.run('replace room tree', async (db) => {
      const { revision } = await db
        .insertInto('room_trees')
        // Begins at the time, so that a tree that is read again after a deletion reuses no number.
        .values({ name, revision: readAt, ...columns })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((to) => ({ ...columns, revision: to('room_trees.revision', '+', 1) })),
        )
        .returning('revision')
        .executeTakeFirstOrThrow();
      return revision;
    });
  }

  refreshedAt(): Promise<number | null> {
    return this.runner.first(
      'read room refresh',
      (db) => db.selectFrom('room_refreshes').select('ended_at').where('name', '=', name),
      (row) => row.ended_at,
    );
  }

  noteRefresh(at: number): Promise<void> {
    return this.runner.run('write room refresh', (db) => put(db, 'room_refreshes', { name, ended_at: at }));
  }
}

export class SqlRoomBindingStore extends Store implements RoomBindingStore {
  find(userid: string): Promise<RoomBinding | null> {
    return this.runner.one('find room binding', (db) =>
      db
        .selectFrom('room_bindings')
        .select(['room_code as roomCode', 'room_name as roomName', 'display_text as displayText'])
        .where('userid', '=', userid),
    );
  }

  bind(userid: string, { roomCode, roomName, displayText }: RoomBinding, now: number): Promise<'bound' | 'user-gone'> {
    return this.runner.transact<'bound' | 'user-gone'>('bind room', async (transaction) => {
      if (!(await lockUser(transaction, userid))) return 'user-gone';
      const row = { userid, room_code: roomCode, room_name: roomName, display_text: displayText, bound_at: now };
      await put(transaction, 'room_bindings', row);
      return 'bound';
    });
  }
}
