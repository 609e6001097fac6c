/** A university exam, so many days from today. Null: an entry of the calendar that is no exam. */
interface DemoExam {
  readonly inDays: number;
  /** Lines of the calendar entry: course, time, place. */
  readonly lines: readonly string[] | null;
  /** Block of the seat page: heading and what stands behind the seat label; none without a seat. */
  readonly seat?: { readonly heading: string; readonly text: string };
}

/** The exams of one student. Days count from today, so that there is always something ahead. */
export interface StudentExams {
  readonly university: readonly DemoExam[];
  /** Rows by term, as sent: values of any type. Null: `records` is null. */
  readonly others: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]> | null;
}

const place = (room: string): readonly string[] => ['东校区', '东校区明理楼', `明理楼-${room}`, ''];

const OTHER_ROWS = 33;

const otherRows = (term: string, code: (number: string) => string): readonly Readonly<Record<string, unknown>>[] => {
  const row = (number: number, more: Readonly<Record<string, unknown>>) => ({
    ZXJXJHH: term,
    ZXJXJHM: '2025-2026学年春',
    KSMC: '期末考核',
    KCH: code(`41010${String(number).padStart(2, '0')}`),
    KCM: `实验考核（第${number}场）`,
    KXH: '01',
    XM: '林晓',
    KSDD: '西校区 致远楼-101',
    KSRQ: `2026年6月${(number % 28) + 1}日`,
    KSSJ: '14:00-15:30',
    BZ: null,
    RN: String(number),
    ...more,
  });
  return [
    row(1, { KCM: '形势与政策', KSRQ: '2026年1月3日', BZ: '开卷' }),
    row(2, { KCM: '体育（四）', KSRQ: '2026/6/9', KSSJ: '第7-8节', KSDD: null }),
    row(3, { KCM: '口语测试', KSRQ: null, KSSJ: '另行通知', BZ: 3 }),
    row(4, { KCM: null, KSRQ: '', KSSJ: null }),
    ...Array.from({ length: OTHER_ROWS - 4 }, (_, index) => row(index + 5, {})),
  ];
};

/** Names that come twice, seats glued to other labels, an entry without a course, and more other exams than a page holds. */
export const studentOneExams = (code: (number: string) => string): StudentExams => ({
  university: [
    {
      inDays: 2,
      lines: ['线性代数(B)', '14:00-16:00', '西校区', '西校区致远楼', '致远楼-102'],
      seat: { heading: `（${code('1102004')}-02）线性代数(B)`, text: '07准考证号：' },
    },
    {
      inDays: 1,
      lines: ['高等数学（下）', '08:30-10:30', ...place('308')],
      seat: { heading: `（${code('1102002')}-01）高等数学（下）`, text: '&nbsp;18<br>准考证号：' },
    },
    {
      inDays: 4,
      lines: ['线性代数(B)', '14:00-16:00', ...place('204')],
      seat: { heading: `(${code('1102004')}-09)线性代数（B）`, text: '31<br>考试提示信息：补考' },
    },
    { inDays: 3, lines: ['数据结构', '10:00-12:00', ...place('101')] },
    { inDays: 5, lines: ['大学英语（四）'] },
    { inDays: 6, lines: null },
    { inDays: 3_000, lines: ['很久以后的考试', '08:30-10:30', ...place('101')] },
  ],
  others: new Map([['2025-2026-2-1', otherRows('2025-2026-2-1', code)]]),
});

/** No exams of any kind. */
export const studentTwoExams = (): StudentExams => ({ university: [], others: null });
