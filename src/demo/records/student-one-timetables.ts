import { weekIn } from './calendar.ts';
import { place, placeIn, timetable, weekMask } from './timetable.ts';

/** Courses without a time, masks of any length, teachers marked in two ways, a class split over two entries. */
export const studentOneTimetables = (
  code: (number: string) => string,
  userid: string,
  weeks: number,
): ReadonlyMap<string, unknown> => {
  const held = placeIn(weeks);
  const compilers = {
    code: code('3202001'),
    sequence: '02',
    name: '编译原理',
    unit: 3.5,
    teacher: '周明* 许静 ',
    nature: '必修',
    exam: '考试',
    places: [held(1, 1, 2, [1, 16], '明理楼-308'), held(3, 9, 3, [1, 15, 2], '明理楼-412')],
  };
  const current = [
    compilers,
    {
      code: code('3202002'),
      sequence: '01',
      name: '数据库系统',
      unit: '4.0',
      teacher: '陈立＊ 高远* 苏岩',
      nature: '必修',
      exam: '考试',
      places: [
        { ...held(2, 3, 2, [1, 18], '致知楼-201'), mask: '1111111111' },
        { ...held(4, 5, 2, [2, 18, 2], '致知楼-机房3'), mask: `${weekMask(2, weeks, 2)}00000000` },
      ],
    },
    {
      code: code('3202003'),
      sequence: '01',
      name: '人工智能导论',
      unit: null,
      teacher: null,
      nature: '选修',
      exam: null,
      places: [
        { ...held(5, 7, 2, [1, 12], '格物楼-105'), mask: `第1-${weekIn(weeks, 12)}周`, building: null, room: null },
        { ...held(0, 0, 0, [13, 16], '格物楼-105'), day: 0 },
      ],
    },
    {
      code: code('3202004'),
      sequence: '01',
      name: '社会实践',
      unit: 1,
      teacher: null,
      nature: '必修',
      exam: null,
      places: null,
    },
    {
      code: code('3202005'),
      sequence: '07',
      name: '形势与政策（六）',
      unit: '',
      teacher: ' 何欣 ',
      nature: null,
      exam: '考查',
      places: '' as const,
    },
    {
      code: code('3202006'),
      sequence: '03',
      name: '创新创业基础',
      unit: 2,
      teacher: '*',
      nature: '任选',
      exam: '考查',
      places: {},
    },
    {
      code: code('3202007'),
      sequence: '01',
      name: '毕业实习动员',
      unit: 0,
      teacher: '罗成*',
      nature: '必修',
      exam: '考查',
      places: [{ ...held(1, 1, 1, [1, 1], '待定'), day: 0, building: null, room: null, weeks: null, mask: null }],
    },
    {
      code: code('3202008'),
      sequence: '01',
      name: null,
      unit: 1,
      teacher: '无名',
      nature: '选修',
      exam: '考查',
      places: null,
    },
    {
      code: code('3202009'),
      sequence: '02',
      name: '羽毛球',
      unit: '1',
      teacher: '马腾*',
      nature: '任选',
      exam: '考查',
      places: [{ ...held(6, 5, 2, [3, 14], '体育馆-2号场'), day: '6', first: '5', count: '2' }],
    },
  ];
  const more = [{ ...compilers, places: [held(5, 1, 2, [17, 18], '明理楼-报告厅')] }];
  const autumn = [
    {
      code: code('3201001'),
      sequence: '02',
      name: '操作系统',
      unit: 4,
      teacher: '徐航* ',
      nature: '必修',
      exam: '考试',
      places: [place(1, 3, 2, [1, 16], '明理楼-210'), place(4, 1, 2, [1, 16], '明理楼-210')],
    },
    {
      code: code('3201002'),
      sequence: '01',
      name: '计算机网络',
      unit: 3.5,
      teacher: '方瑜*',
      nature: '必修',
      exam: '考试',
      places: [place(2, 5, 2, [1, 14], '致知楼-404')],
    },
    {
      code: code('3201005'),
      sequence: '11',
      name: '体育（五）',
      unit: 1,
      teacher: '马腾*',
      nature: null,
      exam: null,
      places: [place(3, 7, 2, [2, 17], '田径场-南侧')],
    },
  ];
  const spring = [
    {
      code: code('2202001'),
      sequence: '02',
      name: '数据结构（双语）',
      unit: 4,
      teacher: '林默* Anna Weiss ',
      nature: '必修',
      exam: '考试',
      places: [place(1, 1, 2, [1, 16], '格物楼-301'), place(3, 1, 2, [1, 16], '格物楼-301')],
    },
    {
      code: code('2202003'),
      sequence: '04',
      name: '离散数学',
      unit: 3,
      teacher: '唐宁*',
      nature: '必修',
      exam: '考试',
      places: [place(2, 3, 2, [1, 16], '格物楼-118')],
    },
  ];
  return new Map<string, unknown>([
    ['2025-2026-2-1', timetable('2025-2026-2-1', userid, current, { more, units: '21.5' })],
    ['2025-2026-1-1', timetable('2025-2026-1-1', userid, autumn)],
    ['2024-2025-3-1', { allUnits: null, errorMessage: null, xkxx: null, dateList: null }],
    ['2024-2025-2-1', timetable('2024-2025-2-1', userid, spring, { source: 'dateList' })],
    ['2023-2024-2-1', { allUnits: 0, errorMessage: '', xkxx: [], dateList: [] }],
  ]);
};
