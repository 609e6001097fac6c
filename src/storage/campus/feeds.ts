import { type Feed, type FeedPart, type FeedStore, feedParts } from '../../domain/calendar/kinds.ts';
import { countOf, has, lockUser } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';

const shownColumns = ['id', 'name', ...feedParts, 'alarm_minutes', 'created_at', 'polled_at'] as const;
const ofPolls = ['userid', 'schedule_params', 'revision', 'had'] as const;
const pollColumns = [...shownColumns, ...ofPolls] as const;

const feedOf = (row: Pick<Tables['calendar_feeds'], (typeof shownColumns)[number]>): Feed => ({
  id: row.id,
  name: row.name,
  parts: feedParts.filter((part) => row[part] === 1),
  alarmMinutes: row.alarm_minutes,
  createdAt: row.created_at,
  polledAt: row.polled_at,
});

export const createFeedStore = (
  runner: Runner,
  { sealer, log, erased }: StoreDeps,
): FeedStore & { forgetContents(): Promise<number> } => {
  const open = (sealed: string | null, place: SealedPlace, id: string): string | null =>
    openOrNull(sealer, sealed, place, (fault) => log.warn({ feed: id, fault }, 'sealed feed cannot be opened'));

  return {
    create: (feed, most) =>
      runner.transact('create feed', async (transaction) => {
        // Of two made at once the second one waits here, and then counts the first.
        if (!(await lockUser(transaction, feed.userid))) return 'user-gone';
        const own = transaction.selectFrom('calendar_feeds').where(has({ userid: feed.userid }));
        if ((await countOf(own)) >= most) return 'too-many';
        const parts = Object.fromEntries(feedParts.map((part) => [part, feed.parts.includes(part) ? 1 : 0]));
        await transaction
          .insertInto('calendar_feeds')
          .values({
            ...{ id: feed.id, userid: feed.userid, secret_hash: feed.secretHash, name: feed.name },
            ...(parts as Record<FeedPart, number>),
            ...{ alarm_minutes: feed.alarmMinutes, created_at: feed.createdAt, polled_at: null },
            ...{ revision: 0, had: '', sealed_sources: null, schedule_params: '' },
          })
          .execute();
        return 'created';
      }),
    list: (userid) =>
      runner.all(
        'list feeds',
        (db) =>
          db
            .selectFrom('calendar_feeds')
            .select(shownColumns)
            .where(has({ userid }))
            .orderBy('created_at')
            .orderBy('id'),
        feedOf,
      ),
    async delete(userid, id) {
      const deleted = await runner.deleted('delete feed', (db) =>
        db.deleteFrom('calendar_feeds').where(has({ userid, id })),
      );
      if (deleted > 0) erased();
      return deleted > 0;
    },
    bySecret: (secretHash) =>
      runner.first(
        'find feed',
        (db) => db.selectFrom('calendar_feeds').select(pollColumns).where('secret_hash', '=', secretHash),
        (row) => {
          const { userid, revision, schedule_params: scheduleParams } = row;
          const had = feedParts.filter((part) => row.had.split(',').includes(part));
          return { ...feedOf(row), userid, revision, scheduleParams, had };
        },
      ),
    async contents({ userid, id }) {
      const row = await runner.one('read feed', (db) =>
        db.selectFrom('calendar_feeds').select('sealed_sources').where('id', '=', id),
      );
      return open(row?.sealed_sources ?? null, places.sources({ userid, id }), id);
    },
    async update(feed, update) {
      const updated = await runner.updated('update feed', (db) =>
        db
          .updateTable('calendar_feeds')
          .set({
            schedule_params: update.scheduleParams,
            revision: feed.revision + 1,
            had: update.had.join(','),
            sealed_sources: sealer.seal(update.contents, places.sources(feed)),
          })
          .where(has({ id: feed.id, revision: feed.revision })),
      );
      return updated > 0;
    },
    polled: (id, at) =>
      runner.done('note poll', (db) => db.updateTable('calendar_feeds').set({ polled_at: at }).where('id', '=', id)),
    outlines: (userid, reads) =>
      runner.run('outline copies', (db) =>
        db
          .selectFrom('copies')
          .select(['read', 'params', 'digest', 'read_at as readAt'])
          .where('userid', '=', userid)
          .where('read', 'in', reads)
          .orderBy('read')
          .orderBy('params')
          .execute(),
      ),
    /**
     * Where no copies are kept, what feeds were made of is not kept either, and no process goes on with what it holds of
     * them. Returns how many had something.
     */
    forgetContents: () =>
      runner.updated('forget feeds', (db) =>
        db
          .updateTable('calendar_feeds')
          .set((to) => ({ sealed_sources: null, revision: to('revision', '+', 1) }))
          .where('sealed_sources', 'is not', null),
      ),
  };
};
