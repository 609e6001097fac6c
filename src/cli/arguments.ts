import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage.ts';

/** Parses options and takes at most `most` positional arguments. @throws UsageError */
export const argumentsOf = <O extends ParseArgsOptionsConfig>(args: readonly string[], options: O, most: number) => {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const surplus = parsed.positionals[most];
    if (surplus !== undefined) throw new UsageError(`unexpected argument '${surplus}'`);
    return parsed;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
};

/** The single argument of a command. @throws UsageError */
export const onlyArgument = (args: readonly string[], name: string): string => {
  const [value] = argumentsOf(args, {}, 1).positionals;
  if (value === undefined || value === '') throw new UsageError(`${name} is missing`);
  return value;
};

/** @throws UsageError when there is any argument */
export const noArguments = (args: readonly string[]): void => {
  argumentsOf(args, {}, 0);
};
