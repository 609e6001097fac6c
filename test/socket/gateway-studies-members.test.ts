import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExamExtras } from '../../src/domain/academics/records.ts';
import { damaged, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type StudyName, springNoon, studyNames, studyReads } from '../support/study-reads.ts';

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

const category = (id: string, name: string, numbers: readonly number[], more: object = {}) => {
  const [min = 0, completed = 0, total = 0, passed = 0, failed = 0, missing = 0] = numbers;
  return {
    category_id: id,
    category_name: name,
    min_credits: min,
    completed_credits: completed,
    total_courses: total,
    passed_courses: passed,
    failed_courses: failed,
    missing_required_courses: missing,
    subcategories: [],
    courses: [],
    ...more,
  };
};
const states = { 已通过: true, 未通过: false, 未修读: false };
const course = (code: string, name: string, state: keyof typeof states, parent: string, more: object = {}) => ({
  flag_id: code,
  flag_type: 'kch',
  course_code: code,
  course_name: name,
  is_passed: states[state],
  status_description: state,
  credits: null,
  score: null,
  exam_date: null,
  course_type: '',
  parent_id: parent,
  level: 2,
  ...more,
});
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

describe('the training plan', () => {
  it.each([
    ['damaged', '2023级计算机科学与技术 本科培养方案', '计算机科学与技术', 38],
    ['second', '2023级汉语言文学本科培养方案', '汉语言文学', 27],
  ] as const)('of the %s student has every member on both surfaces', async (who, name, major, count) => {
    expect(await answerOf('planA', who)).toEqual({
      message: '培养方案信息获取成功',
      data: { pyfa: name, term: '2025-2026春季学期', courseCount: count, major, grade: '2023' },
    });
    expect(await answerOf('planB', who)).toEqual({
      message: '获取培养方案信息成功',
      data: { plan_name: name, major_name: major, grade: '2023' },
    });
  });
});

describe('the evaluation list', () => {
  it('has evaluated and pending courses with every member, null for a questionnaire that is not named', async () => {
    expect(await answerOf('evaluationList', 'damaged')).toEqual({
      message: '评教课程列表获取成功',
      data: [
        {
          id: { evaluatedPeople: '20080123', coureSequenceNumber: '02', evaluationContentNumber: 'SY3202001' },
          questionnaire: { questionnaireNumber: '0000000121', questionnaireName: '理论课评教问卷' },
          evaluatedPeople: '周明',
          isEvaluated: '否',
          evaluationContent: '数据结构',
        },
        {
          id: { evaluatedPeople: '20110456', coureSequenceNumber: '05', evaluationContentNumber: 'SY3202002' },
          questionnaire: { questionnaireNumber: '0000000134', questionnaireName: '实践课评教问卷' },
          evaluatedPeople: '何岩',
          isEvaluated: '否',
          evaluationContent: '线性代数(B)',
        },
        {
          id: { evaluatedPeople: '20150789', coureSequenceNumber: '11', evaluationContentNumber: 'SY3202003' },
          questionnaire: null,
          evaluatedPeople: '任远',
          isEvaluated: '是',
          evaluationContent: '体育（二）',
        },
      ],
    });
    expect((await answerOf('evaluationList', 'second')).data).toHaveLength(4);
  });

  it('is empty, and says so, while the season is over', async () => {
    gateway.demo.switches.evaluationOpen = false;
    expect(await answerOf('evaluationList', 'damaged')).toEqual({ message: '暂无需要评教的课程', data: [] });
    gateway.demo.switches.evaluationOpen = true;
  });
});

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

  it.each([
    ['objects', 'list'],
    ['objects', 'list beside null'],
    ['arrays', 'root'],
    ['arrays', 'list'],
    ['arrays', 'list beside null'],
  ] as const)('are the same where the other ones come as %s in: %s', async (rows, place) => {
    const usual = [await answerOf('examsA', 'damaged'), await answerOf('examsB', 'damaged')];
    Object.assign(gateway.demo.switches, { otherExamRows: rows, otherExamPlace: place });
    const now = [await answerOf('examsA', 'damaged'), await answerOf('examsB', 'damaged')];
    // Arrays name neither number nor class.
    const bare = (answers: typeof now) => answers.map(({ message, data }) => [message, withoutExtras(data.exams)]);
    expect(bare(now)).toEqual(bare(usual));
    expect((await answerOf('examsB', 'second')).data).toEqual({ exams: [], total_count: 0 });
    Object.assign(gateway.demo.switches, { otherExamRows: 'objects', otherExamPlace: 'root' });
    if (rows === 'arrays') expect(gateway.log()).toMatch(/"page":"other-exams","dropped":2/);
  });

  it.each(['examsA', 'examsB'] as const)('of a student without any are an empty list: %s', async (name) => {
    expect((await answerOf(name, 'second')).data).toEqual({ exams: [], total_count: 0 });
  });
});

