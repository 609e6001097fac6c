import { command, onDatabase, Refused, UsageError } from '../command.ts';
import { pick, tableLines, timeText } from '../print.ts';

export const feeds = command({
  name: 'feeds',
  argument: 'USERID',
  options: { json: true, revoke: 'ID', 'revoke-all': true },
  does: `Lists the calendar feeds of a student, which outlive tokens, without the names that the student gave them, or ends one
of them or all: their addresses answer 404 at once, on all replicas.`,
  async run({ argument: userid, options: { json, revoke, 'revoke-all': revokeAll = false } }, world) {
    if (revoke !== undefined && revokeAll) throw new UsageError('either --revoke ID or --revoke-all');
    const isList = revoke === undefined && !revokeAll;
    await onDatabase(world, isList ? 'look' : 'current', async ({ storage, config: { campus } }) => {
      if ((await storage.accounts.findUser(userid)) === null) throw new Refused(`no user ${userid}`);
      const stored = await storage.feeds.list(userid);
      if (isList) {
        const listed = stored.map((feed) => pick(feed, 'id', 'parts', 'createdAt', 'polledAt'));
        const rows = listed.map(({ id, parts, createdAt, polledAt }) => [
          id,
          parts.join(','),
          timeText(createdAt, campus.timeZone),
          timeText(polledAt, campus.timeZone),
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
      if (revoked === 0 && !revokeAll) throw new Refused(`${userid}: no calendar feed ${revoke}`);
      world.out(`${userid}: ${revoked} ${revoked === 1 ? 'calendar feed' : 'calendar feeds'} revoked`);
    });
  },
});
