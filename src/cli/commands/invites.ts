import { randomInt } from 'node:crypto';
import { MOST_INVITE_USES } from '../../config/kinds.ts';
import type { InviteCode } from '../../domain/accounts/ports.ts';
import { campusTimestamp, DAY_MS, offsetAt } from '../../lib/time.ts';
import { CommandRefused, command, openConfigured, UsageError } from '../command.ts';
import { tableLines, timeText } from '../print.ts';

/** Leaves out the letters and digits that people confuse: I, L, O, U, 0 and 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');

export const newCode = (): string => Array.from({ length: 4 }, group).join('-');

/** Allows nothing that a comma list or a shell would take apart, and only what fits into every client. */
const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

const usesOf = (text: string, isUnlimited: boolean): number | null => {
  if (isUnlimited) return null;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MOST_INVITE_USES)
    throw new UsageError(`--uses takes a whole number from 1 to ${MOST_INVITE_USES}`);
  return Number(text);
};

const usesText = (maxUses: number | null): string => {
  if (maxUses === null) return 'no limit of uses';
  return maxUses === 1 ? '1 use' : `${maxUses} uses`;
};

/** The instant at which a wall clock in the zone shows what UTC shows at `asUtc`. */
const instantOf = (asUtc: number, timeZone: string): number => {
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
};

/**
 * Epoch milliseconds of `YYYY-MM-DD` (its last moment in the zone) or of a date and time with offset.
 * @throws UsageError for anything else, and for what is not in the future
 */
const readExpiry = (text: string, timeZone: string, now: number): number => {
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse turns 31 June into 1 July: a date that does not come back as it went in does not exist.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
  const moment = isMoment ? Date.parse(text) : Number.NaN;
  const expiresAt = isDay ? instantOf(midnight + DAY_MS, timeZone) - 1 : moment;
  if (Number.isNaN(expiresAt))
    throw new UsageError(`'${text}' is no date; give YYYY-MM-DD or a date and time with offset`);
  if (expiresAt <= now) throw new UsageError(`'${text}' is not in the future`);
  return expiresAt;
};

export const createInvite = command({
  name: 'invite create',
  argument: '[CODE]',
  options: { uses: 'N', unlimited: true, expires: 'DATE' },
  does: `Creates an invite code and prints it: one use and no expiry unless told otherwise, a random code without CODE.
DATE is YYYY-MM-DD (to the end of that day in the campus time zone) or a date and time with offset, such as
2026-09-01T12:00:00+08:00.`,
  async run({ argument, options: { uses, unlimited = false, expires } }, world) {
    if (unlimited && uses !== undefined) throw new UsageError('--uses and --unlimited exclude each other');
    const maxUses = usesOf(uses ?? '1', unlimited);
    if (argument !== '' && !codeForm.test(argument))
      throw new UsageError('a code is 1 to 50 letters, digits, dots, dashes and underscores');
    const { timeZone } = world.config('look').campus;
    const now = world.clock.now();
    const expiresAt = expires === undefined ? null : readExpiry(expires, timeZone, now);
    await using database = await openConfigured(world, 'create');
    const { storage } = database;
    const code = argument === '' ? newCode() : argument;
    if (!(await storage.invites.createCode({ code, maxUses, expiresAt, now })))
      throw new CommandRefused(`the code ${code} exists already; nothing was changed`);
    // Standard output gets the code alone, so that scripts can use it.
    world.out(code);
    const until = expiresAt === null ? 'no expiry' : `until ${campusTimestamp(expiresAt, timeZone)} (${timeZone})`;
    world.err(`created: ${usesText(maxUses)}, ${until}`);
  },
});

const stateOf = (invite: InviteCode, now: number): string => {
  if (invite.revokedAt !== null) return 'revoked';
  if (invite.expiresAt !== null && invite.expiresAt <= now) return 'expired';
  return invite.maxUses !== null && invite.used >= invite.maxUses ? 'used up' : 'usable';
};

export const listInvites = command({
  name: 'invite list',
  options: { json: true },
  does: 'Lists the invite codes with their state, uses and expiry.',
  run: async ({ options }, world) => {
    await using database = await openConfigured(world, 'look');
    const { storage, config } = database;
    const at = (time: number | null): string => timeText(time, config.campus.timeZone);
    const listed = await storage.invites.listCodes();
    const invites = listed.map((invite) => ({ ...invite, state: stateOf(invite, world.clock.now()) }));
    const rows = invites.map(({ code, state, used, maxUses, expiresAt, createdAt }) => [
      code,
      state,
      `${used} of ${maxUses ?? 'any'}`,
      at(expiresAt),
      at(createdAt),
    ]);
    if (options.json) for (const invite of invites) world.out(JSON.stringify(invite));
    else if (rows.length === 0) world.out('no invite codes');
    else for (const line of tableLines(['CODE', 'STATE', 'USED', 'EXPIRES', 'CREATED'], rows)) world.out(line);
  },
});

export const revokeInvite = command({
  name: 'invite revoke',
  argument: 'CODE',
  does: 'Ends a code, and the invite tokens that were made from it.',
  run: async ({ argument: code }, world) => {
    await using database = await openConfigured(world, 'current');
    const { storage } = database;
    if (!(await storage.invites.revokeCode(code, world.clock.now())))
      throw new CommandRefused(`the code ${code} is unknown or revoked already`);
    world.out(`revoked ${code}; invite tokens made from it are void`);
  },
});
