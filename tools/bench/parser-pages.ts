import { scoreRows } from './load.ts';

// Pages as each product writes them, with the members of its rows that no reader wants.

const marks = ['优秀', '88', '76.5', '91', '63'] as const;
const markOf = (at: number): string => marks[at % marks.length] ?? '';
const rows = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

export const urpScores = (count: number): string =>
  JSON.stringify({
    list: {
      pageSize: count,
      pageNum: 1,
      pageContext: { totalCount: count },
      records: scoreRows.slice(0, count).map(Object.values),
    },
  });

const urpPlace = (at: number) => ({
  id: `2025-2026-1-1KJ${1000 + at}01`,
  executiveEducationPlanNumber: '2025-2026-1-1',
  coureNumber: `KJ${1000 + at}`,
  coureSequenceNumber: '01',
  studentNumber: '2023100000',
  classWeek: at % 2 === 0 ? '111111111111111100000000' : '101010101010101000000000',
  classDay: (at % 7) + 1,
  classSessions: 1 + (at % 5) * 2,
  continuingSession: 2,
  weekDescription: at % 2 === 0 ? '1-16周' : '1-15周单周',
  campusName: '东校区',
  teachingBuildingName: '明理楼',
  classroomName: `明理楼-${300 + at}`,
  coursePropertiesName: '必修',
  coureName: `示例课程（${at}）`,
});

/** Each course has two places. */
export const urpTimetable = (count: number): string =>
  JSON.stringify({
    allUnits: 21.5,
    errorMessage: '',
    xkxx: rows(count / 2, (at) => ({
      [`KJ${1000 + at}_01`]: {
        id: {
          executiveEducationPlanNumber: '2025-2026-1-1',
          coureNumber: `KJ${1000 + at}`,
          coureSequenceNumber: '01',
          studentNumber: '2023100000',
        },
        programPlanName: '2023级会计学本科培养方案',
        courseName: `示例课程（${at}）`,
        unit: 3,
        attendClassTeacher: '周明* 许静 ',
        studyModeCode: '01',
        studyModeName: '正常',
        coursePropertiesName: '必修',
        examTypeName: '考试',
        courseCategoryName: null,
        restrictedCondition: null,
        bz: null,
        selectCourseStatusName: '选中',
        timeAndPlaceList: [urpPlace(2 * at), urpPlace(2 * at + 1)],
      },
    })),
  });

/** What the framework of the product puts into each row. */
const jwglxtModel = {
  date: '二○二六年十一月二十八日',
  dateDigit: '2026年11月28日',
  dateDigitSeparator: '2026-11-28',
  day: '28',
  jgpxzd: '1',
  listnav: 'false',
  localeKey: 'zh_CN',
  month: '11',
  pageTotal: 0,
  pageable: true,
  queryModel: {
    currentPage: 1,
    currentResult: 0,
    entityOrField: false,
    limit: 15,
    offset: 0,
    pageNo: 0,
    pageSize: 15,
    showCount: 10,
    sorts: [],
    totalCount: 0,
    totalPage: 0,
    totalResult: 0,
  },
  rangeable: true,
  totalResult: '500',
  userModel: {
    monitor: false,
    roleCount: 0,
    roleKeys: '',
    roleValues: '',
    status: 0,
    usable: false,
  },
  year: '2026',
};

export const jwglxtScores = (count: number): string =>
  JSON.stringify({
    currentPage: 1,
    totalResult: count,
    items: rows(count, (at) => ({
      xh: '2023100000',
      xm: '林晓',
      xnm: '2025',
      xnmmc: '2025-2026',
      xqm: at % 2 === 0 ? '3' : '12',
      xqmmc: String(1 + (at % 2)),
      kch: `KJ${1000 + at}`,
      kch_id: `KJ${1000 + at}`,
      kcmc: `示例课程（${at}）`,
      kcywmc: `Example Course ${at}`,
      jxb_id: at.toString(16).toUpperCase().padStart(32, '0'),
      jxbmc: `示例课程（${at}）-0001`,
      xf: '3.0',
      cj: markOf(at),
      bfzcj: at % 5 === 0 ? '95' : markOf(at),
      jd: '3.80',
      xfjd: '11.40',
      kcxzmc: '必修',
      kclbmc: '学科基础课',
      kcgsmc: '',
      ksxz: '正常考试',
      ksxzdm: '01',
      khfsmc: '考试',
      kcbj: '主修',
      cjsfzf: '否',
      cjbz: '',
      jsxm: '周明',
      tjsj: '2026-01-15 10:00:00',
      ...jwglxtModel,
    })),
  });

