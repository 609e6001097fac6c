import { describe, expect, it } from 'vitest';
import {
  byTimeOfDay,
  type Exam,
  type ExamSeat,
  type ExamSources,
  examWindow,
  mergeExams,
  withSeats,
} from '../../../../src/domain/academics/exams.ts';
import { failures } from '../../../../src/domain/errors.ts';

const exam = (courseName: string, date: string, time: string, more: Partial<Exam> = {}): Exam => ({
  courseName,
  date,
  time,
  location: '',
  kind: 'university',
  note: '',
  ...more,
});
const block = (courseName: string, seat: string, dates: string[] = [], times: string[] = []): ExamSeat => ({
  courseName,
  seat,
  dates,
  times,
});
const notes = (exams: readonly Exam[]) => exams.map(({ note }) => note);

describe('the window of university exams', () => {
  it.each([
    ['an autumn term, until the end of March after it', '2025-2026-1-1', '2025-12-20', '2026-03-30'],
    ['an autumn term in January', '2025-2026-1-1', '2026-01-05', '2026-03-30'],
    ['the last day itself', '2025-2026-1-1', '2026-03-30', '2026-03-30'],
    ['a spring term, until the end of September', '2025-2026-2-1', '2026-06-01', '2026-09-30'],
    ['a spring term whose index is another', '2025-2026-2-2', '2026-06-01', '2026-09-30'],
    ['a code of three parts', '2025-2026-2', '2026-06-01', '2026-09-30'],
    ['a summer term, 270 days', '2025-2026-3-1', '2026-07-10', '2027-04-06'],
    ['a code that is none, 270 days', 'x', '2026-07-10', '2027-04-06'],
    ['a term that is over, until the end of March of next year', '2025-2026-1-1', '2026-03-31', '2027-03-30'],
  ])('%s', (_, code, today, end) => {
    expect(examWindow(code, today)).toEqual({ start: today, end });
  });
});

describe('seats', () => {
  const first = exam('线性代数(B)', '2026-01-07', '14:00-16:00');
  const second = exam('线性代数(B)', '2026-01-09', '14:00-16:00');

  it('go to the exam of their own day and hour when two exams share a name', () => {
    const seats = [
      block('线性代数（B）', '31', ['2026-01-09'], ['14:00', '16:00']),
      block('线性代数(B)', '07', ['2026-01-07'], ['14:00', '16:00']),
    ];
    expect(notes(withSeats([first, second], seats))).toEqual(['座位号: 07', '座位号: 31']);
  });

  it('are told apart by the hour on one day', () => {
    const morning = exam('听力', '2026-01-07', '8:30-9:00');
    const noon = exam('听力', '2026-01-07', '12:30-13:00');
    const seats = [
      block('听力', '2', ['2026-01-07'], ['12:30', '13:00']),
      block('听力', '1', ['2026-01-07'], ['08:30']),
    ];
    expect(notes(withSeats([morning, noon], seats))).toEqual(['座位号: 1', '座位号: 2']);
  });

  it('are found by the name alone where it is the only one', () => {
    expect(notes(withSeats([first], [block('线性代数(B)', '07')]))).toEqual(['座位号: 07']);
    expect(notes(withSeats([exam('体育', '', '')], [block('体育', '5', [], [])]))).toEqual(['座位号: 5']);
    expect(notes(withSeats([exam('大学英语（２）Ａ', '', '')], [block('大学英语 (2)A', '5')]))).toEqual(['座位号: 5']);
  });

  it('are not guessed: neither for a shared name without a date, nor of another day', () => {
    expect(notes(withSeats([first, second], [block('线性代数(B)', '07')]))).toEqual(['', '']);
    expect(notes(withSeats([first], [block('线性代数(B)', '07', ['2025-06-20'], ['14:00'])]))).toEqual(['']);
    expect(notes(withSeats([first], [block('线性代数(B)', '07', ['2026-01-07'], ['08:30'])]))).toEqual(['']);
    expect(notes(withSeats([first], [block('线性代数', '07')]))).toEqual(['']);
  });

  it('of one name cost a look at each pair, however many there are', () => {
    let looks = 0;
    const watched = (): Exam => ({
      ...exam('听力', '2026-01-07', ''),
      get time() {
        looks += 1;
        return '08:30';
      },
    });
    const many = Array.from({ length: 60 }, watched);
    const seats = Array.from({ length: 60 }, (_, i) => block('听力', String(i), [], ['08:30']));
    expect(withSeats(many, seats)).toHaveLength(60);
    expect(looks).toBeLessThan(60 * 60 * 4);
  });

  it('of a block with a date only go to the one exam of that day', () => {
    const seats = [block('线性代数(B)', '07', ['2026-01-07'])];
    expect(notes(withSeats([second, first], seats))).toEqual(['', '座位号: 07']);
  });
});

