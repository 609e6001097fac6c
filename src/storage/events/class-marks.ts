import type { ClassMarkStore } from '../../domain/hooks/class-signal.ts';
import { has, put } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';

const KEPT_MS = 60 * 86_400_000;
/** Hooks whose students take part. */
const taking = { refresh: 'signal', state: 'on' };

/** Which students take part in which classes, by keyed names of the classes. */
export const createClassMarkStore = (runner: Runner): ClassMarkStore & { sweep(now: number): Promise<number> } => ({
  takesPart: (userid) =>
    runner.run('look for a signal', async (db) => {
      const hooks = db
        .selectFrom('event_hooks')
        .select('id')
        .where(has({ userid, ...taking }));
      return (await hooks.executeTakeFirst()) !== undefined;
    }),
  untold: (since, after, most) =>
    runner.run('look for classes', async (db) => {
      const rows = await db
        .selectFrom('event_hooks')
        .select('userid')
        .distinct()
        .where(has(taking))
        .where('userid', '>', after)
        .where((to) =>
          to.not(
            to.exists(
              to
                .selectFrom('class_marks')
                .select('class_marks.class')
                .whereRef('class_marks.userid', '=', 'event_hooks.userid')
                .where('class_marks.joined_at', '>', since),
            ),
          ),
        )
        .orderBy('userid')
        .limit(most)
        .execute();
      return rows.map(({ userid }) => userid);
    }),
  async join(userid, classes, now) {
    const rows = classes.map((name) => ({ userid, class: name, joined_at: now, published_at: null, told_at: null }));
    await runner.run('join classes', (db) => put(db, 'class_marks', rows, ['published_at', 'told_at']));
  },
  publish: (userid, name, least, now) =>
    runner.transact('publish a mark', async (change) => {
      const own = { userid, class: name, joined_at: now, published_at: now, told_at: null };
      await put(change, 'class_marks', own, ['joined_at', 'told_at']);
      // Those of two students at once wait for each other here, and the second counts the first.
      const all = await change
        .updateTable('class_marks')
        .set((to) => ({ joined_at: to.ref('joined_at') }))
        .where('class', '=', name)
        .returning(['userid', 'published_at', 'told_at', 'joined_at'])
        .execute();
      const userids = all.map((row) => row.userid);
      const hooks = await change
        .selectFrom('event_hooks')
        .select('userid')
        .where(has(taking))
        .where('userid', 'in', userids)
        .execute();
      const parts = new Set(hooks.map((row) => row.userid));
      const members = all.filter((row) => parts.has(row.userid) && row.joined_at > now - KEPT_MS);
      const published = members.filter((row) => row.published_at !== null);
      if (members.length < least.members || published.length < least.published) return [];
      const others = members.filter((row) => row.published_at === null && row.told_at === null);
      const told = others.map((row) => row.userid);
      if (told.length > 0)
        await change
          .updateTable('class_marks')
          .set({ told_at: now })
          .where(has({ class: name }))
          .where('userid', 'in', told)
          .execute();
      return told;
    }),
  sweep: (now) =>
    runner.deleted('sweep classes', (db) => db.deleteFrom('class_marks').where('joined_at', '<=', now - KEPT_MS)),
});