export const jwglxtTimetable = (count: number): string =>
  JSON.stringify({
    xsxx: { XH: '2023100000', XM: '林晓', KCMS: 2 },
    kbList: rows(count, (at) => ({
      kch: `KJ${1000 + (at >> 1)}`,
      kch_id: `KJ${1000 + (at >> 1)}`,
      kcmc: `示例课程（${at >> 1}）★`,
      xslxbj: '★',
      jxbmc: `示例课程（${at >> 1}）-0001`,
      jxb_id: (at >> 1).toString(16).toUpperCase().padStart(32, '0'),
      xm: '周明,许静',
      zcmc: '讲师',
      xqmc: '东校区',
      cdmc: `明理楼${300 + at}`,
      xqj: String((at % 7) + 1),
      xqjmc: '星期一',
      jcs: '1-2',
      jc: '1-2节',
      jcor: '1-4',
      zcd: at % 2 === 0 ? '1-8周(单),10周,12-16周(双)' : '1-16周',
      oldzc: at % 2 === 0 ? '43605' : '65535',
      xf: '3.0',
      kcxz: '必修',
      khfsmc: '考试',
      xkbz: '无',
      cxbj: '0',
      ...jwglxtModel,
    })),
    sjkList: [],
  });

export const eams5Scores = (count: number): string =>
  JSON.stringify({
    semesters: rows(8, (at) => ({
      id: at,
      nameZh: `${2020 + (at >> 1)}-${2021 + (at >> 1)}学年第${at % 2 === 0 ? '一' : '二'}学期`,
    })),
    semesterId2studentGrades: Object.fromEntries(
      rows(8, (term) => [
        term,
        rows(Math.ceil((count - term) / 8), (at) => ({
          id: 100_000 * term + at,
          course: { nameZh: `示例课程（${at}）`, nameEn: `Example Course ${at}`, code: `KJ${1000 + at}`, credits: 2.5 },
          courseType: { nameZh: '必修' },
          lessonCode: `KJ${1000 + at}.0${term}`,
          gaGrade: markOf(at),
          gp: 3.8,
          passed: true,
          published: true,
          semesterName: '2025-2026学年第一学期',
          gradeDetail: '<span>平时成绩:90</span><span>期末成绩:87</span>',
        })),
      ]),
    ),
  });

export const eams5Timetable = (count: number): string =>
  JSON.stringify({
    studentTableVms: [
      {
        id: 4711,
        activities: rows(count, (at) => ({
          lessonId: 9000 + (at >> 1),
          lessonCode: `KJ${1000 + (at >> 1)}.01`,
          lessonName: `示例课程（${at >> 1}）`,
          courseCode: `KJ${1000 + (at >> 1)}`,
          courseName: `示例课程（${at >> 1}）`,
          teachers: ['周明', '许静'],
          credits: 2.5,
          courseType: { nameZh: '必修' },
          lessonRemark: null,
          weeksStr: '1~16',
          weekIndexes: rows(16, (week) => week + 1),
          weekday: (at % 7) + 1,
          startUnit: 1,
          endUnit: 2,
          campus: '东校区',
          building: '明理楼',
          room: `明理楼-${300 + at}`,
        })),
        timeTableLayout: {
          courseUnitList: rows(12, (at) => ({ indexNo: at + 1, startTime: 800 + at * 100, endTime: 845 + at * 100 })),
        },
      },
    ],
  });

const emapAnswer = (name: string, list: readonly object[]): string =>
  JSON.stringify({
    code: '0',
    datas: { [name]: { totalSize: list.length, pageSize: 999, rows: list, extParams: { code: 1 } } },
  });

export const emapScores = (count: number): string =>
  emapAnswer(
    'xscjcx',
    rows(count, (at) => ({
      XH: '2023100000',
      XNXQDM: '2025-2026-1',
      XNXQDM_DISPLAY: '2025-2026学年第一学期',
      KCH: `KJ${1000 + at}`,
      KXH: '01',
      KCM: `示例课程（${at}）`,
      XSKCM: `示例课程（${at}）`,
      JXBID: `20252026KJ${1000 + at}01`,
      XF: 2.5,
      XS: 40,
      KCXZDM: '01',
      KCXZDM_DISPLAY: '必修',
      KSLXDM: '01',
      KSLXDM_DISPLAY: '考试',
      CXCKDM_DISPLAY: '初修',
      SFJG: '1',
      SFJG_DISPLAY: '是',
      ZCJ: markOf(at),
      XFJD: 3.8,
      PSCJ: '90',
      PSCJXS: '40',
      QZCJ: null,
      QMCJ: '87',
      QMCJXS: '60',
      SYCJ: -701,
      TSYYDM_DISPLAY: null,
    })),
  );

export const emapTimetable = (count: number): string =>
  emapAnswer(
    'cxxszhxqkb',
    rows(count, (at) => ({
      XH: '2023100000',
      KCH: `KJ${1000 + (at >> 1)}`,
      KXH: '01',
      KCM: `示例课程（${at >> 1}）`,
      XF: 2.5,
      SKJS: '周明,许静',
      JXBID: `20252026KJ${1000 + at}01`,
      KCXZDM_DISPLAY: '必修',
      SKXQ: (at % 7) + 1,
      KSJC: '1',
      JSJC: 2,
      JXLMC: '明理楼',
      JASMC: `明理楼${300 + at}`,
      XXXQMC: '东校区',
      SKZC: at % 2 === 0 ? '101010101111111100' : '111111111111111100',
      ZCMC: at % 2 === 0 ? '1-9周(单),10-16周' : '1-16周',
    })),
  );
