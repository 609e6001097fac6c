import { onlyArgument } from '../arguments.ts';
import { type Command, onDatabase } from '../world.ts';

/** What is said of a row of the login guard that cannot be understood, wherever one is found. */
export const unreadableGuard = (row: string): string =>
  `the login guard cannot understand its row ${row}; \`campus guard reset ${row}\` lets it begin again`;

export const resetGuard: Command = (args) => {
  const row = onlyArgument(args, 'ROW');
  return onDatabase('current', async ({ world, operator }) => {
    if (await operator.resetGuard(row)) {
      world.out(`${row}: what the login guard remembered there is forgotten`);
      return 0;
    }
    world.err(`the login guard has no row ${row}; \`campus doctor\` names those that it cannot understand`);
    return 1;
  });
};
