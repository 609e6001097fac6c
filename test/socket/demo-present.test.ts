import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dayNumber } from '../../src/lib/time.ts';
import { damaged, first, second } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const at = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}+08:00`);

/** A gateway in front of the demo campus at that moment of the campus. */
const openOn = async (moment: string) => {
  const clock = new ManualClock(at(moment));
  const gateway = await startGateway({ clock: clock.skipping(300) });
  onTestFinished(() => gateway.close());
  const readerOf = async (student: typeof first) => {
    const token = await gateway.register(student);
    const send = (method: string, path: string, body?: unknown) => gateway.b(method, path, { token, body });
    const read = async (path: string) => {
      const answer = await send('GET', path);
      expect(answer.status, `${path} ${answer.text}`).toBe(200);
      return answer.body.data;
    };
    /** The current term as three pages know it: they must agree. */
    const currentTerm = async () => {
      const [term, all, { current_term: code }] = [
        await read('/jwc/term/current'),
        await read('/jwc/term/all'),
        await read('/jwc/academic/info'),
      ];
      expect(all.filter((each: { is_current: boolean }) => each.is_current)).toMatchObject([{ term_code: code }]);
      const day = Math.floor((clock.now() + 8 * 3_600_000) / 86_400_000);
      const week = Math.floor((day - (dayNumber(term.start_at) ?? 0)) / 7) + 1;
      const current_term_name = ['秋', '春', '夏'][Number(code.at(10)) - 1];
      expect(term).toMatchObject({
        academic_year: code.slice(0, 9),
        current_term_name,
        term_code: code,
        week_number: week,
      });
      return { code, week };
    };
    return { send, read, currentTerm };
  };
  const warnings = () => gateway.log().match(/^.*"level":"(?:warn|error|fatal)".*$/gm) ?? [];
  return { clock, gateway, readerOf, warnings };
};

it.each([
  '2026-12-31 23:59:59',
  '2027-03-01 00:00:00',
  '2026-07-19 12:00:00',
  '2026-07-20 00:04:00',
  '2033-09-12 08:59:00',
])('at %s every page of both students is read without a warning, and the meter was read this night', async (moment) => {
  const { readerOf, warnings } = await openOn(moment);
  for (const student of [first, second]) {
    const { read, send, currentTerm } = await readerOf(student);
    const { code, week } = await currentTerm();
    const table = await read(`/jwc/schedule/${code}/table`);
    expect(week >= 1 && week <= Number(table.semester_info.total_weeks)).toBe(true);
    for (const path of [`score/${code}/list`, 'score/current/list', 'exam/info', 'plan/current', 'evaluation/courses'])
      await read(`/jwc/${path}`);
    for (const path of ['/ldjlb/labor/joined/activities', '/aac/credit/list', '/jwc/competition/info', '/card/balance'])
      await read(path);
    await send('POST', '/isim/room/bind', { room_id: '010101' });
    const { usage_records: used } = await read('/isim/elec/info');
    const readAt = at(used[0].record_time);
    expect([readAt <= at(moment), at(moment) - readAt < 25 * 3_600_000]).toEqual([true, true]);
  }
  expect(warnings()).toEqual([]);
});

it('a campus that keeps running is in the next term at midnight, with other courses to evaluate', async () => {
  const { clock, gateway, readerOf } = await openOn('2026-07-19 23:59:00');
  const { read, currentTerm } = await readerOf(first);
  expect(await currentTerm()).toEqual({ code: '2025-2026-2-1', week: 20 });
  const done = async () => {
    await read('/jwc/term/all');
    const courses = gateway.demo.student(first.userid).evaluations();
    return courses.map((course) => course.done);
  };
  gateway.demo.student(first.userid).evaluateByHand(1);
  expect(await done()).toEqual([true, false, true]);
  clock.advance(60_000);
  expect(await currentTerm()).toEqual({ code: '2025-2026-3-1', week: 1 });
  expect(await done()).toEqual([false, false, false]);
});

it.each([
  ['a leap day', '2024-02-29 12:00:00', '2023-2024-1-1'],
  ['the Spring Festival', '2027-02-06 12:00:00', '2026-2027-1-1'],
])('at %s it is vacation: the term before it, without a week', async (_, moment, code) => {
  const { readerOf, warnings } = await openOn(moment);
  const { read } = await readerOf(first);
  expect(await read('/jwc/term/current')).toMatchObject({ term_code: code, week_number: 0 });
  expect(await read('/jwc/exam/info')).toBeDefined();
  expect(warnings()).toEqual([]);
});

it('the pages of the third student are damaged, and the log says so', async () => {
  const { readerOf, warnings } = await openOn('2026-03-18 10:00:00');
  const { read } = await readerOf(damaged);
  await read('/jwc/score/2024-2025-2-1/list');
  await read('/jwc/plan/current');
  expect(warnings().length).toBeGreaterThan(1);
});

it('a scan sign works as the documents tell, once', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/use/clients.md'), 'utf8');
  const [, form = '', location = ''] = /"content":"([A-Z]+\|)'\$SIGN'","location":"([\d.,]+)"/.exec(guide) ?? [];
  const { clock, readerOf } = await openOn('2026-11-22 09:00:00');
  const { read, send } = await readerOf(first);
  const { data } = await read('/ldjlb/labor/joined/activities');
  const [item] = (await read(`/ldjlb/labor/${data[0].ID}/sign_list`)).data;
  const scan = () => send('POST', '/ldjlb/labor/scan_sign', { content: form + item.ID, location });
  expect((await scan()).body).toMatchObject({ success: true, message: '签到成功' });
  clock.advance(60_000);
  expect((await scan()).body).toMatchObject({ success: false, message: '已签到，请勿重复签到' });
});
