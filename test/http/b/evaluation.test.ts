import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { examplePreview, exampleTask, exampleToken } from '../../support/fake-services.ts';

type Under = Awaited<ReturnType<typeof appUnderTest>>;
type Method = 'GET' | 'POST';

const authorization = `Bearer ${exampleToken}`;
const call = ({ app }: Under, method: Method, operation: string, payload?: object) =>
  app.inject({
    method,
    url: `/jwc/evaluation/${operation}`,
    headers: { authorization },
    ...(payload === undefined ? {} : { payload }),
  });

const conflict = (message: string, status: string, code = 'EVALUATION_CONFLICT') => ({
  status: 409,
  body: { success: false, message, data: { task_status: status }, error: { code, message } },
});

const expectAnswer = async (
  answer: ReturnType<typeof call>,
  { status, body }: { status: number; body: object },
): Promise<void> => {
  const { statusCode, json } = await answer;
  expect([statusCode, json()]).toEqual([status, expect.objectContaining({ ...body, ...matching(body) })]);
};
/** The trace id is not looked at. */
const matching = (body: object) =>
  'error' in body && body.error !== null ? { error: expect.objectContaining(body.error) } : {};

describe('a refused initialization', () => {
  it.each([
    ['initializing', conflict('已有评价任务在进行', 'initializing')],
    ['running', conflict('已有评价任务在进行', 'running')],
    ['paused', conflict('已有评价任务在进行', 'paused')],
  ] as const)('in %s tells the state', async (status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.initialize.returns({ kind: 'busy', status });
    await expectAnswer(call(under, 'POST', 'initialize'), expected);
  });

  it.each([
    ['season-closed', conflict('评教尚未开放或已经结束', 'failed', 'EVALUATION_CLOSED')],
    ['list-empty', conflict('课程列表为空，没有可评价的课程', 'failed', 'EVALUATION_EMPTY')],
  ] as const)('with %s says so', async (fault, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.initialize.returns({ kind: 'failed', fault, cause: null });
    await expectAnswer(call(under, 'POST', 'initialize'), expected);
  });

  it.each([
    ['index-failed', new Failure('upstream-unreadable', { part: 'evaluation-index' }), 502, 'REMOTE_SERVICE_ERROR'],
    ['list-failed', new Failure('upstream-unavailable', { retryAfterSeconds: 30 }), 502, 'REMOTE_SERVICE_ERROR'],
    ['list-failed', new Failure('timed-out'), 504, 'TIMEOUT'],
    ['list-failed', new Failure('upstream-empty'), 502, 'NULL_RESPONSE'],
    ['interrupted', null, 500, 'SERVER_ERROR'],
  ] as const)('because of %s is the failure behind it', async (fault, cause, status, code) => {
    const under = await appUnderTest();
    under.services.evaluation.initialize.returns({ kind: 'failed', fault, cause });
    const answer = await call(under, 'POST', 'initialize');
    expect([answer.statusCode, answer.json().error.code, answer.json().data]).toEqual([status, code, null]);
    expect(answer.headers['retry-after']).toBe(cause?.retryAfterSeconds?.toString());
  });
});

describe('a refused start', () => {
  it.each([
    ['not-initialized', 'idle', conflict('任务管理器不存在，请先初始化', 'idle')],
    ['not-initialized', 'completed', conflict('任务管理器不存在，请先初始化', 'completed')],
    ['initializing', 'initializing', conflict('任务启动失败，可能已有任务在运行', 'initializing')],
    ['under-way', 'running', conflict('评价任务已在运行中', 'running')],
  ] as const)('because of %s in %s', async (reason, status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.start.returns({ accepted: false, reason, status } as never);
    await expectAnswer(call(under, 'POST', 'start'), expected);
  });

  it('for an unknown course or want of room has no data', async () => {
    const under = await appUnderTest();
    const answers = [
      ['course-unknown', 404, 'COURSE_NOT_FOUND', '课程不在评教列表中', undefined],
      ['too-many', 429, 'COOLDOWN', '当前评价任务过多，请稍后再试', '60'],
    ] as const;
    for (const [reason, status, code, message, wait] of answers) {
      under.services.evaluation.start.returns({ accepted: false, reason, status: 'idle' } as never);
      const answer = await call(under, 'POST', 'start');
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, wait]);
      expect(answer.json()).toMatchObject({ message, data: null, error: { code, message } });
    }
  });
});

