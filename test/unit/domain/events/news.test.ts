import { describe, expect, it } from 'vitest';
import { ScoreRecord } from '../../../../src/domain/academics/records.ts';
import { allReads, findTellingRow, rowsByName } from '../../../../src/domain/all-reads.ts';
import { type KnownItems, newsOf } from '../../../../src/domain/events/compare.ts';
import type { NewEvent } from '../../../../src/domain/events/ports.ts';
import { isNewer } from '../../../../src/domain/reads/decide.ts';
import { unsaidOf } from '../../../../src/domain/record.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 12, 2, 0, 0);
const term = '2025-2026-1-1';

/** The stored knowledge about one student, and the copies. */
const journal = () => {
  const stored = new Map<string, string>();
  const inDoubt = new Set<string>();
  const copies = new Map<string, { text: string; readAt: number }>();
  const read = (
    name: string,
    value: unknown,
    at: number,
    { params = [], now = at, thresholds = [] }: { params?: string[]; now?: number; thresholds?: number[] } = {},
  ): NewEvent[] => {
    const text = JSON.stringify(value);
    const place = `${name} ${params}`;
    const before = copies.get(place) ?? null;
    const shape = rowsByName.get(name)?.shape ?? 0;
    const events = rowsByName.get(name)?.events ?? (() => null);
    const copy = { read: name, params: JSON.stringify(params), shape, text, writes: 0, readAt: at };
    const news = newsOf(events, { copy, before }, { timeZone: 'Asia/Shanghai', thresholds });
    const changed = before?.text !== text;
    // As the store of copies does: an older reading leaves the newer copy.
    if (!isNewer(before?.readAt ?? 0, at, now)) copies.set(place, { text, readAt: at });
    return news.scopes.flatMap((scope) => {
      if (!changed && !inDoubt.has(scope)) return [];
      const known = stored.get(scope);
      const found = news.compare(scope, known === undefined ? null : (JSON.parse(known) as KnownItems), now);
      if (found === null) return [];
      stored.set(scope, JSON.stringify(found.known));
      if (found.inDoubt) inDoubt.add(scope);
      else inDoubt.delete(scope);
      return found.events;
    });
  };
  return { read, stored, forgetCopies: () => copies.clear() };
};

const row = (course: string, score: string, more: Partial<ScoreRecord> = {}): ScoreRecord => ({
  ...{ sequence: 1, term_id: term, course_code: course, course_class: '01', course_name_cn: `课程${course}` },
  ...{ course_name_en: '', credits: '2', hours: 32, course_type: '必修', exam_type: '考试' },
  ...{ ...unsaidOf(ScoreRecord), score, ...more },
});
const typesOf = (events: readonly NewEvent[]) => events.map(({ type, about }) => [type, about.course_code, about.part]);

