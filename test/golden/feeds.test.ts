import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildCalendar } from '../../src/domain/calendar/build.ts';
import { feedParts, nextSources, readingsOf } from '../../src/domain/calendar/kinds.ts';
import { createCalendarWriter } from '../../src/icalendar/write.ts';
import { first } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { callRead, studentReads } from '../support/student-reads.ts';
import { springNoon } from '../support/study-reads.ts';
import { asPlanned, feed } from '../unit/domain/calendar/support.ts';

const file = join(import.meta.dirname, 'feed.ics');
const timeZone = 'Asia/Shanghai';

it('a calendar of the demo student is the same text with the same uids, whatever shape its copies have', async () => {
  const gateway = await startGateway({ clock: new ManualClock(springNoon) });
  try {
    const token = await gateway.register(first);
    for (const name of ['currentTerm', 'terms', 'exams', 'joinedActivities'] as const) {
      expect((await callRead(gateway.url, studentReads[name], token)).status, name).toBe(200);
    }
    const table = await gateway.b('GET', '/jwc/schedule/2025-2026-2-1/table', { token });
    expect(table.status).toBe(200);
    await gateway.services.reads.close();
    const { read } = await readingsOf(gateway.services.reads, first.userid, feedParts);
    const sources = nextSources(null, read, { now: springNoon, timeZone });
    const { calendar } = buildCalendar(feed, sources, null, { timeZone, heldOn: asPlanned, now: springNoon });
    const text = createCalendarWriter(timeZone)(calendar);
    for (const category of ['课程', '考试', '劳动']) expect(text).toContain(`CATEGORIES:${category}`);
    if (process.env.GOLDEN === 'write') writeFileSync(file, text);
    else expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '');
  } finally {
    await gateway.close();
  }
});
