import { weekIn } from './calendar.ts';
import { type CourseEntry, place, placeIn, type ShownPlan, timetable, weekMask } from './timetable.ts';

const PLAN: ShownPlan = { id: '7352', name: '2023级计算机科学与技术本科培养方案' };

type Facts = Pick<CourseEntry, 'unit' | 'teacher' | 'nature' | 'exam'>;

const entry = (
  code: string,
  sequence: string,
  name: string | null,
  [unit, teacher, nature, exam]: readonly [Facts['unit'], Facts['teacher'], Facts['nature'], Facts['exam']],
  places: CourseEntry['places'],
): CourseEntry => ({ code: `SY${code}`, sequence, name, unit, teacher, nature, exam, places });

/** Courses without a time, masks of any length, teachers marked in two ways, a class split over two entries. */
const currentTerm = (weeks: number) => {
  const held = placeIn(weeks);
  const compilers = (places: CourseEntry['places']) =>
    entry('3204001', '02', '编译原理', [3.5, '周明* 许静 ', '必修', '考试'], places);
  // biome-ignore format: a course, or its place, a line
  const courses = [
    compilers([held(1, 1, 2, [1, 16], '明理楼-308'), held(3, 9, 3, [1, 15, 2], '明理楼-412')]),
    entry('3204002', '01', '数据库系统', ['4.0', '陈立＊ 高远* 苏岩', '必修', '考试'], [
      { ...held(2, 3, 2, [1, 18], '致知楼-201'), mask: '1111111111' },
      { ...held(4, 5, 2, [2, 18, 2], '致知楼-机房3'), mask: `${weekMask(2, weeks, 2)}00000000` },
    ]),
    entry('3204003', '01', '人工智能导论', [null, null, '选修', null], [
      { ...held(5, 7, 2, [1, 12], '格物楼-105'), mask: `第1-${weekIn(weeks, 12)}周`, building: null, room: null },
      { ...held(0, 0, 0, [13, 16], '格物楼-105'), day: 0 },
    ]),
    { ...entry('3204004', '01', '社会实践', [1, null, '必修', null], null), mode: '重修', status: ' ' },
    entry('3204005', '07', '形势与政策（六）', ['', ' 何欣 ', null, '考查'], ''),
    entry('3204006', '03', '创新创业基础', [2, '*', '任选', '考查'], {}),
    entry('3204007', '01', '毕业实习动员', [0, '罗成*', '必修', '考查'], [
      { ...held(1, 1, 1, [1, 1], '待定'), day: 0, building: null, room: null, weeks: null, mask: null },
    ]),
    entry('3204008', '01', null, [1, '无名', '选修', '考查'], null),
    entry('3204009', '02', '羽毛球', ['1', '马腾*', '任选', '考查'], [
      { ...held(6, 5, 2, [3, 14], '体育馆-2号场'), day: '6', first: '5', count: '2' },
    ]),
  ];
  return { courses, more: [compilers([held(5, 1, 2, [17, 18], '明理楼-报告厅')])] };
};

// biome-ignore format: a course, or its places, a line
const termBefore = [
  entry('3201001', '02', '操作系统', [4, '徐航* ', '必修', '考试'], [
    place(1, 3, 2, [1, 16], '明理楼-210'), place(4, 1, 2, [1, 16], '明理楼-210'),
  ]),
  entry('3201002', '01', '计算机网络', [3.5, '方瑜*', '必修', '考试'], [place(2, 5, 2, [1, 14], '致知楼-404')]),
  entry('3201005', '11', '体育（五）', [1, '马腾*', null, null], [place(3, 7, 2, [2, 17], '田径场-南侧')]),
];

// biome-ignore format: a course, or its places, a line
const yearBefore = [
  entry('2202001', '02', '数据结构（双语）', [4, '林默* Anna Weiss ', '必修', '考试'], [
    place(1, 1, 2, [1, 16], '格物楼-301'), place(3, 1, 2, [1, 16], '格物楼-301'),
  ]),
  entry('2202003', '04', '离散数学', [3, '唐宁*', '必修', '考试'], [place(2, 3, 2, [1, 16], '格物楼-118')]),
];

/** @param back how many terms before the current one; null for an empty timetable */
export const damagedTimetable = (back: number, term: string, userid: string, weeks: number): unknown => {
  switch (back) {
    case 0:
      return timetable(term, userid, [{ plan: PLAN, ...currentTerm(weeks) }], { units: '21.5' });
    case 1:
      return timetable(term, userid, [{ plan: PLAN, courses: termBefore }]);
    case 2:
      return { allUnits: null, errorMessage: null, xkxx: null, dateList: null };
    case 3:
      return timetable(term, userid, [{ plan: PLAN, courses: yearBefore }], { source: 'dateList' });
    case 6:
      return { allUnits: 0, errorMessage: '', xkxx: [], dateList: [] };
    default:
      return null;
  }
};
