import type { ScoreSheet, StudentAcademics, TermOption } from './academics.ts';
import { type CourseDraft, place, placeIn, timetable } from './timetable.ts';

/** The student whose records are as they should be, with one very long term. Every course code begins with `RW`. */
const TERMS: readonly TermOption[] = [
  { code: '', label: '全部' },
  { code: '2025-2026-2-1', label: '2025-2026学年春(当前)' },
  { code: '2025-2026-1-1', label: '2025-2026学年秋' },
  { code: '2024-2025-2-1', label: '2024-2025学年春' },
  { code: '2024-2025-1-1', label: '2024-2025学年秋' },
  { code: '2023-2024-2-1', label: '2023-2024学年春' },
  { code: '2023-2024-1-1', label: '2023-2024学年秋' },
];

/** Number, name, English name, credits, hours, nature, mark. */
type Line = readonly [string, string, string, string, number, string, string];

const AUTUMN_2025: readonly Line[] = [
  ['3501001', '古代文学史（三）', 'History of Ancient Literature III', '3', 48, '必修', '89'],
  ['3501002', '语言学概论', 'Introduction to Linguistics', '3', 48, '必修', '92'],
  ['3501003', '文学理论', 'Literary Theory', '3', 48, '必修', '85'],
  ['3501004', '影视鉴赏', 'Film Appreciation', '1.5', 24, '任选', '94'],
];
const AUTUMN_2024: readonly Line[] = [
  ['2501001', '古代文学史（一）', 'History of Ancient Literature I', '3', 48, '必修', '83'],
  ['2501002', '现代汉语（下）', 'Modern Chinese II', '3', 48, '必修', '88'],
  ['2501003', '大学英语（三）', 'College English III', '2', 32, '必修', '90'],
];
const SPRING_2024: readonly Line[] = [
  ['1502001', '写作训练', 'Writing Workshop', '2', 32, '必修', '86'],
  ['1502002', '中国通史', 'General History of China', '3', 48, '选修', '81'],
];
const AUTUMN_2023: readonly Line[] = [
  ['1501001', '现代汉语（上）', 'Modern Chinese I', '3', 48, '必修', '87'],
  ['1501002', '文献学基础', 'Foundations of Philology', '2', 32, '必修', '84'],
  ['1501003', '大学英语（一）', 'College English I', '2', 32, '必修', '91'],
];

const LONG_TERM_ROWS = 120;

/** A term of reading courses, one per book: more rows than any page holds. */
const readingCourses = (): readonly Line[] =>
  Array.from({ length: LONG_TERM_ROWS }, (_, index) => {
    const number = index + 1;
    return [
      `2502${String(number).padStart(3, '0')}`,
      `经典研读（第${number}讲）`,
      `Classics Reading ${number}`,
      '0.5',
      8,
      number % 3 === 0 ? '选修' : '必修',
      String(60 + ((number * 7) % 40)),
    ];
  });

const rows = (term: string, lines: readonly Line[], code: (number: string) => string): ScoreSheet =>
  lines.map(([number, name, english, credits, hours, nature, mark], index) => [
    index + 1,
    term,
    code(number),
    '01',
    name,
    english,
    credits,
    hours,
    nature,
    nature === '任选' ? '考查' : '考试',
    mark,
    null,
    null,
  ]);

const course = (
  code: string,
  name: string,
  unit: number,
  teacher: string,
  places: CourseDraft['places'],
): CourseDraft => ({ code, sequence: '01', name, unit, teacher, nature: '必修', exam: '考试', places });

export const studentTwoAcademics = (userid: string): StudentAcademics => {
  const code = (number: string): string => `RW${number}`;
  const scores = new Map<string, ScoreSheet>([
    ['2025-2026-2-1', 'no records'],
    ['2025-2026-1-1', rows('2025-2026-1-1', AUTUMN_2025, code)],
    ['2024-2025-2-1', rows('2024-2025-2-1', readingCourses(), code)],
    ['2024-2025-1-1', rows('2024-2025-1-1', AUTUMN_2024, code)],
    ['2023-2024-2-1', rows('2023-2024-2-1', SPRING_2024, code)],
    ['2023-2024-1-1', rows('2023-2024-1-1', AUTUMN_2023, code)],
  ]);
  const schedules = (weeks: number) => {
    const held = placeIn(weeks);
    return new Map<string, unknown>([
      [
        '2025-2026-2-1',
        timetable('2025-2026-2-1', userid, [
          course(code('3502001'), '古代文学史（四）', 3, '沈若* ', [
            held(1, 3, 2, [1, 16], '文华楼-203'),
            held(4, 3, 2, [1, 16], '文华楼-203'),
          ]),
          course(code('3502002'), '外国文学史', 3, '韩雪* ', [held(2, 1, 3, [1, 16], '文华楼-118')]),
          course(code('3502003'), '训诂学', 2, '严青* ', [held(3, 5, 2, [1, 15, 2], '文华楼-307')]),
          course(code('3502004'), '民间文学', 2, '卓玛* ', [held(5, 3, 2, [2, 16, 2], '文华楼-110')]),
        ]),
      ],
      [
        '2025-2026-1-1',
        timetable('2025-2026-1-1', userid, [
          course(code('3501001'), '古代文学史（三）', 3, '沈若* ', [place(1, 1, 2, [1, 16], '文华楼-203')]),
          course(code('3501002'), '语言学概论', 3, '孟珂* ', [place(3, 3, 2, [1, 16], '文华楼-215')]),
        ]),
      ],
    ]);
  };
  return {
    summary: {
      courseNum: 134,
      coursePas: 0,
      gpa: 3.87,
      courseNum_bxqyxd: 4,
      zxjxjhh: '2025-2026-2-1',
      sspjf_jd: 87.9,
      sspjf_pm: 6,
      sspjf_rs: 64,
    },
    terms: TERMS,
    countsAsText: false,
    scores,
    schedules,
  };
};
