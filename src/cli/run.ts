import { adopt } from './commands/adopt.ts';
import { backup, move, restore } from './commands/copies.ts';
import { doctor } from './commands/doctor.ts';
import { feeds } from './commands/feeds.ts';
import { createInvite, listInvites, revokeInvite } from './commands/invite.ts';
import { rotateKeys } from './commands/rotate-keys.ts';
import { deleteUser, listUsers, revokeUser, tag, unlock } from './commands/user.ts';
import type { Command, CommandContext, World } from './operator.ts';
import { reasonOf } from './reason.ts';
import { help, UsageError } from './usage.ts';

const commands: ReadonlyMap<string, Command> = new Map([
  ['invite create', createInvite],
  ['invite list', listInvites],
  ['invite revoke', revokeInvite],
  ['user list', listUsers],
  ['user revoke', revokeUser],
  ['user delete', deleteUser],
  ['feeds', feeds],
  ['unlock', unlock],
  ['tag', tag],
  ['adopt', adopt],
  ['backup', backup],
  ['restore', restore],
  ['move', move],
  ['rotate-keys', rotateKeys],
]);

const groups: ReadonlySet<string> = new Set(['invite', 'user']);

const find = (argv: readonly string[]): { command: Command; args: readonly string[] } => {
  const [first, second] = argv;
  if (first === undefined) throw new UsageError('a command is missing');
  const words = groups.has(first) ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  const command = commands.get(name);
  if (command) return { command, args: argv.slice(words) };
  throw new UsageError(
    words === 2 && second === undefined ? `'${first}' needs a command of its own` : `unknown command '${name}'`,
  );
};

const withOperator = async (work: (context: CommandContext) => Promise<number>, world: World): Promise<number> => {
  const read = world.settings();
  if ('problems' in read) {
    for (const problem of read.problems) world.err(problem);
    return 1;
  }
  const operator = await world.open();
  try {
    return await work({
      operator,
      settings: read.settings,
      now: () => world.now(),
      newCode: () => world.newCode(),
      out: (line) => world.out(line),
      err: (line) => world.err(line),
    });
  } finally {
    await operator.close();
  }
};

/** Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export const runCampus = async (argv: readonly string[], world: World): Promise<number> => {
  try {
    if (argv.some((word) => word === '--help' || word === '-h') || argv[0] === 'help') {
      world.out(help);
      return 0;
    }
    if (argv[0] === 'doctor') return await doctor(argv.slice(1), world);
    const { command, args } = find(argv);
    return await withOperator(command(args), world);
  } catch (error) {
    if (error instanceof UsageError) {
      // Behind the help, where it is seen.
      world.err(help);
      world.err('');
      world.err(`campus: ${error.message}`);
      return 2;
    }
    world.err(`campus: ${reasonOf(error)}`);
    return 1;
  }
};
