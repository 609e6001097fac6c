import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { campusTimestamp, offsetAt } from '../lib/campus-time.ts';

/** The command line itself is wrong; the text says how. */
export class UsageError extends Error {}

/** The command has done nothing, or not all it was asked for; the lines say why. Exit code 1. */
export class Refused extends Error {
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('; '));
    this.lines = lines;
  }
}

/** Why something failed, in words: the message, and that of the cause behind it where that says more. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
};

export const help = `campus: operator commands of the campus gateway

  campus invite create [--uses N | --unlimited] [--expires DATE] [CODE]
      Creates an invite code and prints it. One use and no expiry unless told otherwise; without CODE a random
      one. DATE is YYYY-MM-DD (to the end of that day in the campus time zone) or a date and time with offset,
      e.g. 2026-09-01T12:00:00+08:00.
  campus invite list [--json]
  campus invite revoke CODE

  campus user list [--json]
      Lists print a table, with --json one object per line, times as epoch milliseconds.
  campus user show USERID [--json]
      Says when the student registered and logged in last; lists the valid tokens, those of logins and personal ones with
      their scopes and their end; and the hooks.
  campus user revoke USERID [--keep feeds,hooks,tokens]
      Ends all tokens and campus sessions of the student, and his calendar feeds, hooks and personal tokens unless told
      to keep them; forgets the networks he is known in. Earlier tokens prove nothing any more. The account stays.
  campus user delete [--yes] USERID
      Erases the account and everything stored of it. Asks first, unless told --yes.

  campus feeds USERID [--json | --revoke ID | --revoke-all]
      Lists the calendar feeds of a student, which outlive tokens, or ends one of them or all: their addresses answer
      404 at once, on all replicas.

  campus unlock USERID
      Lets a student in whose logins are refused because someone guesses at them: empties the budgets and waits of
      the id. Networks of the student, refused passwords and the mark of a second step stay. Works for ids that are
      not registered as well.
  campus guard reset ROW
      Forgets one row of the login guard, by the name under which 'campus doctor' reports it. Its budgets are whole again.
  campus tag USERID | ADDRESS
      Prints the name under which a student or a network stands in log lines.

  campus backup FILE | --done
      Writes everything of this moment to a new file (mode 0600, never over an existing one), and notes in the database
      that it did. May run beside the service. The keys are not in it. --done only notes a backup made by other means.
  campus status [--json]
      Says whether the service answers, which replicas run, the schema, the last backup, and how much is stored. Exit
      code 1 where nothing runs.
  campus restore [--any-key] FILE
      Fills the configured database, which must be empty, from a backup of the same campus; SQLite and PostgreSQL alike.
      Refuses a backup whose passwords none of the keys opens, unless told --any-key: their students log in again.
  campus move --to postgres://USER:PASSWORD@HOST/DATABASE
      Copies the configured SQLite database into an empty PostgreSQL one. End the service first. PGPASSWORD may hold the
      password.
  campus migrate [--dry-run] [--no-copy]
      Brings the database to the schema of this version, as the start of the service does: a SQLite file is copied to
      FILE.before-SCHEMA-TIME first, which is kept for 7 days. --no-copy keeps none and deletes those of earlier upgrades;
      --dry-run only says what would be done. May run beside the service.
  campus rotate-keys
      Reseals everything with the first key of SECRET_KEY. May run beside the service.
  campus init [--profile single|tls|scale] [--domain NAME] [FOLDER]
      Prepares a folder for compose.yaml: secrets, a folder for files that settings name, and .env with every setting.
      What exists is left as it is.
  campus version
      Prints version, revision and date.
  campus doctor
      Checks configuration, storage, upstreams and clock. Writes nothing.

The configuration is read from the environment and from a file .env here, as the service reads it.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

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

/** Lines of a plain table: columns padded to the widest cell, two blanks between them. */
export const tableLines = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Prints what there is: with `json` an object on each line, else a table, or `none`. */
export const printList = <T>(
  out: (line: string) => void,
  json: boolean | undefined,
  items: readonly T[],
  { none, head, cells }: { none: string; head: readonly string[]; cells: (item: T) => readonly string[] },
): void => {
  const table = (): string[] => (items.length === 0 ? [none] : tableLines(head, items.map(cells)));
  for (const line of json ? items.map((item) => JSON.stringify(item)) : table()) out(line);
};

/** A time that there may not have been. */
export const timeText = (at: number | null, timeZone: string): string =>
  at === null ? 'never' : campusTimestamp(at, timeZone);