describe('the body of a start', () => {
  const start = async (under: Under, payload: string | undefined, type: string | undefined = 'application/json') => {
    const answer = await under.app.inject({
      method: 'POST',
      url: '/jwc/evaluation/start',
      headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload }),
    });
    return { answer, excluded: under.services.evaluation.start.calls.map(([, , exclude]) => exclude) };
  };

  it.each([
    ['none', undefined, undefined],
    ['nothing', '', 'application/json'],
    ['nothing of no type', '', undefined],
    ['{}', '{}', 'application/json'],
    ['an empty list', '{"exclude":[]}', 'application/json; charset=utf-8'],
    ['members that nobody knows', '{"other":1}', 'application/json'],
  ])('may be %s', async (_, payload, type) => {
    const { answer, excluded } = await start(await appUnderTest(), payload, type);
    expect([answer.statusCode, answer.json().message]).toEqual([200, '任务已启动']);
    expect(excluded).toEqual([[]]);
  });

  it('names the courses to leave out, 500 of 200 characters at most', async () => {
    const names = Array.from({ length: 500 }, (_, at) => '课'.repeat(190) + at);
    const { answer, excluded } = await start(await appUnderTest(), JSON.stringify({ exclude: names }));
    expect([answer.statusCode, excluded]).toEqual([200, [names]]);
  });

  it.each([
    ['{', ['body'], 'json_invalid'],
    ['null', ['body'], 'missing'],
    ['[]', ['body'], 'model_attributes_type'],
    ['{"exclude":null}', ['body', 'exclude'], 'list_type'],
    ['{"exclude":"a"}', ['body', 'exclude'], 'list_type'],
    ['{"exclude":[1]}', ['body', 'exclude', 0], 'string_type'],
    ['{"exclude":["a",""]}', ['body', 'exclude', 1], 'string_too_short'],
    [JSON.stringify({ exclude: ['a'.repeat(201)] }), ['body', 'exclude', 0], 'string_too_long'],
    [JSON.stringify({ exclude: Array.from({ length: 501 }, String) }), ['body', 'exclude'], 'too_long'],
  ])('that is wrong starts nothing: %.30s', async (payload, loc, type) => {
    const { answer, excluded } = await start(await appUnderTest(), payload);
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      422,
      { code: 'VALIDATION_ERROR', details: [{ loc, type }] },
    ]);
    expect([answer.json().data, excluded]).toEqual([null, []]);
  });

  it('of another type than JSON starts nothing', async () => {
    const { answer, excluded } = await start(await appUnderTest(), 'exclude=a', 'application/x-www-form-urlencoded');
    expect([answer.statusCode, excluded]).toEqual([422, []]);
  });
});

describe('a start with nothing left to do', () => {
  it('says so', async () => {
    const under = await appUnderTest();
    under.services.evaluation.start.returns({ accepted: true, status: 'completed' } as never);
    await expectAnswer(call(under, 'POST', 'start'), {
      status: 200,
      body: { message: '所有课程已评价完成！', data: { task_status: 'completed' } },
    });
  });
});

describe('a preview', () => {
  const url = `preview?course_key=${examplePreview.courseKey}`;

  it('has all its members', async () => {
    await expectAnswer(call(await appUnderTest(), 'GET', url), {
      status: 200,
      body: {
        success: true,
        message: '评教预览获取成功',
        data: {
          course_key: '5f70bf18a086007016e948b0',
          course_name: '示例课程',
          teacher_name: '李四',
          questionnaire_name: '理论课评价',
          ratings: [{ key: '0000000180', question: '老师备课充分', value: '5_1', choice: '非常同意' }],
          comments: [{ key: 'zgpj', question: '总体评价', text: '讲解清楚，收获很大' }],
        },
        error: null,
      },
    });
  });

  it.each([
    ['not-initialized', 'failed', conflict('任务管理器不存在，请先初始化', 'failed')],
    ['initializing', 'initializing', conflict('任务启动失败，可能已有任务在运行', 'initializing')],
    ['not-now', 'running', conflict('该课程当前不能预览', 'running')],
    ['season-closed', 'idle', conflict('评教尚未开放或已经结束', 'idle', 'EVALUATION_CLOSED')],
  ] as const)('refused because of %s tells the state %s', async (reason, status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.preview.returns({ kind: 'refused', reason, status } as never);
    await expectAnswer(call(under, 'GET', url), expected);
  });

  it('of an unknown course is 404, of an unreadable page 502 in words of its own', async () => {
    const under = await appUnderTest();
    under.services.evaluation.preview.returns({ kind: 'refused', reason: 'course-unknown', status: 'idle' } as never);
    const unknown = await call(under, 'GET', url);
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'COURSE_NOT_FOUND']);
    under.services.evaluation.preview.fails(new Failure('upstream-unreadable', { part: 'questionnaire' }));
    const unreadable = await call(under, 'GET', url);
    expect([unreadable.statusCode, unreadable.json().message]).toEqual([502, '评教页面读取失败，请稍后重试']);
  });

  it.each(['preview', 'preview?course_key=', `preview?course_key=${'a'.repeat(201)}`])('%.30s is 422', async (bad) => {
    const answer = await call(await appUnderTest(), 'GET', bad);
    expect([answer.statusCode, answer.json().error.details[0].loc]).toEqual([422, ['query', 'course_key']]);
  });
});