describe('both sources', () => {
  const down = failures.upstreamUnavailable('academics');
  const late = failures.timedOut(undefined, { system: 'academics' });
  const sources: ExamSources = {
    seats: { value: [block('乙', '4')] },
    university: { value: [exam('乙', '2026-01-09', '08:30'), exam('甲', '2026-01-07', '14:00')] },
    others: { value: [exam('丁', '2026-01-07', '08:30', { kind: 'other' }), exam('戊', '', '', { kind: 'other' })] },
  };
  const names = (list: readonly Exam[]) => list.map(({ courseName }) => courseName).join('');

  it('make one list by date, undated first, university exams before others of the same day', () => {
    const { exams, missing } = mergeExams(sources);
    expect(names(exams)).toBe('戊甲丁乙');
    expect(exams.at(-1)?.note).toBe('座位号: 4');
    expect(missing).toEqual([]);
    expect(names(byTimeOfDay(exams))).toBe('戊丁甲乙');
  });

  it.each<[string, Partial<Exam>, Partial<Exam>, number]>([
    ['once', {}, {}, 1],
    ['once, in other words', { courseName: ' 甲' }, { time: '下午2:00-4:00', location: '梅园 201' }, 1],
    ['twice on another day', {}, { date: '2026-01-08' }, 2],
    ['twice at another hour', {}, { time: '16:00' }, 2],
    ['twice without an hour', { time: '' }, { time: '' }, 2],
    ['twice without a day', { date: '' }, { date: '' }, 2],
    ['twice in another room', { location: '梅园 201' }, { location: '梅园 202' }, 2],
    ['twice with another seat', { note: '座位号: 3' }, { note: '座位号：4' }, 2],
  ])('show an exam of both lists %s', (_, one, other, count) => {
    const university = { value: [exam('甲', '2026-01-07', '14:00-16:00', one)] };
    const others = { value: [exam('甲', '2026-01-07', '14:00', { kind: 'other', ...other })] };
    expect(mergeExams({ seats: { value: [] }, university, others }).exams).toHaveLength(count);
  });

  it('of both lists have what each of them knows', () => {
    const extras = { course_code: 'A1', course_sequence: null, exam_name: null, week: null, admission_ticket: null };
    const other = exam('甲', '2026-01-07', '14:00', {
      kind: 'other',
      location: '梅园 201',
      note: '带学生证',
      extras: { ...extras, hint: null },
    });
    const university = { value: [exam('甲', '2026-01-07', '14:00-16:00')] };
    const seats = { value: [block('甲', '4', ['2026-01-07'], ['14:00'])] };
    expect(mergeExams({ seats, university, others: { value: [other] } }).exams).toEqual([
      {
        courseName: '甲',
        date: '2026-01-07',
        time: '14:00-16:00',
        location: '梅园 201',
        kind: 'university',
        note: '座位号: 4',
        extras: { ...extras, hint: '带学生证' },
      },
    ]);
  });

  it('give a seat to an hour of twelve, and to no hour in doubt', () => {
    const seats = [block('甲', '4', ['2026-01-07'], ['14:00'])];
    expect(notes(withSeats([exam('甲', '2026-01-07', '下午2:00-4:00')], seats))).toEqual(['座位号: 4']);
    expect(notes(withSeats([exam('甲', '2026-01-07', '14:00')], [block('甲', '4', ['2026-01-07'], ['?'])]))).toEqual([
      '',
    ]);
  });

  it('keep what appears twice', () => {
    const twice = [exam('甲', '2026-01-07', '14:00'), exam('甲', '2026-01-07', '14:00')];
    expect(mergeExams({ ...sources, university: { value: twice }, others: { value: [] } }).exams).toHaveLength(2);
    const extras = { course_code: 'EX1', course_sequence: null, exam_name: null, week: null };
    const stated = {
      ...block('甲', '4', ['2026-01-07'], ['14:00']),
      extras: { ...extras, admission_ticket: null, hint: null },
    };
    expect(withSeats(twice, [stated]).map((each) => each.extras?.course_code)).toEqual(['EX1', undefined]);
  });

  it('name what failed and keep the rest', () => {
    expect(mergeExams({ ...sources, others: { failure: down } })).toMatchObject({
      exams: [{ courseName: '甲' }, { courseName: '乙' }],
      missing: [{ part: 'other-exams', failure: down }],
    });
    expect(mergeExams({ ...sources, university: { failure: late }, seats: { failure: down } }).missing).toEqual([
      { part: 'university-exams', failure: late },
      { part: 'exam-seats', failure: down },
    ]);
    expect(mergeExams({ ...sources, seats: { failure: down } }).exams.at(-1)?.note).toBe('');
  });

  it('fail together when neither answers', () => {
    const neither = { ...sources, university: { failure: late }, others: { failure: down } };
    expect(() => mergeExams(neither)).toThrow(late);
  });
});
