import { randomInt } from 'node:crypto';
import { MOST_INVITE_USES } from '../../config/kinds.ts';
import type { InviteCode } from '../../domain/accounts/invite-tokens.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { argumentsOf, onlyArgument, printList, Refused, readExpiry, timeText, UsageError } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';

/** Without the letters and digits that people confuse: I, L, O, U, 0 and 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A random code of about 78 bits that can be read out loud. */
export const newCode = (): string => Array.from({ length: 4 }, group).join('-');

/** No blanks, nothing that a comma list or a shell would take apart, and short enough for every client. */
const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

const usesOf = (text: string | undefined, unlimited: boolean): number | null => {
  if (unlimited) {
    if (text !== undefined) throw new UsageError('--uses and --unlimited exclude each other');
    return null;
  }
  const uses = text === undefined ? 1 : Number(text);
  if (!(Number.isInteger(uses) && /^\d+$/.test(text ?? '1') && uses >= 1 && uses <= MOST_INVITE_USES)) {
    throw new UsageError(`--uses takes a whole number from 1 to ${MOST_INVITE_USES}`);
  }
  return uses;
};

const usesText = (maxUses: number | null): string => {
  if (maxUses === null) return 'no limit of uses';
  return maxUses === 1 ? '1 use' : `${maxUses} uses`;
};

export const createInvite: Command = (args) => {
  const { values, positionals } = argumentsOf(
    args,
    { uses: { type: 'string' }, unlimited: { type: 'boolean' }, expires: { type: 'string' } },
    1,
  );
  const maxUses = usesOf(values.uses, values.unlimited === true);
  const [given] = positionals;
  if (given !== undefined && !codeForm.test(given)) {
    throw new UsageError('a code is 1 to 50 letters, digits, dots, dashes and underscores');
  }
  return async (world) => {
    const { timeZone } = world.config('look').campus;
    const expiresAt = values.expires === undefined ? null : readExpiry(values.expires, timeZone, world.now());
    const create = onDatabase('create', async ({ operator }) => {
      const code = given ?? newCode();
      if (!(await operator.createInvite({ code, maxUses, expiresAt })))
        throw new Refused(`the code ${code} exists already; nothing was changed`);
      // Alone on standard output, so that scripts can use it as it is.
      world.out(code);
      const until = expiresAt === null ? 'no expiry' : `until ${campusTimestamp(expiresAt, timeZone)} (${timeZone})`;
      world.err(`created: ${usesText(maxUses)}, ${until}`);
    });
    await create(world);
  };
};

const stateOf = (invite: InviteCode, now: number): string => {
  if (invite.revokedAt !== null) return 'revoked';
  if (invite.expiresAt !== null && invite.expiresAt <= now) return 'expired';
  return invite.maxUses !== null && invite.used >= invite.maxUses ? 'used up' : 'usable';
};

export const listInvites: Command = (args) => {
  const { json } = argumentsOf(args, { json: { type: 'boolean' } }, 0).values;
  return onDatabase('look', async ({ world, config, operator }) => {
    const { timeZone } = config.campus;
    const now = world.now();
    const invites = (await operator.listInvites()).map((invite) => ({ ...invite, state: stateOf(invite, now) }));
    printList(world.out, json, invites, {
      none: 'no invite codes',
      head: ['CODE', 'STATE', 'USED', 'EXPIRES', 'CREATED'],
      cells: ({ code, state, used, maxUses, expiresAt, createdAt }) => [
        ...[code, state, `${used} of ${maxUses ?? 'any'}`],
        ...[timeText(expiresAt, timeZone), timeText(createdAt, timeZone)],
      ],
    });
  });
};

export const revokeInvite: Command = (args) => {
  const code = onlyArgument(args, 'CODE');
  return onDatabase('current', async ({ world, operator }) => {
    if (!(await operator.revokeInvite(code))) throw new Refused(`the code ${code} is unknown or revoked already`);
    world.out(`revoked ${code}; invite tokens made from it are void`);
  });
};
