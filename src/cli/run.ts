import { findingLine, InvalidConfig } from '../config/finding.ts';
import { version } from '../lib/build.ts';
import { reasonOf } from '../lib/text.ts';
import { type Command, CommandRefused, UsageError } from './command.ts';
import { backup, move, restore, rotateKeys } from './commands/database.ts';
import { doctor } from './commands/doctor.ts';
import { resetGuard, tag, unlock } from './commands/guard.ts';
import { init } from './commands/init.ts';
import { createInvite, listInvites, revokeInvite } from './commands/invites.ts';
import { record } from './commands/record.ts';
import { status } from './commands/status.ts';
import { deleteUser, feeds, listUsers, revokeUser, showUser } from './commands/users.ts';
import type { World } from './world.ts';

export const commands: readonly Command[] = [
  doctor,
  status,
  createInvite,
  listInvites,
  revokeInvite,
  listUsers,
  showUser,
  revokeUser,
  deleteUser,
  feeds,
  unlock,
  resetGuard,
  tag,
  backup,
  restore,
  move,
  rotateKeys,
  init,
  record,
];

export const help = `campus: operator commands of the campus gateway

${commands.map(({ usage, does }) => `  campus ${usage}\n${does.replaceAll(/^/gm, '      ')}`).join('\n\n')}

The configuration is read from the environment and from a file .env here, as the service reads it. With --json each line
is one object, times as epoch milliseconds.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** The help of the commands whose names begin so; null: there are none. */
const helpOn = (words: readonly string[]): string | null => {
  const found = words.length === 0 ? [] : commands.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `));
  if (found.length === 0) return null;
  return found.map(({ usage, does }) => `  campus ${usage}\n${does.replaceAll(/^/gm, '      ')}`).join('\n\n');
};

const find = (argv: readonly string[]): { command: Command; args: readonly string[] } => {
  for (const command of commands) {
    const { length } = command.name.split(' ');
    if (argv.slice(0, length).join(' ') === command.name) return { command, args: argv.slice(length) };
  }
  if (argv.length === 0) throw new UsageError('a command is missing');
  const group = commands.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => name.split(' ')[1]);
  if (argv.length === 1 && group.length > 0)
    throw new UsageError(`'${argv[0]}' needs a second word: ${group.join(', ')} (\`campus help ${argv[0]}\`)`);
  throw new UsageError(`unknown command '${argv.slice(0, 2).join(' ')}'`);
};

const complaintsOf = (error: unknown): readonly string[] => {
  if (error instanceof CommandRefused) return error.lines;
  if (error instanceof UsageError) return [`campus: ${error.message}`, '`campus help` lists all commands'];
  return error instanceof InvalidConfig ? error.problems.map(findingLine) : [`campus: ${reasonOf(error)}`];
};

/** Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export const runCampus = async (argv: readonly string[], world: World): Promise<number> => {
  try {
    const words = argv.filter((word) => !word.startsWith('-'));
    if (argv[0] === '--version') world.out(version);
    else if (argv[0] === 'help' || argv.includes('--help') || argv.includes('-h'))
      world.out(helpOn(words[0] === 'help' ? words.slice(1) : words.slice(0, 2)) ?? help);
    else {
      const { command, args } = find(argv);
      await command.run(args, world);
    }
    return 0;
  } catch (error) {
    for (const line of complaintsOf(error)) world.err(line);
    return error instanceof UsageError ? 2 : 1;
  }
};
