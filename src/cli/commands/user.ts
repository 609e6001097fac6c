import { type GrantKind, grantKinds } from '../../domain/accounts/grants.ts';
import { isUserid } from '../../domain/accounts/userid.ts';
import {
  argumentsOf,
  oneArgument,
  onlyArgument,
  printList,
  Refused,
  tableLines,
  timeText,
  UsageError,
} from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';

const PAGE = 500;

export const listUsers: Command = (args) => {
  const { json } = argumentsOf(args, { json: { type: 'boolean' } }, 0).values;
  return onDatabase('look', async ({ world, config, operator }) => {
    const { timeZone } = config.campus;
    let total = 0;
    let page: Awaited<ReturnType<typeof operator.listUsers>> = [];
    // Page by page, so that the number of students never decides how much memory a listing takes.
    do {
      page = await operator.listUsers({ after: page.at(-1)?.userid ?? '', limit: PAGE });
      if (json === true) {
        for (const user of page) world.out(JSON.stringify(user));
        continue;
      }
      const rows = page.map((user) => [
        user.userid.padEnd(20),
        String(user.tokens).padStart(6),
        timeText(user.createdAt, timeZone),
        timeText(user.lastLoginAt, timeZone),
      ]);
      const lines = tableLines(['USERID'.padEnd(20), 'TOKENS', 'REGISTERED'.padEnd(19), 'LAST LOGIN'], rows);
      for (const line of page.length === 0 ? [] : lines.slice(total === 0 ? 0 : 1)) world.out(line);
      total += page.length;
    } while (page.length === PAGE);
    if (total === 0 && json !== true) world.out('no users');
  });
};

export const showUser: Command = (args) => {
  const { argument: userid, values } = oneArgument(args, 'USERID', { json: { type: 'boolean' } });
  return onDatabase('look', async ({ world, config, operator }) => {
    const user = await operator.showUser(userid);
    if (user === null) throw new Refused(`no user ${userid}`);
    if (values.json === true) {
      world.out(JSON.stringify(user));
      return;
    }
    const at = (time: number | null): string => timeText(time, config.campus.timeZone);
    world.out(`${userid}: registered ${at(user.createdAt)}, last login ${at(user.lastLoginAt)}`);
    printList(world.out, false, user.tokens, {
      none: 'no tokens',
      head: ['TOKEN', 'CREATED', 'LAST USED', 'ENDS', 'MAY'],
      cells: ({ id, scopes, copiesOnly, createdAt, expiresAt, lastUsedAt }) => [
        ...[id, at(createdAt), at(lastUsedAt), expiresAt === null ? '' : at(expiresAt)],
        scopes === null ? 'login' : `${scopes.join(' ')}${copiesOnly ? ' (copies only)' : ''}`,
      ],
    });
    const hooks = user.hooks.map(({ id, state, format, createdAt, deliveredAt, failingSince }) => [
      ...[id, state, format, at(createdAt), at(deliveredAt)],
      failingSince === null ? '' : at(failingSince),
    ]);
    const heads = ['HOOK', 'STATE', 'FORMAT', 'CREATED', 'DELIVERED', 'FAILING SINCE'];
    if (hooks.length > 0) for (const line of tableLines(heads, hooks)) world.out(line);
  });
};

const words: Readonly<Record<GrantKind, readonly [one: string, more: string]>> = {
  feeds: ['calendar feed', 'calendar feeds'],
  hooks: ['hook', 'hooks'],
  tokens: ['personal token', 'personal tokens'],
};

const numberOf = (count: number, kind: GrantKind): string => `${count} ${words[kind][count === 1 ? 0 : 1]}`;

/** @throws UsageError for what is no kind of grant */
const kindsOf = (list: string | undefined): GrantKind[] =>
  (list ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => {
      const kind = grantKinds.find((name) => name === word);
      if (kind === undefined) throw new UsageError(`--keep takes ${grantKinds.join(', ')}, not '${word}'`);
      return kind;
    });

