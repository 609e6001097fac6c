import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExamExtras } from '../../src/domain/academics/records.ts';
import { damaged, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type StudyName, springNoon, studyReads } from '../support/study-reads.ts';

let gateway: Gateway;
let tokens: Record<'damaged' | 'second', string>;
beforeAll(async () => {
  gateway = await startGateway({ clock: new ManualClock(springNoon) });
  tokens = { damaged: await gateway.register(damaged), second: await gateway.register(second) };
});
afterAll(() => gateway.close());

/** The whole successful answer: envelope and data. */
const answerOf = async (name: StudyName, who: 'damaged' | 'second') => {
  const { surface, ask } = studyReads[name];
  const answer = await ask(gateway, tokens[who]);
  expect(answer.status, answer.text).toBe(200);
  const { data, message, ...envelope } = answer.body;
  expect(envelope).toEqual(
    surface === 'a' ? { code: 200 } : { success: true, error: null, timestamp: '2026-06-10 12:00:00' },
  );
  return { data, message };
};

const exam = (name: string, date: string, time: string, location: string, type: string, note: string) => ({
  course_name: name,
  exam_date: date,
  exam_time: time,
  exam_location: location,
  exam_type: type,
  note,
});
const withoutExtras = (list: readonly object[]) =>
  list.map((each) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => !Object.hasOwn(ExamExtras.properties, name))),
  );
/** A fictional faculty's exam of that number, as the demo campus lists 29 of them. */
const practical = (number: number) =>
  exam(
    `实验考核（第${number}场）`,
    `2026-06-${String((number % 28) + 1).padStart(2, '0')}`,
    '14:00-15:30',
    '西校区 致远楼-101',
    '其他考试',
    '',
  );

describe('exams', () => {
  const university = [
    exam('高等数学（下）', '2026-06-11', '08:30-10:30', '东校区 东校区明理楼 明理楼-308', '校统考', '座位号: 18'),
    exam('线性代数(B)', '2026-06-12', '14:00-16:00', '西校区 西校区致远楼 致远楼-102', '校统考', '座位号: 07'),
    exam('数据结构', '2026-06-13', '10:00-12:00', '东校区 东校区明理楼 明理楼-101', '校统考', ''),
    exam('线性代数(B)', '2026-06-14', '14:00-16:00', '东校区 东校区明理楼 明理楼-204', '校统考', '座位号: 31'),
  ];
  const others = [
    exam('口语测试', '', '另行通知', '西校区 致远楼-101', '其他考试', '3'),
    exam('形势与政策', '2026-01-03', '14:00-15:30', '西校区 致远楼-101', '其他考试', '开卷'),
    exam('体育（四）', '2026-06-09', '第7-8节', '', '其他考试', ''),
    ...Array.from({ length: 29 }, (_, index) => practical(index + 5)),
  ];
  type Shown = (typeof others)[number];
  const keys = (list: readonly Shown[]) => list.map(({ exam_date }) => exam_date);

  it('of surface A are merged by date: seats of their own for two exams of one name, 33 other exams from two pages', async () => {
    const { data, message } = await answerOf('examsA', 'damaged');
    expect(message).toBe('考试信息获取成功');
    expect(data.total_count).toBe(36);
    expect(data.exams).toHaveLength(36);
    expect(data.exams).toEqual(expect.arrayContaining([...university, ...others]));
    expect(keys(data.exams)).toEqual(keys(data.exams).toSorted());
    const ninth = data.exams.filter(({ exam_date }: Shown) => exam_date === '2026-06-09');
    expect(ninth.map(({ course_name }: Shown) => course_name)).toEqual(['体育（四）', '实验考核（第8场）']);
  });

  it('of surface B are the same by date and time, and one that is only announced', async () => {
    const { data, message } = await answerOf('examsB', 'damaged');
    expect(message).toBe('获取考试信息成功');
    expect(data.total_count).toBe(37);
    const announced = exam('大学英语（四）', '2026-06-15', '', '', '校统考', '');
    expect(data.exams).toHaveLength(37);
    expect(withoutExtras(data.exams)).toEqual(expect.arrayContaining([...university, ...others, announced]));
    const extrasOf = (date: string) =>
      data.exams
        .filter(({ exam_date, exam_type }: Shown) => exam_date === date && exam_type === '校统考')
        .map((each: Record<string, unknown>) => Object.keys(ExamExtras.properties).map((name) => each[name]));
    const week = (day: string) => Math.floor((Date.parse(day) - Date.parse('2026-03-02')) / 604_800_000) + 1;
    const long = expect.stringMatching(/^携带.{497}…$/);
    expect(extrasOf('2026-06-11')).toEqual([['SY1102002', '01', '期末考试', week('2026-06-11'), null, long]]);
    expect(extrasOf('2026-06-12')).toEqual([['SY1102004', '02', '期末考试', week('2026-06-12'), null, '携带学生证']]);
    expect(extrasOf('2026-06-13')).toEqual([
      ['SY2202001', null, '期末考试', week('2026-06-13'), '2026-0071', '携带学生证'],
    ]);
    expect(extrasOf('2026-06-14')).toMatchObject([
      ['SY1102004', '09', '期末考试', week('2026-06-14'), null, '补考 考试提示信息： 携带学生证'],
    ]);
    expect(extrasOf('2026-06-15')).toMatchObject([[null, null, '期末考试', week('2026-06-15'), null, '携带学生证']]);
    const moments = data.exams.map(({ exam_date, exam_time }: Shown) => `${exam_date} ${exam_time}`);
    expect(moments).toEqual(moments.toSorted());
  });

  it.each(['examsA', 'examsB'] as const)('of a student without any are an empty list: %s', async (name) => {
    expect((await answerOf(name, 'second')).data).toEqual({ exams: [], total_count: 0 });
  });
});
