import { setImmediate as nextTurn } from 'node:timers/promises';
import { allReads } from '../../src/domain/all-reads.ts';
import { silentLog } from '../../src/domain/context.ts';
import { Deliveries } from '../../src/domain/hooks/deliveries.ts';
import { Targets } from '../../src/domain/hooks/targets.ts';
import { systemClock } from '../../src/lib/time.ts';
import { keptIn } from '../support/kept.ts';
import { createStorage } from '../support/storage.ts';
import { dieAt } from './dying.ts';

/**
 * Started by a test as a separate process, beside another one: reads the marks of each student, one more than there is
 * a copy of, until there are `most`, delivers their events, and is killed right before the statement
 * of that number. Its time goes a hundred times as fast, for pauses and leases.
 */
const [url = '', receiver = '', epoch = '0', moment = '0', most = '0', ...userids] = process.argv.slice(2);
const now = (): number => Number(epoch) + 100 * (Date.now() - Number(epoch));
const clock = { ...systemClock, now };
const storage = await createStorage({ url, keys: [Buffer.alloc(32, 1)], log: silentLog, clock });

dieAt(Number(moment));

const deliveries = new Deliveries({
  store: storage.hookDeliveries,
  targets: new Targets({ allow: [], deny: [], own: [] }),
  sender: {
    async send({ headers }, closing) {
      try {
        const signal = AbortSignal.any([closing, AbortSignal.timeout(150)]);
        const { status } = await fetch(receiver, { method: 'POST', headers, signal });
        return { kind: 'answer', status, retryAfter: null, reply: '' };
      } catch {
        return { kind: 'no-answer', fault: 'broken' };
      }
    },
  },
  ...{ clock, random: Math.random, log: silentLog, tagOf: () => '', observer: { hookCalled: () => {} } },
});
keptIn(storage, clock).journal.onAppended(() => deliveries.wake());

const begin = Date.now() - 3_600_000;
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{
      sequence: at,
      term_id: 'T',
      course_code: `C${at}`,
      course_class: '01',
      course_name_cn: '',
      course_name_en: '',
    },
    ...{ credits: '1', hours: 1, course_type: '', exam_type: '', score: '80', retake_score: null, makeup_score: null },
  }));
const { name: read, shape } = allReads.allScores;
const params = JSON.stringify(['T']);
for (let left = userids; left.length > 0; ) {
  const behind: string[] = [];
  for (const userid of left) {
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const copy = await storage.copies.find({ userid, read, params, shape });
    const count = copy === null ? 0 : JSON.parse(copy.text).length + 1;
    if (count > Number(most)) continue;
    behind.push(userid);
    const text = JSON.stringify(rows(count));
    await keptIn(storage, clock).copies.keep(userid, generation, [
      { read, params, shape, text, writes: 0, readAt: begin + count },
    ]);
    // Deliveries give way to other work, and go on in the turns between.
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  }
  left = behind;
}
await deliveries.close();
await storage.close();
