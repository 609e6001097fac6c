import type { RoomBindingStore } from '../domain/electricity/ports.ts';
import type { Runner } from './run.ts';
import { lockUser } from './users-lock.ts';

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