describe('scores', () => {
  const all = (events: ReturnType<typeof journal>, rows: readonly ScoreRecord[], at: number, now = at) =>
    events.read('all-scores', rows, at, { params: [term], now });
  const page = (rows: readonly ScoreRecord[], total = rows.length) => ({
    ...{ page_size: 50, page_num: 1, total_count: total, records: rows },
  });

  it('the first reading is the baseline; then a new mark is told once, thin without the mark', () => {
    const events = journal();
    expect(all(events, [row('A', '80'), row('B', '')], start)).toEqual([]);
    const [event, ...more] = all(events, [row('A', '80'), row('B', '91')], start + hour);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'score.published', readAt: start + hour, detail: { score: '91' } });
    expect(event?.about).toEqual({
      ...{ term_code: term, course_code: 'B', course_class: '01', course_name: '课程B', part: 'score' },
    });
    expect(JSON.stringify([event?.about, event?.ask])).not.toContain('91');
    expect(all(events, [row('A', '80'), row('B', '91')], start + 2 * hour)).toEqual([]);
  });

  it('shuffled, empty, half and old readings make none, and what comes back is no news', () => {
    const events = journal();
    const rows = Array.from({ length: 40 }, (_, at) => row(`C${at % 30}`, String(60 + at), { course_class: `${at}` }));
    all(events, rows, start);
    const halves = [rows.toReversed(), [], rows.slice(20), rows, rows.filter((_, at) => at % 2 === 0), rows];
    for (const [at, some] of halves.entries()) expect(all(events, some, start + (at + 1) * 20 * hour)).toEqual([]);
    expect(all(events, [...rows, row('Z', '100')], start - 1, start + 121 * hour)).toEqual([]);
    expect(typesOf(all(events, [...rows, row('Z', '100')], start + 200 * hour))).toEqual([
      ['score.published', 'Z', 'score'],
    ]);
  });

  it('another mark is a change; a retake beside it, in its cell or in a separate row, is published', () => {
    const events = journal();
    all(events, [row('A', '55'), row('B', '50')], start);
    expect(typesOf(all(events, [row('A', '56'), row('B', '50', { retake_score: '72' })], start + 1))).toEqual([
      ['score.published', 'B', 'retake'],
      ['score.changed', 'A', 'score'],
    ]);
    const twice = [row('A', '75'), row('A', '56'), row('B', '50', { retake_score: '72' })];
    expect(typesOf(all(events, twice, start + 2))).toEqual([['score.published', 'A', 'score']]);
    expect(all(events, twice.toReversed(), start + 3)).toEqual([]);
  });

  it('a page makes events only where it holds all rows of its term', () => {
    const events = journal();
    const params = [term, '1', '50', '', ''];
    const read = (rows: readonly ScoreRecord[], total: number, at: number) =>
      events.read('score-page', page(rows, total), at, { params });
    read([row('A', '80')], 2, start);
    expect(read([row('A', '80'), row('B', '70')], 3, start + 1)).toEqual([]);
    expect(read([row('A', '80'), row('B', '70')], 2, start + 2)).toEqual([]);
    expect(typesOf(read([row('A', '80'), row('B', '70'), row('C', '60')], 3, start + 3))).toEqual([
      ['score.published', 'C', 'score'],
    ]);
  });

  it('what one read has told, another does not tell again; each is compared with its own words', () => {
    const events = journal();
    const current = (rows: ReadonlyArray<readonly [string, string]>, at: number) =>
      events.read(
        'current-scores',
        rows.map(([code, score]) => row(code, score)),
        at,
      );
    all(events, [row('A', '80')], start);
    expect(current([['A', '80.0']], start + 1)).toEqual([]);
    expect(typesOf(all(events, [row('A', '80'), row('B', '91')], start + 2))).toEqual([
      ['score.published', 'B', 'score'],
    ]);
    const both = [
      ['A', '80.0'],
      ['B', '91.0'],
    ] as const;
    expect(current(both, start + 3)).toEqual([]);
    // Seen here first, it is news here; where it comes later it is none.
    expect(typesOf(current([...both, ['C', '70.0']], start + 4))).toEqual([['score.published', 'C', 'score']]);
    expect(all(events, [row('A', '80'), row('B', '91'), row('C', '70')], start + 5)).toEqual([]);
  });

  it('a change that another list has told is not told again, nor a mark that the student saw there before', () => {
    const events = journal();
    const current = (rows: readonly ScoreRecord[], at: number) => events.read('current-scores', rows, at);
    current([row('A', '80')], start);
    all(events, [row('A', '80'), row('B', '91')], start + 1);
    expect(typesOf(all(events, [row('A', '85'), row('B', '91')], start + 2))).toEqual([
      ['score.changed', 'A', 'score'],
    ]);
    expect(current([row('A', '85')], start + 3)).toEqual([]);
    expect(current([row('A', '85'), row('B', '91')], start + 4)).toEqual([]);
    // Also where this list was only seen to be the same since.
    const others = journal();
    others.read('current-scores', [row('A', '80')], start);
    all(others, [row('A', '80'), row('B', '91')], start + 1);
    others.read('current-scores', [row('A', '80')], start + 2);
    expect(others.read('current-scores', [row('A', '80'), row('B', '91')], start + 3)).toEqual([]);
  });

  it('a first reading of another list tells nothing, and hides nothing from the one that knows better', () => {
    const events = journal();
    const current = (rows: readonly ScoreRecord[], at: number) => events.read('current-scores', rows, at);
    current([row('A', '80')], start);
    expect(all(events, [row('A', '80'), row('B', '91')], start + hour)).toEqual([]);
    expect(typesOf(current([row('A', '80'), row('B', '91')], start + 2 * hour))).toEqual([
      ['score.published', 'B', 'score'],
    ]);
  });

  it('the first mark of a new term is told where the list was read before', () => {
    const events = journal();
    const whole = (records: ReadonlyArray<ReturnType<typeof row>>, at: number) =>
      events.read('whole-record', { source: 'scheme', groups: [], records }, at);
    whole([row('A', '80')], start);
    const next = row('B', '91', { term_id: '2025-2026-2-1' });
    expect(typesOf(whole([row('A', '80'), next], start + hour))).toEqual([['score.published', 'B', 'score']]);
  });

  it('goes by what is known where the copy was lost, and by the copy where nothing is known yet', () => {
    const events = journal();
    all(events, [row('A', '80')], start);
    events.forgetCopies();
    expect(typesOf(all(events, [row('A', '80'), row('B', '91')], start + 1))).toEqual([
      ['score.published', 'B', 'score'],
    ]);
    events.stored.clear();
    expect(typesOf(all(events, [row('A', '80'), row('B', '91'), row('C', '60')], start + 2))).toEqual([
      ['score.published', 'C', 'score'],
    ]);
  });

  it('continues after a clock was set back', () => {
    const events = journal();
    all(events, [row('A', '80')], start + 24 * hour);
    expect(typesOf(all(events, [row('A', '80'), row('B', '91')], start))).toEqual([['score.published', 'B', 'score']]);
  });

  it('what is remembered holds neither course nor mark', () => {
    const events = journal();
    all(events, [row('MARKER-COURSE', 'MARKER-MARK', { course_name_cn: 'MARKER-NAME' })], start);
    expect([...events.stored.values()].join()).not.toContain('MARKER');
  });

  it('takes time in proportion to the rows, also where all share one name', () => {
    const timeOf = (count: number): number => {
      const events = journal();
      const rows = Array.from({ length: count }, (_, at) => row(`C${at}`, String(at)));
      all(events, rows, start);
      const began = process.cpuUsage();
      all(events, rows.toReversed(), start + 1);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    // By turns, so that both meet the same load, until the least of each is seen to be in proportion.
    let [few, many] = [timeOf(100), timeOf(800)];
    for (let round = 0; round < 40 && many >= 24 * few; round += 1) {
      few = Math.min(few, timeOf(100));
      many = Math.min(many, timeOf(800));
    }
    expect(many).toBeLessThan(24 * few);
    const same = Array.from({ length: 1_000 }, (_, at) => row('C', String(at)));
    const events = journal();
    all(events, same, start);
    expect(all(events, same.toReversed(), start + 1)).toEqual([]);
    // More than any student has is no list to compare.
    expect(all(events, [...same, row('C', 'x')], start + 2)).toEqual([]);
  });
});

