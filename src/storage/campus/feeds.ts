import { type Feed, type FeedPart, feedParts } from '../../domain/calendar/kinds.ts';
import type { FeedStore } from '../../domain/calendar/ports.ts';
import type { Log } from '../../domain/context.ts';
import { lockUser } from '../accounts/users-lock.ts';
import type { Runner } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type SealedPlace, type Sealer } from '../seal.ts';

const shownColumns = ['id', 'name', ...feedParts, 'alarm_minutes', 'created_at', 'polled_at'] as const;
const pollColumns = [
  ...shownColumns,
  'userid',
  'seen',
  'schedule_params',
  'tag',
  'made_at',
  'revision',
  'in_doubt',
  'had',
] as const;

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
  { sealer, log }: { readonly sealer: Sealer; readonly log: Log },
): FeedStore & { forgetContents(): Promise<number> } => {
  const open = (sealed: string | null, place: SealedPlace, id: string): string | null =>
    openOrNull(sealer, sealed, place, (fault) => log.warn({ feed: id, fault }, 'sealed feed cannot be opened'));

  return {
    create: (feed, most) =>
      runner.transact<Awaited<ReturnType<FeedStore['create']>>>('create feed', async (transaction) => {
        // Of two that are made at once the second one waits here, and then counts the first.
        if (!(await lockUser(transaction, feed.userid))) return 'user-gone';
        const { count } = await transaction
          .selectFrom('calendar_feeds')
          .select((to) => to.fn.countAll<number>().as('count'))
          .where('userid', '=', feed.userid)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return 'too-many';
        const parts = Object.fromEntries(feedParts.map((part) => [part, feed.parts.includes(part) ? 1 : 0]));
        await transaction
          .insertInto('calendar_feeds')
          .values({
            id: feed.id,
            userid: feed.userid,
            secret_hash: feed.secretHash,
            name: feed.name,
            ...(parts as Record<FeedPart, number>),
            alarm_minutes: feed.alarmMinutes,
            created_at: feed.createdAt,
            polled_at: null,
            seen: '',
            revision: 0,
            in_doubt: 0,
            had: '',
            sealed_calendar: null,
            sealed_sources: null,
            tag: '',
            schedule_params: '',
            made_at: 0,
          })
          .execute();
        return 'created';
      }),
    list: (userid) =>
      runner.run('list feeds', async (db) => {
        const rows = await db
          .selectFrom('calendar_feeds')
          .select(shownColumns)
          .where('userid', '=', userid)
          .orderBy('created_at')
          .orderBy('id')
          .execute();
        return rows.map(feedOf);
      }),
    delete: async (userid, id) =>
      (await runner.deleted('delete feed', (db) =>
        db.deleteFrom('calendar_feeds').where('userid', '=', userid).where('id', '=', id),
      )) > 0,
    bySecret: (secretHash) =>
      runner.run('find feed', async (db) => {
        const row = await db
          .selectFrom('calendar_feeds')
          .select(pollColumns)
          .where('secret_hash', '=', secretHash)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { userid, seen, revision } = row;
        const had = row.had.split(',');
        return {
          ...feedOf(row),
          userid,
          seen,
          scheduleParams: row.schedule_params,
          tag: row.tag,
          madeAt: row.made_at,
          revision,
          inDoubt: row.in_doubt === 1,
          had: feedParts.filter((part) => had.includes(part)),
        };
      }),
    async contents({ userid, id }) {
      const row = await runner.run('read feed', (db) =>
        db
          .selectFrom('calendar_feeds')
          .select(['sealed_calendar', 'sealed_sources'])
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      return {
        calendar: open(row?.sealed_calendar ?? null, places.calendar({ userid, id }), id),
        sources: open(row?.sealed_sources ?? null, places.sources({ userid, id }), id),
      };
    },
    async update(feed, update) {
      const { numUpdatedRows } = await runner.run('update feed', (db) =>
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
          .where('id', '=', feed.id)
          .where('revision', '=', feed.revision)
          .where('seen', '=', feed.seen)
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },
    async polled(id, at) {
      await runner.run('note poll', (db) =>
        db.updateTable('calendar_feeds').set({ polled_at: at }).where('id', '=', id).execute(),
      );
    },
    outlines: (userid, reads) =>
      runner.run('outline copies', async (db) => {
        const rows = await db
          .selectFrom('copies')
          .select(['read', 'params', 'digest', 'read_at'])
          .where('userid', '=', userid)
          .where('read', 'in', reads)
          .orderBy('read')
          .orderBy('params')
          .execute();
        return rows.map(({ read, params, digest, read_at }) => ({ read, params, digest, readAt: read_at }));
      }),
    /** Where no copies are kept, what feeds were made of is not kept either. Returns how many had something. */
    forgetContents: () =>
      runner.run('forget feeds', async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('calendar_feeds')
          .set({ sealed_calendar: null, sealed_sources: null })
          .where((to) => to.or([to('sealed_calendar', 'is not', null), to('sealed_sources', 'is not', null)]))
          .executeTakeFirst();
        return Number(numUpdatedRows);
      }),
  };
};
