import { describe, expect, it } from 'vitest';
import { type SessionAccess, SessionDead } from '../../../../../src/campus/contract/upstream-session.ts';
import { createJwcClient } from '../../../../../src/campus/products/urp/index.ts';
import { defaultOption } from '../../../../../src/domain/academics/plans.ts';
import { failures } from '../../../../../src/domain/errors.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeJwc, student } from './fake-jwc.ts';
import { fixture, rejection, unreadablePage } from './fixtures.ts';

const plans = '/student/integratedQuery/planCompletion';
const examPage = '/student/examinationManagement/examPlan/index';
const examCalendar =
  '/student/examinationManagement/examPlan/detail?start=2026-06-10&end=2026-09-30&_=1781064000000&sf_request_type=ajax';
const otherExams = '/student/examinationManagement/othersExamPlan/queryScores?sf_request_type=ajax';
const evaluationList = '/student/teachingEvaluation/teachingEvaluation/search?sf_request_type=ajax';
const query = {
  now: Date.UTC(2026, 5, 10, 4),
  ofTerm: async () => ({ termCode: '2025-2026-2-1', window: { start: '2026-06-10', end: '2026-09-30' } }),
  timeZone: 'Asia/Shanghai',
};

const start = (answers: Readonly<Record<string, string | (() => string)>>) => {
  const jwc = new FakeJwc();
  for (const [path, answer] of Object.entries(answers)) jwc.answers(path, answer);
  return { jwc, client: createJwcClient({ sessions: jwc }), context: callContext() };
};
describe('the requests of single reads', () => {
  it('plan pages are known to be slow and long; the chosen plan follows the choice', async () => {
    const { jwc, client, context } = start({
      [`${plans}/index`]: fixture('plan-choice.html'),
      [`${plans}/getPyfaIndex/7352`]: fixture('plan-inline.html'),
    });
    const entry = await client.planEntry(student, context);
    const option = entry.kind === 'choice' && defaultOption(entry.choice);
    if (!option) throw new Error('no choice');
    expect(await client.chosenPlan(student, option, context)).toMatchObject({ planId: '7352', totalCourses: 4 });
    expect(jwc.requests).toMatchObject([
      { path: `${plans}/index`, slow: true, whole: true },
      { path: `${plans}/getPyfaIndex/7352`, slow: true, whole: true },
    ]);
  });

  it('the evaluation list is asked for in fifties, and once more by its own number', async () => {
    const { jwc, client, context } = start({
      [evaluationList]: fixture('evaluation-list.json').replace('"evaluationNum": "3"', '"evaluationNum": "63"'),
    });
    await client.evaluationCourses(student, context);
    const asked = (size: string) => [
      ['optType', '1'],
      ['pagesize', size],
    ];
    expect(jwc.requests.map(({ form }) => form)).toEqual([asked('50'), asked('63')]);
  });
});

describe('an evaluation list that counts courses and sends none', () => {
  const index = '/student/teachingEvaluation/evaluation/index';
  it.each(['{"evaluationNum":3,"data":[]}', '{"notFinishedNum":"2","data":null}'])(
    'is an error while the season is on, and empty when it is over: %s',
    async (list) => {
      const open = start({ [evaluationList]: list, [index]: fixture('evaluation-index.html') });
      expect(await rejection(open.client.evaluationCourses(student, open.context))).toMatchObject(unreadablePage);
      const over = start({ [evaluationList]: list, [index]: fixture('evaluation-closed.html') });
      expect((await over.client.evaluationCourses(student, over.context)).courses).toEqual([]);
      expect(over.jwc.names.filter((name) => name === index)).toHaveLength(1);
    },
  );

  it('costs one request when it counts none', async () => {
    const { jwc, client, context } = start({ [evaluationList]: '{"evaluationNum":0,"notFinishedNum":0,"data":[]}' });
    expect((await client.evaluationCourses(student, context)).courses).toEqual([]);
    expect(jwc.requests).toHaveLength(1);
  });
});

describe('the requests of exams', () => {
  const answers = {
    [examPage]: fixture('exam-page.html'),
    [examCalendar]: fixture('university-exams.json'),
    [otherExams]: fixture('other-exams.json'),
  };

  it('are the page, then the calendar with its window, beside the other exams of the term', async () => {
    const { jwc, client, context } = start(answers);
    await client.exams(student, query, context);
    expect(jwc.requests).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: examPage }),
        expect.objectContaining({ path: examCalendar, whole: true }),
        expect.objectContaining({
          path: otherExams,
          form: Object.entries({ zxjxjhh: '2025-2026-2-1', tab: '0', pageNum: '1', pageSize: '30' }),
        }),
      ]),
    );
    expect(jwc.requests).toHaveLength(3);
    expect(jwc.names.indexOf(examPage)).toBeLessThan(jwc.names.indexOf(examCalendar));
  });

  it('leave it to the session core what follows when no source answers, however often', async () => {
    let dead = 2;
    const orDead = (text: string) => () => {
      if (dead > 0) throw new SessionDead('application-expired');
      return text;
    };
    const { jwc, context } = start(Object.fromEntries(Object.entries(answers).map(([at, text]) => [at, orDead(text)])));
    // Two rounds on dead sessions, as after the renewal of another call, then a live one.
    const sessions: SessionAccess = {
      with: (who, system, call, work) =>
        jwc.with(who, system, call, work).catch((error: unknown) => {
          if (!(error instanceof SessionDead)) throw error;
          dead -= 1;
          return sessions.with(who, system, call, work);
        }),
    };
    const { seats, university, others } = await createJwcClient({ sessions }).exams(student, query, context);
    expect([seats, university, others].map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
  });

  it('continue past a page that failed: the calendar is asked for all the same', async () => {
    const down = failures.upstreamUnavailable('academics');
    const { client, context } = start({
      ...answers,
      [examPage]: () => {
        throw down;
      },
    });
    const { seats, university, others } = await client.exams(student, query, context);
    expect([seats.failure, university.value?.length, others.value?.length]).toEqual([down, 4, 3]);
  });

  it('fail as a whole for what concerns the whole call', async () => {
    const refused = failures.storedCredentialsRefused('portal');
    const { client, context } = start({
      ...answers,
      [otherExams]: () => {
        throw refused;
      },
    });
    expect(await rejection(client.exams(student, query, context))).toBe(refused);
  });
});