describe('what may vanish', () => {
  const exam = (courseName: string, date: string, more: object = {}) => ({
    ...{ courseName, date, time: '08:30-10:30', location: '一教101', kind: 'university', note: '', ...more },
  });
  const exams = (events: ReturnType<typeof journal>, list: readonly object[], at: number) =>
    events
      .read('exams', { exams: list, missing: [] }, at)
      .map(({ type, about, detail }) => [type, about.course_name, detail.date, detail.date_before]);

  it('an exam is scheduled once it has a day, moved where day, time or room differ, in any order', () => {
    const events = journal();
    exams(events, [exam('甲', '2026-01-20'), exam('乙', '')], start);
    const dated = [exam('乙', '2026-01-22'), exam('甲', '2026-01-20')];
    expect(exams(events, dated, start + 1)).toEqual([['exam.scheduled', '乙', '2026-01-22', undefined]]);
    expect(
      exams(events, [exam('乙', '2026-01-23'), exam('甲', '2026-01-20', { note: '座位号: 3' })], start + 2),
    ).toEqual([['exam.moved', '乙', '2026-01-23', '2026-01-22']]);
    // A resit beside its exam, and the exam that is over and leaves the list.
    expect(exams(events, [...dated, exam('甲', '2026-01-25')], start + 3)).toEqual([
      ['exam.scheduled', '甲', '2026-01-25', undefined],
      ['exam.moved', '乙', '2026-01-22', '2026-01-23'],
    ]);
    expect(exams(events, [exam('甲', '2026-01-25')], start + 11 * 24 * hour)).toEqual([]);
    expect(exams(events, [exam('甲', '2026-01-25')], start + 12 * 24 * hour)).toEqual([]);
  });

  it('an exam that vanished is cancelled only when a second reading 12 hours later agrees, and told once', () => {
    const events = journal();
    exams(events, [exam('甲', '2026-02-20')], start);
    expect(exams(events, [], start + 1)).toEqual([]);
    expect(exams(events, [], start + 12 * hour)).toEqual([]);
    expect(exams(events, [exam('甲', '2026-02-20')], start + 13 * hour)).toEqual([]);
    expect(exams(events, [], start + 14 * hour)).toEqual([]);
    expect(exams(events, [], start + 26 * hour)).toEqual([['exam.cancelled', '甲', '2026-02-20', undefined]]);
    expect(exams(events, [], start + 52 * hour)).toEqual([]);
  });

  it('a timetable tells all of a reading at once, in names', () => {
    const place = (weekday: number) => ({
      ...{ weekday, firstSession: 1, sessionCount: 2, weekMask: '1'.repeat(24), weekDescription: '', campus: '' },
      ...{ building: '', room: '101' },
    });
    const course = (code: string, days: readonly number[], sequence = '01') => ({
      ...{ name: `课${code}`, code, sequence, teachers: '', nature: '', examType: '', credits: 1 },
      places: days.map(place),
    });
    const events = journal();
    const read = (courses: readonly object[], at: number) =>
      events.read('schedule', { totalCredits: 0, courses, sections: { slots: [], semester: null } }, at, {
        params: [term],
      });
    read([course('A', [1, 3]), course('B', [2])], start);
    expect(read([course('B', [2]), course('A', [3, 1])], start + 1)).toEqual([]);
    const [event] = read([course('A', [1, 4]), course('C', [5])], start + 2);
    expect(event).toMatchObject({ type: 'schedule.changed', about: { added: '课C', changed: '课A' } });
    expect(event?.about.removed).toBeUndefined();
    expect(read([], start + 3)).toEqual([]);
    const [gone] = read([course('A', [1, 4]), course('C', [5])], start + 2 + 13 * hour);
    expect(gone?.about).toEqual({ term_code: term, removed: '课B' });
    // Another class of the same course is another one.
    const [other] = read([course('A', [1, 4], '02'), course('C', [5])], start + 14 * hour);
    expect(other?.about).toEqual({ term_code: term, added: '课A' });
    // Without a code, the name tells one course from another.
    const bare = (name: string) => ({ ...course('', [2]), name });
    const [named] = read([course('A', [1, 4], '02'), course('C', [5]), bare('甲'), bare('乙')], start + 15 * hour);
    expect(named?.about).toEqual({ term_code: term, added: '甲、乙' });
    // Without a class as well, nothing tells it from its like: practice of one name may come twice.
    const practice = { ...bare('社会实践'), sequence: '' };
    const before = [course('A', [1, 4], '02'), course('C', [5]), bare('甲'), bare('乙')];
    expect(read([...before, practice, practice], start + 16 * hour)).toEqual([]);
  });
});

