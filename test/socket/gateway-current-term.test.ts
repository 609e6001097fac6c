import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { studyReads } from '../support/study-reads.ts';

const clock = new ManualClock(Date.parse('2026-03-01T12:00:00+08:00'));
let gateway: Gateway;
let token: string;
beforeAll(async () => {
  // A token may end after 150 days, and the last moment is 153 days away.
  gateway = await startGateway({ clock, env: { TOKEN_MAX_DAYS: '365' } });
  gateway.demo.switches.datesMove = false;
  token = await gateway.register();
});
afterAll(() => gateway.close());

/** Moments at the campus, whose term began on Monday 2026-03-02 and has 18 weeks. */
it.each([
  ['2026-03-01 23:59:59', 0, 6, false, 'the Sunday before the term'],
  ['2026-03-02 00:00:00', 1, 0, false, 'its first midnight, still Sunday elsewhere'],
  ['2026-03-08 23:59:59', 1, 6, false, 'the last second of week 1'],
  ['2026-03-09 00:00:00', 2, 0, false, 'week 2'],
  ['2026-04-05 12:00:00', 5, 6, false, 'a Sunday'],
  ['2026-05-03 23:59:59', 9, 6, false, 'the middle'],
  ['2026-05-31 12:00:00', 13, 6, false, 'a Sunday'],
  ['2026-06-14 23:59:59', 15, 6, false, 'the last second before the end begins'],
  ['2026-06-15 00:00:00', 16, 0, true, 'week 16'],
  ['2026-07-05 23:59:59', 18, 6, true, 'the last second of the last week'],
  ['2026-07-06 00:00:00', 0, 0, false, 'the first Monday of the holidays'],
  ['2026-08-01 12:00:00', 0, 5, false, 'the holidays'],
])('at %s the week is %i and the weekday %i', async (moment, week, weekday, isEnd) => {
  clock.advance(Date.parse(`${moment.replace(' ', 'T')}+08:00`) - clock.now());
  const answer = await studyReads.term.ask(gateway, token);
  expect(answer.body, answer.text).toMatchObject({
    success: true,
    timestamp: moment,
    data: {
      academic_year: '2025-2026',
      current_term_name: '春',
      week_number: week,
      start_at: '2026-03-02',
      is_end: isEnd,
      weekday,
    },
  });
});