describe('the course selection', () => {
  it.each([
    ['damaged', true],
    ['second', false],
  ] as const)('of the %s student', async (who, open) => {
    expect(await answerOf('selection', who)).toEqual({ message: '获取选课状态成功', data: { can_select: open } });
  });
});

describe('the current term', () => {
  it.each(['damaged', 'second'] as const)('is the same for the %s student', async (who) => {
    expect(await answerOf('term', who)).toEqual({
      message: '获取当前学期信息成功',
      data: {
        academic_year: '2025-2026',
        current_term_name: '春',
        week_number: 15,
        start_at: '2026-03-02',
        is_end: false,
        weekday: 2,
        term_code: '2025-2026-2-1',
      },
    });
  });
});

describe('the plan completion', () => {
  it('of a student with two plans is the major one, with every member of its tree', async () => {
    expect(await answerOf('completion', 'damaged')).toEqual({
      message: '获取培养方案完成信息成功',
      data: {
        plan_id: '7352',
        nothing_passed: false,
        estimate: null,
        plan_name: '2023级计算机科学与技术 本科培养方案(主修)',
        major: '计算机科学与技术',
        grade: '2023',
        total_categories: 2,
        total_courses: 9,
        passed_courses: 5,
        failed_courses: 1,
        unread_courses: 3,
        categories: [
          category('F1', '通识通修', [68, 34.4, 26, 25, 1, 12], {
            subcategories: [
              category('F11', '通识教育(限选)', [16, 6.3, 3, 3, 0, 2], {
                subcategories: [
                  category('F113', '美育类', [2, 0.5, 1, 1, 0, 0], {
                    courses: [
                      course('SY1101030', '影视鉴赏', '已通过', '113', {
                        credits: 0.5,
                        score: '优秀',
                        exam_date: '20240105',
                        course_type: '任选',
                      }),
                    ],
                  }),
                ],
                courses: [
                  course('SY1101001', '思想道德与法治', '已通过', '11', {
                    credits: 3,
                    score: '87.0',
                    exam_date: '20240705',
                    course_type: '必修',
                  }),
                  course('SY1101009', '大学英语(一)', '未修读', '11'),
                ],
              }),
            ],
            courses: [
              course('SY1102004', '线性代数(B)', '未通过', '1', {
                credits: 2.5,
                score: '52.0',
                exam_date: '20250112',
                course_type: '必修',
              }),
              course('SY1102007', '体育(一)', '已通过', '1', {
                credits: 1,
                score: '合格',
                exam_date: '20240105',
                course_type: '任选',
              }),
            ],
          }),
          category('F2', '专业教育 // 含实践/*必修*/', [], {
            subcategories: [
              category('F24', '实践环节', [], {
                courses: [
                  course('SY2101040', '毕业实习', '已通过', '24', {
                    credits: 6,
                    score: '良好',
                    exam_date: '20250620',
                    course_type: '必修',
                  }),
                ],
              }),
            ],
            courses: [
              course('SY2101001', '程序设计', '已通过', '2', { credits: 4, score: '85.0', exam_date: '20250626' }),
              course('SY2101002', '未知课程', '未修读', '2', { credits: 2, course_type: '必修' }),
              course('F23', '创新实践(自选)', '未修读', '2', { flag_type: '003', course_code: '', level: 0 }),
            ],
          }),
        ],
      },
    });
  });

  it('of 119 courses is complete', async () => {
    const { data } = await answerOf('completion', 'second');
    const { categories, ...totals } = data;
    expect(totals).toEqual({
      plan_id: null,
      nothing_passed: false,
      estimate: null,
      plan_name: '2023级汉语言文学本科培养方案',
      major: '汉语言文学',
      grade: '2023',
      total_categories: 4,
      total_courses: 119,
      passed_courses: 27,
      failed_courses: 0,
      unread_courses: 92,
    });
    expect(categories[2]).toMatchObject(
      category('F3', '专业核心', [51, 20, 11, 11, 0, 8], {
        subcategories: [category('F31', '经典研读(限选)', [8, 6, 6, 6, 0, 0], { courses: expect.any(Array) })],
        courses: expect.any(Array),
      }),
    );
    expect(categories[2].subcategories[0].courses).toHaveLength(80);
  });
});

