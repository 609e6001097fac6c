import { describe, expect, it } from 'vitest';
import { Failure, type FailureKind } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import {
  exampleSchedule,
  exampleScore,
  exampleStudent,
  exampleSummary,
  exampleToken,
  type FakeServices,
} from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const timestamp = '2026-03-18 10:00:00';
const success = (message: string, data: unknown) => ({ success: true, message, data, error: null, timestamp });

const noExtras = { selection_status: null, study_mode: null, category: null, plan_name: null, remark: null };

describe('GET /jwc/academic/info', () => {
  const url = '/jwc/academic/info';

  it('answers the summary member by member', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(
      success('获取学业信息成功', {
        completed_courses: 30,
        failed_courses: 1,
        pending_courses: 6,
        gpa: 3.2,
        current_term: '2025-2026-2-1',
        current_term_name: '2025-2026春季学期',
        average_score: 85.37,
        rank: 21,
        rank_total: null,
      }),
    );
    expect(services.academics.summary.calls[0]?.[0]).toEqual(exampleStudent);
  });

  it.each([
    ['2025-2026-1-1', '2025-2026秋季学期'],
    ['2025-2026-2', '2025-2026春季学期'],
    ['2025-2026-3-1', '2025-2026-3-1'],
    ['', ''],
  ])('names the term %s %s', async (currentTerm, name) => {
    const { app, services } = await appUnderTest();
    services.academics.summary.returns({ ...exampleSummary, currentTerm });
    const { data } = (await app.inject({ url, headers })).json();
    expect(data).toMatchObject({ current_term: currentTerm, current_term_name: name });
  });
});

describe('GET /jwc/term/all', () => {
  it('answers the terms in the order of the campus', async () => {
    const { app } = await appUnderTest();
    const answer = await app.inject({ url: '/jwc/term/all', headers });
    expect(answer.json()).toEqual(
      success('获取学期信息成功', [
        { term_code: '2025-2026-2-1', term_name: '2025-2026学年下', is_current: true },
        { term_code: '2025-2026-1-1', term_name: '2025-2026学年上', is_current: false },
      ]),
    );
  });
});

describe('GET /jwc/score/{term_code}/list', () => {
  const url = '/jwc/score/2025-2026-1-1/list';

  it('answers all records with every member, grades with their fractions', async () => {
    const { app, services } = await appUnderTest();
    services.academics.allScores.returns([
      exampleScore,
      { ...exampleScore, sequence: 2, retake_score: '60', makeup_score: '合格' },
    ]);
    const answer = await app.inject({ url, headers });
    const record = {
      sequence: 1,
      term_id: '2025-2026-1-1',
      course_code: 'EX1001',
      course_class: '01',
      course_name_cn: '示例课程',
      course_name_en: 'Example',
      credits: '2.0',
      hours: 32,
      course_type: '必修',
      exam_type: '考试',
      score: '95.7',
      retake_score: null,
      makeup_score: null,
    };
    expect(answer.json()).toEqual(
      success('获取成绩单成功', {
        total_count: 2,
        records: [record, { ...record, sequence: 2, retake_score: '60', makeup_score: '合格' }],
      }),
    );
    expect(services.academics.allScores.calls[0]?.slice(0, 2)).toEqual([exampleStudent, '2025-2026-1-1']);
  });

  it('answers a term without scores with an empty list', async () => {
    const { app, services } = await appUnderTest();
    services.academics.allScores.returns([]);
    expect((await app.inject({ url, headers })).json().data).toEqual({ total_count: 0, records: [] });
  });
});

describe('GET /jwc/schedule/{term_code}/table', () => {
  const url = '/jwc/schedule/2025-2026-2-1/table';

  it('answers the schedule member by member and flags courses without a time', async () => {
    const { app } = await appUnderTest();
    const answer = await app.inject({ url, headers });
    expect(answer.json()).toEqual(
      success('获取课表信息成功', {
        total_units: 20.5,
        time_slots: [
          { session: 1, session_name: '第一节', start_time: '0800', end_time: '0845', time_length: '45', djjc: 1 },
        ],
        courses: [
          {
            course_name: '示例课程',
            course_code: 'EX1001',
            course_sequence: '01',
            teacher_name: '张三 李四',
            course_properties: '必修',
            exam_type: '考试',
            unit: 4.5,
            time_locations: [
              {
                class_day: 1,
                class_sessions: 1,
                continuing_session: 2,
                class_week: '111111111111111100000000',
                week_description: '1-16周',
                campus_name: '示例校区',
                teaching_building_name: '一号楼',
                classroom_name: '101',
              },
            ],
            is_no_schedule: false,
            ...noExtras,
          },
          {
            course_name: '无时间课程',
            course_code: 'EX1002',
            course_sequence: '02',
            teacher_name: '',
            course_properties: '选修',
            exam_type: '考查',
            unit: 1,
            time_locations: [],
            is_no_schedule: true,
            ...noExtras,
          },
        ],
        semester_info: { total_weeks: '20', week_description: '第1-20周', total_sessions: '12', first_day: '1' },
      }),
    );
  });

  it('answers an empty semester_info when the campus states none', async () => {
    const { app, services } = await appUnderTest();
    services.academics.schedule.returns({ ...exampleSchedule, sections: { slots: [], semester: null } });
    const { data } = (await app.inject({ url, headers })).json();
    expect(data).toMatchObject({ semester_info: {}, time_slots: [] });
  });

  it.each([
    ['sections', '无法获取节次时间信息，请稍后再试'],
    ['courses', '无法获取课表信息，请稍后再试'],
  ])('says so when the %s could not be had', async (part, message) => {
    const { app, services } = await appUnderTest();
    services.academics.schedule.fails(new Failure('upstream-unavailable', { system: 'academics', part }));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ message, error: { code: 'REMOTE_SERVICE_ERROR', message } });
  });
});

