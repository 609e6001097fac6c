import { isIP } from 'node:net';
import type { Storage } from '../../composition/storage.ts';
import type { Config } from '../../config/config.ts';
import { createCallers, isUserid } from '../../domain/accounts/guard/callers.ts';
import { Guard, unlocks } from '../../domain/accounts/guard/guard.ts';
import { isUnreadable } from '../../domain/accounts/guard/stored-rows.ts';
import { KeyedNames } from '../../lib/hash.ts';
import { CommandRefused, command, openConfigured, UsageError } from '../command.ts';
import type { World } from '../world.ts';

/** Applies the same rules to the same rows as the service. */
export const guardOf = ({ guards }: Storage, config: Config, { clock, err }: World): Guard => {
  const log = { error: (_fields: object, message: string) => err(`error: ${message}`) };
  return new Guard({ guards, clock, log, perDay: config.accounts.campusRefusalsPerDay });
};

export const unlock = command({
  name: 'unlock',
  argument: 'USERID',
  does: `Lets a student in whose logins are refused because someone guesses at them: empties the budgets and waits of the
id, which need not be registered. Networks of the student, refused passwords and the mark of a second step stay.`,
  async run({ argument: userid }, world) {
    if (!isUserid(userid)) throw new UsageError(`'${userid}' is no student id: 1 to 20 letters and digits`);
    await using database = await openConfigured(world, 'current');
    const { storage, config } = database;
    await guardOf(storage, config, world).decide(userid, unlocks);
    if ((await storage.accounts.findUser(userid)) === null) world.err(`${userid} is not registered`);
    world.out(`${userid}: budgets and waits emptied`);
  },
});

/** A line for each row that is. */
export const unreadableGuards = async ({ guards }: Storage): Promise<string[]> =>
  (await guards.unreadable(isUnreadable)).map(
    (row) => `the login guard cannot understand its row ${row}; \`campus guard reset ${row}\` lets it begin again`,
  );

export const resetGuard = command({
  name: 'guard reset',
  argument: 'ROW',
  does: `Forgets one row of the login guard, by the name under which 'campus doctor' reports it. Its budgets are whole again.`,
  run: async ({ argument: row }, world) => {
    await using database = await openConfigured(world, 'current');
    const { storage } = database;
    if (!(await storage.guards.forget(row)))
      throw new CommandRefused(
        `the login guard has no row ${row}; \`campus doctor\` names those that it cannot understand`,
      );
    world.out(`${row}: what the login guard remembered there is forgotten`);
  },
});

export const tag = command({
  name: 'tag',
  argument: 'USERID-OR-ADDRESS',
  does: 'Prints the name under which a student or a network stands in log lines.',
  // The key of the service lies beside its database: without one there is nothing to compute a tag with.
  run: async ({ argument: text }, world) => {
    await using database = await openConfigured(world, 'look');
    const { config } = database;
    const callers = createCallers(new KeyedNames(config.secretKeys), config.server);
    world.out(isIP(text) === 0 ? `student=${callers.studentTag(text)}` : `network=${callers.networkTag(text)}`);
  },
});