export const revokeUser: Command = (args) => {
  const { argument: userid, values } = oneArgument(args, 'USERID', { keep: { type: 'string' } });
  const keep = kindsOf(values.keep);
  return onDatabase('current', async ({ world, operator }) => {
    const revoked = await operator.revokeUser(userid, keep);
    if (revoked === null) throw new Refused(`no user ${userid}`);
    const { tokens, grants } = revoked;
    const said = [
      `${tokens} ${tokens === 1 ? 'token' : 'tokens'} revoked`,
      'campus sessions dropped',
      'known networks forgotten',
      ...grantKinds.flatMap((kind) => {
        const [ended = 0, kept = 0] = [grants.ended[kind], grants.kept[kind]];
        return [
          ...(ended > 0 ? [`${numberOf(ended, kind)} ended`] : []),
          ...(kept > 0 ? [`${numberOf(kept, kind)} kept`] : []),
        ];
      }),
    ];
    world.out(`${userid}: ${said.join(', ')}`);
  });
};

export const deleteUser: Command = (args) => {
  const { argument: userid, values } = oneArgument(args, 'USERID', { yes: { type: 'boolean' } });
  return onDatabase('current', async ({ world, operator }) => {
    const sure =
      values.yes === true || (await world.confirm(`Erase the account ${userid} and everything stored of it?`));
    if (sure !== true)
      throw new Refused(`nothing was changed${sure === null ? '; give --yes to erase the account' : ''}`);
    if (!(await operator.deleteUser(userid))) throw new Refused(`no user ${userid}`);
    world.out(`${userid}: account and everything stored of it erased`);
  });
};

export const unlock: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  if (!isUserid(userid)) throw new UsageError(`'${userid}' is no student id: 1 to 20 letters and digits`);
  return onDatabase('current', async ({ world, operator }) => {
    if (!(await operator.unlock(userid))) world.err(`${userid} is not registered`);
    world.out(`${userid}: budgets and waits emptied`);
  });
};

export const tag: Command = (args) => {
  const text = onlyArgument(args, 'USERID or ADDRESS');
  return onDatabase('current', async ({ world, operator }) => {
    const { member, value } = operator.tag(text);
    world.out(`${member}=${value}`);
  });
};

const options = { revoke: { type: 'string' }, 'revoke-all': { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** Lists the calendar feeds of a student without their names, which are the student's own words, or revokes them. */
export const feeds: Command = (args) => {
  const { argument: userid, values } = oneArgument(args, 'USERID', options);
  const { revoke, 'revoke-all': revokeAll = false, json = false } = values;
  if (revoke !== undefined && revokeAll) throw new UsageError('either --revoke ID or --revoke-all');
  const reads = revoke === undefined && !revokeAll;
  return onDatabase(reads ? 'look' : 'current', async ({ world: { out }, config, operator }) => {
    const stored = await operator.listFeeds(userid);
    if (stored === null) throw new Refused(`no user ${userid}`);
    if (reads) {
      const { timeZone } = config.campus;
      return printList(out, json, stored, {
        none: `${userid}: no calendar feeds`,
        head: ['FEED', 'HOLDS', 'CREATED', 'LAST POLL'],
        cells: ({ id, parts, createdAt, polledAt }) => [
          ...[id, parts.join(','), timeText(createdAt, timeZone), timeText(polledAt, timeZone)],
        ],
      });
    }
    let revoked = 0;
    for (const { id } of stored) {
      if (revokeAll || id === revoke) revoked += (await operator.revokeFeed(userid, id)) ? 1 : 0;
    }
    if (revoked === 0 && !revokeAll) throw new Refused(`${userid}: no calendar feed ${revoke}`);
    out(`${userid}: ${revoked} ${revoked === 1 ? 'calendar feed' : 'calendar feeds'} revoked`);
  });
};