const operations = [
  ['/jwc/academic/info', ({ academics }: FakeServices) => academics.summary],
  ['/jwc/term/all', ({ academics }: FakeServices) => academics.terms],
  ['/jwc/score/2025-2026-1-1/list', ({ academics }: FakeServices) => academics.allScores],
  ['/jwc/schedule/2025-2026-2-1/table', ({ academics }: FakeServices) => academics.schedule],
  ['/jwc/academic/training_plan', ({ academics }: FakeServices) => academics.trainingPlan],
  ['/jwc/academic/course_selection_status', ({ academics }: FakeServices) => academics.courseSelection],
  ['/jwc/term/current', ({ academics }: FakeServices) => academics.currentTerm],
  ['/jwc/exam/info', ({ academics }: FakeServices) => academics.exams],
  ['/jwc/plan/current', ({ academics }: FakeServices) => academics.planCompletion],
  ['/jwc/plan/current?estimate=true', ({ academics }: FakeServices) => academics.planEstimate],
  ['/jwc/plan/options', ({ academics }: FakeServices) => academics.planChoice],
  ['/jwc/score/current/list', ({ academics }: FakeServices) => academics.currentScores],
  [
    '/jwc/score/current/detail?term_code=2025-2026-1-1&course_code=A&course_class=1&exam_time=',
    ({ academics }: FakeServices) => academics.scoreComponents,
  ],
  ['/jwc/competition/info', ({ competitions }: FakeServices) => competitions.record],
] as const;

describe.each(operations)('the failures of %s', (url, workOf) => {
  it.each<[FailureKind, number, string]>([
    ['stored-credentials-refused', 403, 'USER_NEED_RESET_PASSWORD'],
    ['stored-credentials-unreadable', 403, 'USER_NEED_RESET_PASSWORD'],
    ['sign-in-guarded', 502, 'REMOTE_SERVICE_ERROR'],
    ['sign-in-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['ticket-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unreadable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-refused', 502, 'REMOTE_SERVICE_ERROR'],
    ['session-lost', 502, 'REMOTE_SERVICE_ERROR'],
    ['outcome-unknown', 504, 'TIMEOUT'],
    ['upstream-empty', 502, 'NULL_RESPONSE'],
    ['timed-out', 504, 'TIMEOUT'],
    ['overloaded', 503, 'SERVICE_UNAVAILABLE'],
    ['internal', 500, 'SERVER_ERROR'],
  ])('%s is %i %s', async (kind, status, code) => {
    const { app, services } = await appUnderTest();
    workOf(services).fails(new Failure(kind, { reason: 'for the log only' }));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, data: null, error: { code } });
    expect(answer.body).not.toContain('for the log only');
  });

  it('an open breaker says when to come back', async () => {
    const { app, services } = await appUnderTest();
    workOf(services).fails(new Failure('upstream-unavailable', { retryAfterSeconds: 30 }));
    expect((await app.inject({ url, headers })).headers['retry-after']).toBe('30');
  });

  it('a defect of ours is a 500 that tells nothing', async () => {
    const { app, services } = await appUnderTest();
    workOf(services).fails(new TypeError('secret detail'));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toMatchObject({ code: 'SERVER_ERROR', message: '服务器错误' });
    expect(answer.body).not.toContain('secret detail');
  });

  it('without a token the campus is not asked', async () => {
    const { app, services } = await appUnderTest();
    expect((await app.inject(url)).statusCode).toBe(401);
    expect(workOf(services).calls).toEqual([]);
  });
});

describe('term codes in the path', () => {
  it.each(['/jwc/score/%TERM/list', '/jwc/schedule/%TERM/table'])('are checked in %s', async (pattern) => {
    const { app, services } = await appUnderTest();
    const ask = (term: string, sent: Record<string, string> = headers) =>
      app.inject({ url: pattern.replace('%TERM', term), headers: sent });
    for (const empty of ['', '%20', '%20%09']) {
      const answer = await ask(empty);
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'EMPTY_PATH']);
    }
    for (const bad of ['2025', '2025-2026-1', '2025-2026-1-1-1', 'a-b-c-d', '2025-2026-1-1%0A', '25-26-1-1']) {
      const answer = await ask(bad);
      expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(answer.json().error.details[0]).toMatchObject({ loc: ['path', 'term_code'] });
    }
    expect((await ask('', {})).statusCode).toBe(401);
    expect(services.academics.allScores.calls).toEqual([]);
    expect(services.academics.schedule.calls).toEqual([]);
  });
});
