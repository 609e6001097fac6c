import { findingLine, InvalidConfig } from '../config/finding.ts';
import { buildOf } from '../lib/build.ts';
import { backup, migrate, move, resetGuard, restore, rotateKeys } from './commands/database.ts';
import { doctor, status } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { createInvite, listInvites, revokeInvite } from './commands/invite.ts';
import { deleteUser, feeds, listUsers, revokeUser, showUser, tag, unlock } from './commands/user.ts';
import { help, noArguments, Refused, reasonOf, UsageError } from './usage.ts';
import type { Command, World } from './world.ts';

const version: Command = (args) => {
  noArguments(args);
  return async ({ out }) => {
    const { version: number, revision, date } = await buildOf(process.env);
    out(`campus-gateway ${number}, revision ${revision}, ${date}`);
  };
};

export const commands: ReadonlyMap<string, Command> = new Map([
  ['invite create', createInvite],
  ['invite list', listInvites],
  ['invite revoke', revokeInvite],
  ['user list', listUsers],
  ['user show', showUser],
  ['user revoke', revokeUser],
  ['user delete', deleteUser],
  ['feeds', feeds],
  ['unlock', unlock],
  ['guard reset', resetGuard],
  ['tag', tag],
  ['backup', backup],
  ['restore', restore],
  ['move', move],
  ['migrate', migrate],
  ['rotate-keys', rotateKeys],
  ['init', init],
  ['version', version],
  ['doctor', doctor],
  ['status', status],
]);

const groups: ReadonlySet<string> = new Set(['invite', 'user', 'guard']);

const find = (argv: readonly string[]): { command: Command; args: readonly string[] } => {
  const [first, second] = argv;
  if (first === undefined) throw new UsageError('a command is missing');
  const words = groups.has(first) ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  const command = commands.get(name);
  if (command) return { command, args: argv.slice(words) };
  throw new UsageError(
    words === 2 && second === undefined ? `'${first}' needs a subcommand` : `unknown command '${name}'`,
  );
};

/** What an operator is told of a failure: its reason first. */
const complaintsOf = (error: unknown): readonly string[] => {
  if (error instanceof Refused) return error.lines;
  if (error instanceof UsageError) return [`campus: ${error.message}`, '`campus help` lists all commands'];
  return error instanceof InvalidConfig ? error.problems.map(findingLine) : [`campus: ${reasonOf(error)}`];
};

/** Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export const runCampus = async (argv: readonly string[], world: World): Promise<number> => {
  try {
    if (argv.some((word) => word === '--help' || word === '-h') || argv[0] === 'help') world.out(help);
    else {
      const { command, args } = find(argv);
      await command(args)(world);
    }
    return 0;
  } catch (error) {
    for (const line of complaintsOf(error)) world.err(line);
    return error instanceof UsageError ? 2 : 1;
  }
};
