import { parseArgs } from 'node:util';
import type { StorageUse, World } from './world.ts';

/** The command line itself is wrong; the text says how. Exit code 2. */
export class UsageError extends Error {}

/** The command has done nothing, or not all it was asked for; the lines say why. Exit code 1. */
export class CommandRefused extends Error {
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('; '));
    this.lines = lines;
  }
}

/** Maps the name of an option to true for a switch, or to the name that the help gives its value. */
type CommandOptions = Readonly<Record<string, true | string>>;

interface CommandInput<O extends CommandOptions> {
  /** Is empty where the command takes no argument, or it was left out. */
  readonly argument: string;
  readonly options: { readonly [Name in keyof O]?: O[Name] extends true ? boolean : string };
}

interface DeclaredCommand<O extends CommandOptions> {
  readonly name: string;
  /** Names the one argument beside the options, in brackets where it may be left out. */
  readonly argument?: string;
  readonly options?: O;
  readonly does: string;
  /** Checks what it was given before it opens anything, so that a wrong command line touches nothing. */
  run(given: CommandInput<O>, world: World): Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly does: string;
  run(args: readonly string[], world: World): Promise<void>;
}

const parseArguments = <O extends CommandOptions>(
  args: readonly string[],
  argument: string,
  options: O,
): CommandInput<O> => {
  const types = Object.entries(options).map(([name, value]) => [
    name,
    { type: value === true ? ('boolean' as const) : ('string' as const) },
  ]);
  let given: ReturnType<typeof parseArgs>;
  try {
    given = parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: true });
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
  const [first = '', ...more] = given.positionals;
  const surplus = argument === '' ? given.positionals[0] : more[0];
  if (surplus !== undefined) throw new UsageError(`unexpected argument '${surplus}'`);
  if (first === '' && argument !== '' && !argument.startsWith('[')) throw new UsageError(`${argument} is missing`);
  // The types above are made from the same table, which the compiler cannot follow.
  return { argument: first, options: given.values as CommandInput<O>['options'] };
};

export const command = <const O extends CommandOptions>({
  name,
  argument = '',
  does,
  run,
  ...row
}: DeclaredCommand<O>): Command => {
  const options: CommandOptions = row.options ?? {};
  const usages = Object.entries(options).map(([key, value]) => `[--${key}${value === true ? '' : ` ${value}`}]`);
  return {
    name,
    does,
    usage: [name, ...usages, argument].join(' ').trimEnd(),
    run: (args, world) => run(parseArguments(args, argument, options) as CommandInput<O>, world),
  };
};

/** The configured database with its configuration, until the end of the block that holds it. */
export const openConfigured = async (world: World, access: StorageUse) => {
  const config = world.config(access);
  const storage = await world.open(config, access);
  return { config, storage, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
};