describe('a refused termination', () => {
  it.each([
    ['no-task', 'idle', conflict('任务管理器不存在', 'idle')],
    ['not-running', 'completed', conflict('终止失败', 'completed')],
  ] as const)('because of %s tells the state %s', async (reason, status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.terminate.returns({ accepted: false, reason, status } as never);
    await expectAnswer(call(under, 'POST', 'terminate'), expected);
  });
});

describe('status and current', () => {
  it.each(['status', 'current'] as const)('without a task: %s is null, and no failure', async (operation) => {
    const under = await appUnderTest();
    under.services.evaluation[operation].returns(null);
    await expectAnswer(call(under, 'GET', operation), {
      status: 200,
      body: { success: true, message: '无活跃任务', data: null, error: null },
    });
  });

  it('tell everything that the other surface tells, with the name of each course and what is left out', async () => {
    const under = await appUnderTest();
    const [course] = exampleTask.courses;
    if (course === undefined) throw new Error('no course');
    const long = { ...course, courseName: '一门名字长过二十个字所以在别处会被截短的示例课程', excluded: true };
    under.services.evaluation.status.returns({ ...exampleTask, courses: [course, long], total: 2, pending: 2 });
    await expectAnswer(call(under, 'GET', 'status'), {
      status: 200,
      body: {
        message: '服务器倒计时: 95 秒',
        data: {
          total_courses: 2,
          pending_courses: 2,
          success_count: 0,
          fail_count: 0,
          current_index: 0,
          status: 'running',
          current_countdown: 95,
          start_time: '2026-06-20T10:15:30+08:00',
          end_time: null,
          error_message: '',
          course_list: [
            {
              course_id: '01',
              course_name: '示例课程',
              teacher_name: '李四',
              is_evaluated: '否',
              evaluation_content: '示例课程',
              course_key: '5f70bf18a086007016e948b0',
              excluded: false,
            },
            expect.objectContaining({ course_name: long.courseName, excluded: true }),
          ],
          excluded_courses: 1,
        },
      },
    });
    await expectAnswer(call(under, 'GET', 'current'), {
      status: 200,
      body: {
        message: '获取成功',
        data: {
          is_evaluating: true,
          course_name: '示例课程',
          teacher_name: '李四',
          progress_text: '正在评价(1/1): 示例课程 - 李四 (倒计时: 95秒)',
          countdown_seconds: 95,
          current_index: 0,
          total_pending: 1,
        },
      },
    });
  });
});

describe('the list of courses', () => {
  it('is that of the campus, and says when it is empty', async () => {
    const under = await appUnderTest();
    await expectAnswer(call(under, 'GET', 'courses'), {
      status: 200,
      body: {
        message: '评教课程列表获取成功',
        data: [
          {
            id: { evaluatedPeople: 'T0012', coureSequenceNumber: '01', evaluationContentNumber: 'EX1001' },
            questionnaire: { questionnaireNumber: 'Q001', questionnaireName: '理论课评价' },
            evaluatedPeople: '李四',
            isEvaluated: '否',
            evaluationContent: '示例课程',
          },
        ],
      },
    });
    under.services.academics.evaluationCourses.returns([]);
    await expectAnswer(call(under, 'GET', 'courses'), {
      status: 200,
      body: { success: true, message: '暂无需要评教的课程', data: [] },
    });
  });
});
