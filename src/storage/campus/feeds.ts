import { type Feed, type FeedPart, type FeedStore, feedParts } from '../../domain/calendar/kinds.ts';
import { countOf, has, lockUser } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';

const shownColumns = ['id', 'name', ...feedParts, 'alarm_minutes', 'created_at', 'polled_at'] as const;
const ofPolls = ['userid', 'seen', 'schedule_params', 'tag', 'made_at', 'revision', 'in_doubt', 'had'] as const;
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
            ...{ seen: '', revision: 0, in_doubt: 0, had: '', sealed_calendar: null, sealed_sources: null },
            ...{ tag: '', schedule_params: '', made_at: 0 },
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
          const { userid, seen, tag, revision, schedule_params: scheduleParams, made_at: madeAt } = row;
          const had = feedParts.filter((part) => row.had.split(',').includes(part));
          return {
            ...feedOf(row),
            userid,
            seen,
            tag,
            revision,
            scheduleParams,
            madeAt,
            inDoubt: row.in_doubt === 1,
            had,
          };
        },
      ),
    async contents({ userid, id }) {
      const row = await runner.one('read feed', (db) =>
        db.selectFrom('calendar_feeds').select(['sealed_calendar', 'sealed_sources']).where('id', '=', id),
      );
      return {
        calendar: open(row?.sealed_calendar ?? null, places.calendar({ userid, id }), id),
        sources: open(row?.sealed_sources ?? null, places.sources({ userid, id }), id),
      };
    },
    async update(feed, update) {
      const updated = await runner.updated('update feed', (db) =>
        db
          .updateTable('calendar_feeds')
          .set({
            seen: update.seen,
            schedule_params: update.scheduleParams,
            tag: update.tag,
            made_at: update.madeAt,
            revision: update.revision,
            in_doubt: update.inDoubt ? 1 : 0,
            had: update.had.join(','),
            sealed_calendar: sealer.seal(update.calendar, places.calendar(feed)),
            sealed_sources: sealer.seal(update.sources, places.sources(feed)),
          })
          .where(has({ id: feed.id, revision: feed.revision, seen: feed.seen })),
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
    /** Where no copies are kept, what feeds were made of is not kept either. Returns how many had something. */
    forgetContents: () =>
      runner.updated('forget feeds', (db) =>
        db
          .updateTable('calendar_feeds')
          .set({ sealed_calendar: null, sealed_sources: null })
          .where((to) => to.or([to('sealed_calendar', 'is not', null), to('sealed_sources', 'is not', null)])),
      ),
  };
};