describe('single values', () => {
  it('a term begins once, and holidays in between say nothing', () => {
    const events = journal();
    const read = (academicYear: string, season: string, at: number) =>
      events.read(
        'current-term',
        {
          text: { academicYear, season, week: null, speaksOfEnd: false },
          code: season === '' ? null : `${academicYear}-${season === '秋' ? 1 : 2}-1`,
          start: { firstDay: '', weeks: 0 },
          stated: [],
          readOn: '',
        },
        at,
      );
    read('2025-2026', '秋', start);
    expect(read('', '', start + 1)).toEqual([]);
    expect(read('2025-2026', '春', start + 2)).toMatchObject([
      { type: 'term.began', about: { term_code: '2025-2026-2-1' } },
    ]);
    expect(read('2025-2026', '秋', start + 3)).toEqual([]);
    expect(read('2025-2026', '春', start + 4)).toEqual([]);
  });

  it('electricity is low once for each threshold, until it has recovered by a fifth', () => {
    const events = journal();
    const read = (left: number, at: number, thresholds: number[] = [20, 10]) =>
      events
        .read(
          'electricity',
          { room_code: '1', room_text: '1-101', balance: { remaining_purchased: left, remaining_subsidy: 0 } },
          at,
          {
            thresholds,
          },
        )
        .map(({ about }) => about.threshold);
    read(50, start);
    const levels = [19, 15, 9, 11.9, 9, 12, 9.9, 24, 23, 19.9, 40];
    expect(levels.map((left, at) => read(left, start + at + 1))).toEqual([
      [20],
      [],
      [10],
      [],
      [],
      [],
      [10],
      [],
      [],
      [20],
      [],
    ]);
    expect(read(9, start + 99, [])).toEqual([10]);
  });

  it('courses that come to wait for evaluation are one event', () => {
    const events = journal();
    const course = (sequence: string, evaluated: string) => ({
      id: { staffNumber: '1', sequence, contentNumber: 'X', questionnaireCoding: '' },
      ...{ questionnaire: null, teacher: '', courseName: '', evaluated },
    });
    const read = (courses: readonly object[], at: number) =>
      events.read('evaluation-courses', { courses, total: 0, pending: null }, at).map(({ about }) => about.courses);
    expect(read([], start)).toEqual([]);
    expect(read([course('1', ''), course('2', '否'), course('3', '是')], start + 1)).toEqual([2]);
    expect(read([course('2', '是'), course('1', '')], start + 2)).toEqual([]);
  });

  it('a joined activity that is held at another time is told, joining one is not', () => {
    const events = journal();
    const activity = (ID: string, StartTime: string, more: object = {}) => ({
      ...{ ID, Title: `活动${ID}`, StartTime, EndTime: '2026-09-01 10:00', ...more },
    });
    const read = (data: readonly object[], at: number) =>
      events
        .read('joined-activities', { data, pageInfo: {} }, at)
        .map(({ about }) => [about.activity_id, about.change]);
    read([activity('a', '1')], start);
    expect(read([activity('b', '1'), activity('a', '1')], start + 1)).toEqual([]);
    expect(read([activity('b', '1'), activity('a', '2')], start + 2)).toEqual([['a', 'changed']]);
    read([activity('a', '2')], start + 3);
    expect(read([activity('a', '2')], start + 3 + 12 * hour)).toEqual([['b', 'gone']]);
    const over = activity('c', '1', { EndTime: '2026-01-11 10:00' });
    const renamed = activity('a', '2', { Title: '活动' });
    expect(read([renamed, over], start + 13 * hour)).toEqual([['a', 'changed']]);
    const longer = { ...renamed, EndTime: '2026-09-01 11:00' };
    expect(read([longer], start + 14 * hour)).toEqual([['a', 'changed']]);
    expect(read([longer], start + 27 * hour), 'what is over may leave without a word').toEqual([]);
  });

  it('a part of a score that was not there before is told with its course', () => {
    const events = journal();
    const component = (final: string | null) => ({
      ...{ score_type_code: '001', regular: '90', midterm: null, final, total: null, remark: '' },
    });
    events.read('score-components', [component(null)], start, { params: ['x'] });
    const [event, ...more] = events.read('score-components', [component('88')], start + 1, { params: ['x'] });
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'score.component_published', about: { part: '001' }, detail: { final: '88' } });
  });
});

it('what another version has read, and a read that tells nothing, makes no events', () => {
  const { name: read, shape } = allReads.exams;
  expect(findTellingRow({ read, shape })?.name).toBe(read);
  expect(findTellingRow({ read, shape: shape + 1 })).toBe(null);
  expect(findTellingRow({ read: allReads.terms.name, shape: allReads.terms.shape })).toBe(null);
});