describe('competitions', () => {
  it('are all 25 awards of three pages in their order, each once, odd numbers as 0, and the credits', async () => {
    const { data, message } = await answerOf('competitions', 'damaged');
    expect(message).toBe('获取竞赛信息成功');
    const { awards, ...rest } = data;
    expect(rest).toEqual({
      student_id: '2023000003',
      total_awards_count: 25,
      credits_summary: {
        discipline_competition_credits: 16.6,
        scientific_research_credits: null,
        transferable_competition_credits: 0,
        innovation_practice_credits: 2,
        ability_certification_credits: null,
        other_project_credits: null,
      },
    });
    const monthly = Array.from({ length: 22 }, (_, index) => String(40401 + index));
    expect(awards.map(({ project_id }: { project_id: string }) => project_id)).toEqual([
      '40211',
      '40388',
      '40391',
      ...monthly,
    ]);
    expect(awards.slice(0, 3)).toEqual([
      {
        project_id: '40211',
        project_name: '大学生数学建模竞赛',
        level: '省部级',
        grade: '二等奖',
        award_date: '2024/9/8',
        applicant_id: '2023000003',
        applicant_name: '许诺',
        order: 1,
        credits: 3,
        bonus: 800,
        status: '提交',
        verification_status: '通过',
      },
      {
        project_id: '40388',
        project_name: '程序设计 天梯赛（团队）',
        level: '校级',
        grade: '一等奖',
        award_date: '2025/5/20',
        applicant_id: '2023000044',
        applicant_name: '许诺',
        order: 3,
        credits: 0,
        bonus: 0,
        status: '提交',
        verification_status: '待审核',
      },
      {
        project_id: '40391',
        project_name: '英语翻译大赛',
        level: '校级',
        grade: '三等奖',
        award_date: '2025/6/1',
        applicant_id: '2023000003',
        applicant_name: '许诺',
        order: 0,
        credits: 0,
        bonus: 1200.5,
        status: '提交',
        verification_status: '',
      },
    ]);
  });

  it('of the other student are on one page', async () => {
    const { data } = await answerOf('competitions', 'second');
    expect(data).toMatchObject({ student_id: '2023000002', total_awards_count: 1 });
    expect(data.awards).toMatchObject([{ project_id: '51007', credits: 4, bonus: 1200 }]);
    expect(data.credits_summary).toMatchObject({ scientific_research_credits: 1.5, other_project_credits: null });
  });
});

describe('two students at once', () => {
  it('each get what they get alone', async () => {
    const alone = new Map<string, unknown>();
    const all = studyNames.flatMap((name) => (['damaged', 'second'] as const).map((who) => [name, who] as const));
    for (const [name, who] of all) alone.set(`${name} ${who}`, (await answerOf(name, who)).data);
    const together = await Promise.all(
      [...all, ...all.toReversed()].map(async ([name, who]) => [`${name} ${who}`, (await answerOf(name, who)).data]),
    );
    for (const [key, data] of together) expect(data, String(key)).toEqual(alone.get(String(key)));
  });

  it('leave no secret in the log, and no student number of theirs', () => {
    const log = gateway.log();
    for (const { userid, password, vpnPassword } of [damaged, second]) {
      for (const secret of [`"${password}"`, `"${vpnPassword}"`, userid]) expect(log).not.toContain(secret);
    }
    for (const token of Object.values(tokens)) expect(log).not.toContain(token);
    expect(log).not.toContain('VIEWSTATE');
    expect(log).not.toContain('林晓');
  });
});
