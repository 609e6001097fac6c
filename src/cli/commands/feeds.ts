import { campusTimestamp } from '../../lib/campus-time.ts';
import { oneArgument } from '../arguments.ts';
import type { Operator } from '../operator.ts';
import { tableLines } from '../table.ts';
import { Refused, UsageError } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';

const options = { revoke: { type: 'string' }, 'revoke-all': { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** Lists the calendar feeds of a student without their names, which are the student's own words, or revokes them. */
export const feeds: Command = (args) => {
  const { argument: userid, values } = oneArgument(args, 'USERID', options);
  const { revoke, 'revoke-all': revokeAll = false, json = false } = values;
  if (revoke !== undefined && revokeAll) throw new UsageError('either --revoke ID or --revoke-all');
  const reads = revoke === undefined && !revokeAll;
  return onDatabase(reads ? 'look' : 'current', async ({ world: { out }, config, operator }) => {
    const known = await operator.listFeeds(userid);
    if (known === null) throw new Refused(`no user ${userid}`);
    if (reads) {
      if (json) for (const feed of known) out(JSON.stringify(feed));
      else if (known.length === 0) out(`${userid}: no calendar feeds`);
      else for (const line of linesOf(known, config.campus.timeZone)) out(line);
      return;
    }
    let revoked = 0;
    for (const { id } of known) {
      if (revokeAll || id === revoke) revoked += (await operator.revokeFeed(userid, id)) ? 1 : 0;
    }
    if (revoked === 0 && !revokeAll) throw new Refused(`${userid}: no calendar feed ${revoke}`);
    out(`${userid}: ${revoked} ${revoked === 1 ? 'calendar feed' : 'calendar feeds'} revoked`);
  });
};

const linesOf = (known: NonNullable<Awaited<ReturnType<Operator['listFeeds']>>>, timeZone: string): string[] =>
  tableLines(
    ['FEED', 'HOLDS', 'CREATED', 'LAST POLL'],
    known.map(({ id, parts, createdAt, polledAt }) => [
      id,
      parts.join(','),
      campusTimestamp(createdAt, timeZone),
      polledAt === null ? 'never' : campusTimestamp(polledAt, timeZone),
    ]),
  );
