import { dayNumber, dayText } from '../../lib/time.ts';
import { type SchoolTerm, schoolTerms } from '../school-terms.ts';

/** Courses and marks are made up. `minor`: a second programme. */
export interface EmapStudent {
  readonly id: string;
  readonly password: string;
  readonly shift: number;
  readonly minor: boolean;
}

export const emapStudents: readonly EmapStudent[] = [
  { id: 'J2026001', password: 'jinzhi-password', shift: 0, minor: false },
  { id: 'J2026002', password: 'jinzhi-password-2', shift: 9, minor: true },
];

export type EmapRow = Readonly<Record<string, unknown>>;

export const ownCodeOf = ({ year, number }: SchoolTerm): string => `${year}-${year + 1}-${number}`;

export const termsOn = (today: string): SchoolTerm[] => schoolTerms(today, 4);

/** Newest first, with a short term in summer and one of graduates, whose codes are others. */
export const termRows = (today: string): EmapRow[] => {
  const terms = termsOn(today);
  const summer = `${terms.find(({ number }) => number === 2)?.year ?? 0}`;
  const rows = terms.map((term) => ({
    DM: ownCodeOf(term),
    MC: `${term.year}-${term.year + 1}学年第${term.number === 1 ? '一' : '二'}学期`,
  }));
  const short = { DM: `${summer}-${Number(summer) + 1}-3`, MC: `${summer}-${Number(summer) + 1}学年第三学期` };
  return [...rows, short, { DM: '20261', MC: '研究生2026春' }].toSorted((a, b) => (a.DM < b.DM ? 1 : -1));
};

const mask = (weeks: readonly number[], length = 18): string =>
  Array.from({ length }, (_, at) => (weeks.includes(at + 1) ? '1' : '0')).join('');
const from = (first: number, last: number, step = 1): number[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);

const course = (KCH: string, KXH: string, KCM: string, XF: number | string, SKJS: string | null, kind: string) => ({
  ...{ KCH, KXH, KCM, XF, SKJS, JXBID: `J-${KCH}`, KBID: `K-${KCH}`, KCXZDM_DISPLAY: kind },
});
const economics = course('ECO1201', '01', '微观经济学', 3, '周明,许静', '必修');
const algebra = course('MAT1102', '03', '线性代数', '2.5', '何堤', '必修');
const sports = course('PED1001', '07', '体育(二)', '1', null, '必修');
const law = course('LAW2104', '02', '经济法', 2, '江澜', '选修');
const design = course('ART2001', '01', '设计思维', 2, '苏禾', '辅修');
const practice = course('PRA3001', '01', '社会实践', 1, '许静', '实践');

const at = (day: number, first: number, last: number, room: string | null) => ({
  ...{ SKXQ: day, KSJC: String(first), JSJC: last, JASMC: room, XXXQMC: room && '东校区' },
});
const untimed = { SKXQ: null, KSJC: null, JSJC: null, JASMC: null, XXXQMC: null, SKZC: null, ZCMC: null };

/** Odd and even weeks, several rooms, weeks after the 24th, and weeks that stand in the mask or in the words alone. */
export const tableOf = ({ id: XH, minor }: EmapStudent): EmapRow[] =>
  [
    {
      ...{ ...economics, ...at(1, 1, 2, '明理楼308') },
      SKZC: mask([...from(1, 9, 2), ...from(10, 16)]),
      ZCMC: '1-9周(单),10-16周',
    },
    { ...economics, ...at(3, 3, 4, '明理楼310'), SKZC: mask(from(2, 16, 2)), ZCMC: '2-16周(双)' },
    { ...algebra, ...at(2, 1, 2, '求是楼204'), SKZC: mask(from(1, 16)), ZCMC: null },
    { ...sports, ...untimed },
    { ...law, ...at(4, 7, 8, '明理楼112'), SKZC: mask(from(20, 26), 26), ZCMC: '20-26周' },
    ...(minor ? [{ ...design, ...at(6, 5, 8, '创新楼B101'), SKZC: '1-8周', ZCMC: '' }] : []),
  ].map((row) => ({ ...row, XH }));

export const listUntimed = ({ id: XH }: EmapStudent): EmapRow[] => [{ ...practice, ...untimed, XH }];

