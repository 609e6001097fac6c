import { setImmediate as nextTurn } from 'node:timers/promises';
import { news } from './news.ts';
import { services } from './server-gateway.ts';

/** Students who have news, one after the other. */
export interface StreamOrder {
  readonly news: readonly string[];
}

/** The service, which makes an event for a student on command, as after a reading. Replies when each began. */
process.on('message', async (order: StreamOrder | string) => {
  if (typeof order === 'string') return;
  const began: number[] = [];
  for (const userid of order.news) {
    began.push(Date.now());
    await services.journal.append(userid, [news]);
    // Between two readings there is at least an answer of the campus.
    await nextTurn();
  }
  process.send?.({ reply: began });
});
