import { describe, expect, it } from 'vitest';
import { failures } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { examplePreview, exampleTask, exampleToken } from '../../support/fake-services.ts';

type Under = Awaited<ReturnType<typeof appUnderTest>>;
type Method = 'GET' | 'POST' | 'PUT';

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

describe('a refused start', () => {
  it.each([
    ['initializing', 'initializing', conflict('任务启动失败，可能已有任务在运行', 'initializing')],
    ['under-way', 'running', conflict('评价任务已在运行中', 'running')],
  ] as const)('because of %s in %s', async (reason, status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.start.returns({ accepted: false, reason, status } as never);
    await expectAnswer(call(under, 'POST', 'start'), expected);
  });

  it('has no data for an unknown course, or when too many runs are under way', async () => {
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
    return { answer, choices: under.services.evaluation.start.calls.map(([, choice]) => choice) };
  };

  it.each(['exclude', 'only'])('names courses in `%s`, 500 of 200 characters at most', async (member) => {
    const names = Array.from({ length: 500 }, (_, at) => '课'.repeat(190) + at);
    const { answer, choices } = await start(await appUnderTest(), JSON.stringify({ [member]: names }));
    expect([answer.statusCode, choices]).toEqual([200, [{ [member]: names }]]);
  });

  it('tells an empty list of exclusions from a missing one', async () => {
    const { choices } = await start(await appUnderTest(), '{"exclude":[]}', 'application/json; charset=utf-8');
    expect(choices).toEqual([{ exclude: [] }]);
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

  it.each([
    ['not-initialized', 'failed', conflict('没有载入的评教课程，请先初始化，再预览或启动', 'failed')],
    ['initializing', 'initializing', conflict('任务启动失败，可能已有任务在运行', 'initializing')],
    ['not-now', 'running', conflict('该课程当前不能预览', 'running')],
    ['season-closed', 'idle', conflict('评教尚未开放或已经结束', 'idle', 'EVALUATION_CLOSED')],
  ] as const)('refused because of %s tells the state %s', async (reason, status, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.preview.returns({ kind: 'refused', reason, status } as never);
    await expectAnswer(call(under, 'GET', url), expected);
  });

  it('of an unknown course is 404, of an unreadable page 502 that names the questionnaire', async () => {
    const under = await appUnderTest();
    under.services.evaluation.preview.returns({ kind: 'refused', reason: 'course-unknown', status: 'idle' } as never);
    const unknown = await call(under, 'GET', url);
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'COURSE_NOT_FOUND']);
    under.services.evaluation.preview.fails(
      failures.upstreamUnreadable(undefined, undefined, { part: 'questionnaire' }),
    );
    const unreadable = await call(under, 'GET', url);
    expect([unreadable.statusCode, unreadable.json().message]).toEqual([502, '评教页面读取失败，请稍后重试']);
  });
});

describe('a changed preview', () => {
  const answers = { ratings: [{ key: '180', value: '5_1' }], comments: [{ key: 'zgpj', text: '收获很大' }] };
  const put = (under: Under, body: object) => call(under, 'PUT', 'preview', body);

  it('is answered as it is stored, and ignores what a preview shows beside its answers', async () => {
    const under = await appUnderTest();
    const shown = (await call(under, 'GET', 'preview?course_key=a')).json().data;
    await expectAnswer(put(under, { course_key: 'a', answers: shown }), {
      status: 200,
      body: { success: true, message: '评教预览修改成功', data: shown },
    });
    const [[, name, given] = []] = under.services.evaluation.editPreview.calls;
    expect([name, given]).toMatchObject([
      'a',
      { ratings: [{ key: '0000000180', value: '5_1' }], comments: [{ key: 'zgpj', text: '讲解清楚，收获很大' }] },
    ]);
  });

  it('that does not fit is 422 with the place of each question', async () => {
    const under = await appUnderTest();
    const faults = [
      { list: 'ratings', at: 2, fault: 'missing' },
      { list: 'ratings', at: 1, fault: 'key' },
      { list: 'ratings', at: 0, fault: 'option', offered: ['5', '4'] },
      { list: 'comments', at: 0, fault: 'too-long', limit: 500 },
      { list: 'comments', at: 1, fault: 'too-short' },
      { list: 'comments', at: 2, fault: 'repeats' },
      { list: 'comments', at: 3, fault: 'malformed' },
    ];
    under.services.evaluation.editPreview.returns({ kind: 'invalid', faults } as never);
    const answer = await put(under, { course_key: 'a', answers });
    const at = (list: string, ...rest: Array<string | number>) => ['body', 'answers', list, ...rest];
    const error = (msg: string) => ({ type: 'value_error', msg: `Value error, ${msg}` });
    expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.json().error.details).toEqual([
      { loc: at('ratings', 2), msg: 'Field required', type: 'missing' },
      { loc: at('ratings', 1, 'key'), ...error('not the question that was shown here') },
      {
        loc: at('ratings', 0, 'value'),
        msg: 'Input should be one of 5, 4',
        type: 'enum',
        ctx: { expected: ['5', '4'] },
      },
      { loc: at('comments', 0, 'text'), ...error('more than 500 characters') },
      { loc: at('comments', 1, 'text'), ...error('less than 4 characters without blanks') },
      { loc: at('comments', 2, 'text'), ...error('one character three times in a row') },
      { loc: at('comments', 3, 'text'), ...error('not a well-formed text') },
    ]);
  });
});

describe('the hint when to ask again', () => {
  it.each([
    ['initializing', 0, '1'],
    ['running', 11, '5'],
    ['running', 10, '1'],
    ['paused', 0, '10'],
    ['idle', 0, undefined],
    ['terminated', 0, undefined],
  ] as const)('in %s with %i seconds left is %s', async (status, countdown, expected) => {
    const under = await appUnderTest();
    under.services.evaluation.status.returns({ ...exampleTask, status, countdown });
    const course = { name: '示例课程', teacher: '李四', index: 0, of: 1, countdown };
    under.services.evaluation.current.returns({ status, pending: 1, course: countdown === 0 ? null : course });
    for (const operation of ['status', 'current']) {
      expect((await call(under, 'GET', operation)).headers['x-poll-after'], operation).toBe(expected);
    }
  });
});