const oldPlace = (day: number, week: number) => ({
  ...{ SKXQ: String(day), KSJC: '1', JSJC: '2', SKZC: mask([week]) },
});
const newPlace = (day: number, first: number, week: number, room: string) => ({
  ...{ XSKXQ: String(day), XKSJC: String(first), XJSJC: String(first + 1), XSKZC: mask([week]), XJASMC: room },
});

/** A class was moved, and moved again; one is cancelled, one made up, and of one it cannot be told what it is. */
export const changesOf = ({ id: XH }: EmapStudent): EmapRow[] =>
  [
    {
      ...economics,
      TKLXDM: '01',
      SQSJ: '2026-09-20',
      ...oldPlace(1, 5),
      ...newPlace(3, 5, 6, '明理楼312'),
      XSKJS: '周明',
    },
    {
      ...{ ...economics, TKLXDM: '01', SQSJ: '2026-09-28', ...newPlace(5, 7, 7, '明理楼314') },
      ...{ SKXQ: '3', KSJC: '5', JSJC: '6', SKZC: mask([6]) },
    },
    { ...algebra, TKLXDM: '02', SQSJ: '2026-10-02', ...oldPlace(2, 8) },
    { ...algebra, TKLXDM: '03', SQSJ: '2026-10-03', ...newPlace(6, 3, 9, '求是楼206') },
    { ...law, TKLXDM: '09', SQSJ: '2026-10-04', ...oldPlace(4, 20) },
  ].map((row) => ({ ...row, XH }));

const scoreRow = (row: ReturnType<typeof course>, ZCJ: number | string | null, more: EmapRow = {}): EmapRow => ({
  ...{ ...row, XSKCM: row.KCM, XS: 48, ZCJ, KSLXDM_DISPLAY: '考试', CXCKDM_DISPLAY: '初修', SFJG: '1' },
  XFJD: typeof ZCJ === 'number' ? Math.round((ZCJ - 50) * 10) / 100 : null,
  ...{ PSCJ: null, PSCJXS: null, QZCJ: null, QMCJ: null, QMCJXS: null, SYCJ: -701, TSYYDM_DISPLAY: null },
  ...more,
});
const physics = (KXH: string) => course('PHY1001', KXH, '大学物理', '4', '何堤', '必修');

/** A mark in words, one that was missed, a retake in the next term as a separate row, codes in place of parts. */
export const scoresOf = ({ id: XH, shift, minor }: EmapStudent, today: string): EmapRow[] => {
  const [, last, before] = termsOn(today).map(ownCodeOf);
  const parts = { PSCJ: '90', PSCJXS: '40', QMCJ: '87', QMCJXS: '60', SYCJ: '85' };
  const rows = [
    { XNXQDM: last, ...scoreRow(economics, 88 - shift, parts) },
    { XNXQDM: last, ...scoreRow(sports, '优秀', { XFJD: null, PSCJ: -702 }) },
    { XNXQDM: last, ...scoreRow(physics('09'), 71 + shift, { CXCKDM_DISPLAY: '重修' }) },
    { XNXQDM: before, ...scoreRow(physics('02'), 52, { XFJD: 0, SFJG: '0' }) },
    { XNXQDM: before, ...scoreRow(law, null, { SFJG: 0, TSYYDM_DISPLAY: '缺考' }) },
    ...(minor ? [{ XNXQDM: before, ...scoreRow(design, '95', { SFJG: 1 }) }] : []),
  ];
  return rows.map((row) => ({ ...row, XH }));
};

/** In several spellings of times; one is not arranged. */
export const examsOf = ({ id: XH, shift }: EmapStudent, today: string): EmapRow[] => {
  const first = dayNumber(termsOn(today)[0]?.firstDay ?? today) ?? 0;
  const day = (behind: number): string => dayText(first + 18 * 7 + behind);
  const place = { XXXQMC: '东校区', JXLMC: '明理楼', KSMC: '期末考试', XH };
  return [
    {
      ...economics,
      ...place,
      KSRQ: day(0),
      KSSJMS: `${day(0)} 09：00-11:00(星期一)`,
      JASMC: '308',
      ZWH: `${12 + shift}`,
    },
    { ...algebra, ...place, KSRQ: day(2), KSSJMS: `${day(2)} 14.00::16.00`, JASMC: '明理楼310', ZWH: 7 + shift },
    { ...sports, KSSJMS: null, KSRQ: null, JASMC: null, ZWH: null, KSMC: '期末考试', XH },
  ];
};
