import type { Storage } from '../../composition/storage.ts';
import { revokes } from '../../domain/accounts/guard/guard.ts';
import { erasureOf } from '../../domain/accounts/guard/stored-rows.ts';
import { type GrantKind, grantKinds, roundUse } from '../../domain/accounts/tokens/personal-tokens.ts';
import { CommandRefused, command, openConfigured, UsageError } from '../command.ts';
import { pickMembers, tableLines, timeText } from '../print.ts';
import { guardOf } from './guard.ts';

const PAGE = 500;

export const listUsers = command({
  name: 'user list',
  options: { json: true },
  does: 'Lists the students with their number of valid tokens, registration and last login.',
  run: async ({ options }, world) => {
    await using database = await openConfigured(world, 'look');
    const { storage, config } = database;
    let total = 0;
    let page: Awaited<ReturnType<typeof storage.accounts.listUsers>> = [];
    // Reads page by page, so that a listing takes the same memory for any number of students.
    do {
      page = await storage.accounts.listUsers({ after: page.at(-1)?.userid ?? '', limit: PAGE });
      const rows = page.map(({ userid, tokens, createdAt, lastLoginAt }) => [
        userid.padEnd(20),
        String(tokens).padStart(6),
        timeText(createdAt, config.campus.timeZone),
        timeText(lastLoginAt, config.campus.timeZone),
      ]);
      const table = tableLines(['USERID'.padEnd(20), 'TOKENS', 'REGISTERED'.padEnd(19), 'LAST LOGIN'], rows);
      const lines = options.json ? page.map((user) => JSON.stringify(user)) : table.slice(total === 0 ? 0 : 1);
      if (page.length > 0) for (const line of lines) world.out(line);
      total += page.length;
    } while (page.length === PAGE);
    if (total === 0 && !options.json) world.out('no users');
  },
});

/** Leaves out names of tokens, which are the student's own words, and addresses of hooks, which may hold keys. */
const detailsOf = async (storage: Storage, userid: string, now: number) => {
  const user = await storage.accounts.findUser(userid);
  if (user === null) throw new CommandRefused(`no user ${userid}`);
  const logins = (await storage.tokens.list(userid, now)).map((token) => {
    const { id, createdAt, lastUsedAt } = roundUse(token);
    return { id, scopes: null, copiesOnly: false, createdAt, expiresAt: null, lastUsedAt };
  });
  const personal = (await storage.tokens.personal.list(userid, now)).map((token) =>
    pickMembers(roundUse(token), 'id', 'scopes', 'copiesOnly', 'createdAt', 'expiresAt', 'lastUsedAt'),
  );
  const hooks = (await storage.hooks.list(userid)).map((hook) =>
    pickMembers(hook, 'id', 'state', 'format', 'createdAt', 'deliveredAt', 'failingSince'),
  );
  return { ...user, tokens: [...logins, ...personal], hooks };
};

const userLines = (user: Awaited<ReturnType<typeof detailsOf>>, timeZone: string): string[] => {
  const at = (time: number | null): string => timeText(time, timeZone);
  const end = (time: number | null): string => (time === null ? '' : at(time));
  const tokens = user.tokens.map((token) => {
    const { id, scopes, copiesOnly, createdAt, expiresAt, lastUsedAt } = token;
    const may = `${scopes?.join(' ') ?? 'login'}${copiesOnly ? ' (copies only)' : ''}`;
    return [id, at(createdAt), at(lastUsedAt), end(expiresAt), may];
  });
  const hooks = user.hooks.map((hook) => {
    const { id, state, format, createdAt, deliveredAt, failingSince } = hook;
    return [id, state, format, at(createdAt), at(deliveredAt), end(failingSince)];
  });
  const table = (head: readonly string[], rows: readonly string[][]) =>
    rows.length === 0 ? [] : tableLines(head, rows);
  return [
    `${user.userid}: registered ${at(user.createdAt)}, last login ${at(user.lastLoginAt)}`,
    ...(tokens.length === 0 ? ['no tokens'] : []),
    ...table(['TOKEN', 'CREATED', 'LAST USED', 'ENDS', 'MAY'], tokens),
    ...table(['HOOK', 'STATE', 'FORMAT', 'CREATED', 'DELIVERED', 'FAILING SINCE'], hooks),
  ];
};

export const showUser = command({
  name: 'user show',
  argument: 'USERID',
  options: { json: true },
  does: `Says when the student registered and logged in last, and lists the valid tokens, those of logins and personal ones with
their scopes and their end, and the hooks.`,
  run: async ({ argument: userid, options }, world) => {
    await using database = await openConfigured(world, 'look');
    const { storage, config } = database;
    const user = await detailsOf(storage, userid, world.clock.now());
    const lines = options.json ? [JSON.stringify(user)] : userLines(user, config.campus.timeZone);
    for (const line of lines) world.out(line);
  },
});

