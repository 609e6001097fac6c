import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { offsetAt } from '../lib/campus-time.ts';
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

/** The single argument of a command, beside its options. @throws UsageError */
export const oneArgument = <O extends ParseArgsOptionsConfig>(args: readonly string[], name: string, options: O) => {
  const { positionals, values } = argumentsOf(args, options, 1);
  const [argument = ''] = positionals;
  if (argument === '') throw new UsageError(`${name} is missing`);
  return { argument, values };
};

export const onlyArgument = (args: readonly string[], name: string): string => oneArgument(args, name, {}).argument;

/** @throws UsageError when there is any argument */
export const noArguments = (args: readonly string[]): void => {
  argumentsOf(args, {}, 0);
};

const DAY_MS = 86_400_000;

/** The instant at which a wall clock in the zone shows what UTC shows at `asUtc`. */
const instantOf = (asUtc: number, timeZone: string): number => {
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
};

/**
 * Reads `YYYY-MM-DD` (the last moment of that day in the zone, so that it is shown as that day) or a date and time with offset, as epoch milliseconds.
 * @throws UsageError for anything else, and for what is not in the future
 */
export const readExpiry = (text: string, timeZone: string, now: number): number => {
  const day = /^(\d{4}-\d{2}-\d{2})$/.exec(text)?.[1];
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  const midnight = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  // Date.parse turns 31 June into 1 July: a date that does not come back as it went in does not exist.
  const exists = day !== undefined && !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  const expiresAt = exists ? instantOf(midnight + DAY_MS, timeZone) - 1 : moment;
  if (Number.isNaN(expiresAt))
    throw new UsageError(`'${text}' is no date; give YYYY-MM-DD or a date and time with offset`);
  if (expiresAt <= now) throw new UsageError(`'${text}' is not in the future`);
  return expiresAt;
};
