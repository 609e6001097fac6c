import { describe, expect, it } from 'vitest';
import { createJwcClient } from '../../../../../src/campus/products/urp/index.ts';
import { parseScoreComponents, parseThisTermScores } from '../../../../../src/campus/products/urp/parse-scores.ts';
import {
  parseThisTermIndex,
  segmentsIn,
  thisTermIndexAlive,
} from '../../../../../src/campus/products/urp/parse-segments.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeJwc, student } from './fake-jwc.ts';
import { failureOf, fixture, rejection, unreadablePage } from './fixtures.ts';

const index = fixture('this-term-index.html');

describe('the page of this term', () => {
  it('names two segments, in its script, with escaped slashes or with entities', () => {
    const both = { scores: 'M7x2kQ9bTz', components: 'Rt5Lw0PpQ3' };
    expect(segmentsIn(parseThisTermIndex(index))).toEqual(both);
    expect(segmentsIn(parseThisTermIndex(index.replaceAll('/', '\\/')))).toEqual(both);
    expect(segmentsIn(parseThisTermIndex(index.replaceAll('/', '&#47;')))).toEqual(both);
    expect(thisTermIndexAlive(index)).toBe(true);
  });

  it('may name no address of components; without one of scores it is unreadable', () => {
    const scoresOnly = index.replace('/thisterm/', '/x/');
    expect(segmentsIn(parseThisTermIndex(scoresOnly))).toEqual({ scores: 'M7x2kQ9bTz', components: '' });
    const page = fixture('score-index.html');
    expect(failureOf(() => parseThisTermIndex(page))).toMatchObject(unreadablePage);
  });
});

describe('the scores of this term', () => {
  it('keep odd rows with their defaults, and the exam time to the byte', () => {
    const none = { grade_point: null, class_average: null, class_highest: null, class_lowest: null, class_rank: null };
    const names = { course_name_en: '', course_type: '', exam_type: '' };
    const unknown = { ...names, term_id: '', course_code: '', course_class: '', exam_time: '', credits: '', hours: 0 };
    expect(parseThisTermScores(fixture('this-term-scores.json'))).toEqual({
      kind: 'scores',
      dropped: 1,
      scores: [
        expect.objectContaining({ course_code: 'ECO1201003', exam_time: ' 20260110', score: '87' }),
        expect.objectContaining({
          ...none,
          course_name_cn: '体育（二）',
          course_class: '11',
          exam_time: '1',
          score: '',
        }),
        { ...none, ...unknown, course_name_cn: '形势与政策', score: '优秀' },
      ],
    });
  });

  it.each(['[]', '[{"state":"0"}]', '[{"state":"0","list":null}]', '[{"list":[]},{"list":[{"id":{}}]}]'])(
    'are none: %s',
    (text) => {
      expect(parseThisTermScores(text)).toEqual({ kind: 'scores', scores: [], dropped: 0 });
    },
  );

  it('of a segment that is gone are stale', () => {
    expect(parseThisTermScores('{"result":"Error","msg":"<b>失效</b>"}')).toEqual({ kind: 'stale', message: '失效' });
  });

  it.each([
    '{"list":[]}',
    '[null]',
    '[{}]',
    '[{"list":[{"id":{},"courseScore":"87"}]}]',
    '["x"]',
    '[{"list":"x"}]',
    '[{"list":[null,7]}]',
    '[{"list":[{"kcm":"甲"}]}]',
    '[{"message":"系统维护中"}]',
    '[{"list":null,"result":"error"}]',
  ])('%s is unreadable, not "no scores"', (text) => {
    expect(failureOf(() => parseThisTermScores(text))).toMatchObject(unreadablePage);
  });
});

describe('the components of a score', () => {
  it('have the weights of their own type, and null for what is not said', () => {
    const none = { regular_weight: null, midterm_weight: null, final_weight: null, weight: null };
    expect(parseScoreComponents(fixture('score-components.json'))).toEqual({
      kind: 'components',
      dropped: 0,
      components: [
        expect.objectContaining({ score_type_code: '001', total: '87.3', regular_weight: 0.3, weight: 0.6 }),
        {
          ...none,
          score_type_code: '002',
          regular: null,
          midterm: null,
          final: null,
          total: '合格',
          remark: '六次',
          weight: 0.4,
        },
        { ...none, score_type_code: '', regular: null, midterm: null, final: null, total: '60', remark: '' },
      ],
    });
  });

  it.each(['{"mx":null}', '{"mx":[]}', '{"xs":[]}', '{"rounding":"01"}', '{"mx":null,"xs":{}}'])(
    'are none: %s',
    (text) => {
      expect(parseScoreComponents(text)).toEqual({ kind: 'components', components: [], dropped: 0 });
    },
  );

  it('without weights have none', () => {
    const text = JSON.stringify({ mx: [{ id: { scoreTypeCode: '003' }, zcj: 1 }], xs: 'x' });
    expect(parseScoreComponents(text)).toMatchObject({
      components: [{ score_type_code: '003', total: '1', weight: null }],
    });
  });

  it.each(['[]', '{"mx":"x"}', '{"mx":[7,null]}', '{"mx":null,"success":false}'])(
    '%s is unreadable, not "no components"',
    (text) => {
      expect(failureOf(() => parseScoreComponents(text))).toMatchObject(unreadablePage);
    },
  );
});

describe('the requests of this term', () => {
  const base = '/student/integratedQuery/scoreQuery';
  const scoresPath = `${base}/M7x2kQ9bTz/thisTermScores/data?sf_request_type=ajax`;
  const componentsPath = `${base}/Rt5Lw0PpQ3/thisterm/coursePropertyScores/serchScoreDetail?sf_request_type=ajax`;
  const indexPath = `${base}/thisTermScores/index`;
  const key = { termCode: '2025-2026-1-1', courseCode: 'ECO1201003', courseClass: '02', examTime: ' 20260110' };

  const start = () => {
    const jwc = new FakeJwc();
    jwc.answers(indexPath, index);
    jwc.answers(scoresPath, fixture('this-term-scores.json'));
    jwc.answers(componentsPath, fixture('score-components.json'));
    return { jwc, client: createJwcClient({ sessions: jwc }), context: callContext() };
  };

  it('are the page once, then scores and components with a segment each', async () => {
    const { jwc, client, context } = start();
    expect(await client.currentScores(student, context)).toHaveLength(3);
    expect(await client.scoreComponents(student, key, context)).toHaveLength(3);
    expect(jwc.requests).toMatchObject([
      { path: indexPath },
      { path: scoresPath, whole: true },
      {
        path: componentsPath,
        form: Object.entries({ zxjxjhh: '2025-2026-1-1', kch: 'ECO1201003', kssj: ' 20260110', kxh: '02' }),
      },
    ]);
  });

  it('ask the page once more for an address that it did not name, and never make one up', async () => {
    const { jwc, client, context } = start();
    jwc.answers(indexPath, index.replace('/thisterm/', '/x/'));
    await client.currentScores(student, context);
    expect(await rejection(client.scoreComponents(student, key, context))).toMatchObject({ kind: 'upstream-refused' });
    expect(jwc.names).toEqual([indexPath, scoresPath, indexPath]);
    jwc.answers(indexPath, index);
    expect(await client.scoreComponents(student, key, context)).toHaveLength(3);
    expect(jwc.names.slice(3)).toEqual([indexPath, componentsPath]);
  });
});