const words: Readonly<Record<GrantKind, readonly [one: string, more: string]>> = {
  feeds: ['calendar feed', 'calendar feeds'],
  hooks: ['hook', 'hooks'],
  tokens: ['personal token', 'personal tokens'],
};

const numberOf = (count: number, kind: GrantKind): string => `${count} ${words[kind][count === 1 ? 0 : 1]}`;

/** @throws UsageError for what is no kind of grant */
const kindsOf = (list: string): GrantKind[] => {
  const named = list.split(',').flatMap((word) => word.trim() || []);
  return named.map((word) => {
    const kind = grantKinds.find((name) => name === word);
    if (kind === undefined) throw new UsageError(`--keep takes ${grantKinds.join(', ')}, not '${word}'`);
    return kind;
  });
};

export const revokeUser = command({
  name: 'user revoke',
  argument: 'USERID',
  options: { keep: grantKinds.join(',') },
  does: `Ends all tokens and campus sessions of the student, and his calendar feeds, hooks and personal tokens unless told
to keep them; forgets the networks he is known in. Earlier tokens prove nothing any more. The account stays.`,
  async run({ argument: userid, options }, world) {
    const keep = kindsOf(options.keep ?? '');
    await using database = await openConfigured(world, 'current');
    const { storage, config } = database;
    if ((await storage.accounts.findUser(userid)) === null) throw new CommandRefused(`no user ${userid}`);
    const { tokens, grants } = await storage.tokens.revokeAll(userid, keep, world.clock.now());
    await guardOf(storage, config, world).decide(userid, revokes);
    await storage.sessions.nextGeneration(userid);
    const settled = grantKinds.flatMap((kind) => {
      const [ended = 0, kept = 0] = [grants.ended[kind], grants.kept[kind]];
      return [
        ...(ended > 0 ? [`${numberOf(ended, kind)} ended`] : []),
        ...(kept > 0 ? [`${numberOf(kept, kind)} kept`] : []),
      ];
    });
    const revoked = `${tokens} ${tokens === 1 ? 'token' : 'tokens'} revoked`;
    world.out([`${userid}: ${revoked}, campus sessions dropped, known networks forgotten`, ...settled].join(', '));
  },
});

export const deleteUser = command({
  name: 'user delete',
  argument: 'USERID',
  options: { yes: true },
  does: 'Erases the account and everything stored of it. Asks first, unless told --yes.',
  run: async ({ argument: userid, options }, world) => {
    await using database = await openConfigured(world, 'current');
    const { storage } = database;
    const question = `Erase the account ${userid} and everything stored of it?`;
    const isSure = options.yes === true || (await world.confirm(question));
    if (isSure !== true)
      throw new CommandRefused(`nothing was changed${isSure === null ? '; give --yes to erase the account' : ''}`);
    if ((await storage.accounts.deleteUser(userid, erasureOf(userid, world.clock.now()), 'whole')) === null)
      throw new CommandRefused(`no user ${userid}`);
    world.out(`${userid}: account and everything stored of it erased`);
  },
});

export const feeds = command({
  name: 'feeds',
  argument: 'USERID',
  options: { json: true, revoke: 'ID', 'revoke-all': true },
  does: `Lists the calendar feeds of a student, which outlive tokens, without the names that the student gave them, or ends one
of them or all: their addresses answer 404 at once, on all replicas.`,
  async run({ argument: userid, options: { json, revoke, 'revoke-all': revokeAll = false } }, world) {
    if (revoke !== undefined && revokeAll) throw new UsageError('either --revoke ID or --revoke-all');
    const isList = revoke === undefined && !revokeAll;
    await using database = await openConfigured(world, isList ? 'look' : 'current');
    const { storage, config } = database;
    if ((await storage.accounts.findUser(userid)) === null) throw new CommandRefused(`no user ${userid}`);
    const stored = await storage.feeds.list(userid);
    if (isList) {
      const listed = stored.map((feed) => pickMembers(feed, 'id', 'parts', 'createdAt', 'polledAt'));
      const rows = listed.map(({ id, parts, createdAt, polledAt }) => [
        id,
        parts.join(','),
        timeText(createdAt, config.campus.timeZone),
        timeText(polledAt, config.campus.timeZone),
      ]);
      if (json) for (const feed of listed) world.out(JSON.stringify(feed));
      else if (rows.length === 0) world.out(`${userid}: no calendar feeds`);
      else for (const line of tableLines(['FEED', 'HOLDS', 'CREATED', 'LAST POLL'], rows)) world.out(line);
      return;
    }
    let revoked = 0;
    for (const { id } of stored) {
      if (revokeAll || id === revoke) revoked += (await storage.feeds.delete(userid, id)) ? 1 : 0;
    }
    if (revoked === 0 && !revokeAll) throw new CommandRefused(`${userid}: no calendar feed ${revoke}`);
    world.out(`${userid}: ${revoked} ${revoked === 1 ? 'calendar feed' : 'calendar feeds'} revoked`);
  },
});
