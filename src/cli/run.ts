import { findingLine, InvalidConfig } from '../config/finding.ts';
import { reasonOf } from '../lib/text.ts';
import { type Command, Refused, UsageError } from './command.ts';
import { backup, move, restore, rotateKeys } from './commands/database.ts';
import { doctor } from './commands/doctor.ts';
import { resetGuard, tag, unlock } from './commands/guard.ts';
import { init } from './commands/init.ts';
import { createInvite, listInvites, revokeInvite } from './commands/invites.ts';
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
];

export const help = `campus: operator commands of the campus gateway

${commands.map(({ usage, does }) => `  campus ${usage}\n${does.replaceAll(/^/gm, '      ')}`).join('\n\n')}

The configuration is read from the environment and from a file .env here, as the service reads it. With --json each line
is one object, times as epoch milliseconds.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

const find = (argv: readonly string[]): { command: Command; args: readonly string[] } => {
  for (const command of commands) {
    const { length } = command.name.split(' ');
    if (argv.slice(0, length).join(' ') === command.name) return { command, args: argv.slice(length) };
  }
  throw new UsageError(argv.length === 0 ? 'a command is missing' : `unknown command '${argv.slice(0, 2).join(' ')}'`);
};

const complaintsOf = (error: unknown): readonly string[] => {
  if (error instanceof Refused) return error.lines;
  if (error instanceof UsageError) return [`campus: ${error.message}`, '`campus help` lists all commands'];
  return error instanceof InvalidConfig ? error.problems.map(findingLine) : [`campus: ${reasonOf(error)}`];
};

/** Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export const runCampus = async (argv: readonly string[], world: World): Promise<number> => {
  try {
    if (argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')) world.out(help);
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
