import type { RoomBindingStore } from '../domain/electricity/ports.ts';
import type { RoomBinding } from '../domain/electricity/types.ts';
import type { Runner } from './run.ts';
import { lockUser } from './users-lock.ts';

export class SqlRoomBindingStore implements RoomBindingStore {
  readonly #runner: Runner;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  find(userid: string): Promise<RoomBinding | null> {
    return this.#runner.run('find room binding', async (db) => {
      const row = await db.selectFrom('room_bindings').selectAll().where('userid', '=', userid).executeTakeFirst();
      return row === undefined
        ? null
        : { roomCode: row.room_code, roomName: row.room_name, displayText: row.display_text };
    });
  }

  bind(userid: string, binding: RoomBinding, now: number): Promise<'bound' | 'user-gone'> {
    const columns = {
      room_code: binding.roomCode,
      room_name: binding.roomName,
      display_text: binding.displayText,
      bound_at: now,
    };
    return this.#runner.transact<'bound' | 'user-gone'>('bind room', async (transaction) => {
      // An account is erased either before this line or after the commit.
      if (!(await lockUser(transaction, userid))) return 'user-gone';
      await transaction
        .insertInto('room_bindings')
        .values({ userid, ...columns })
        .onConflict((conflict) => conflict.column('userid').doUpdateSet(columns))
        .execute();
      return 'bound';
    });
  }
}
