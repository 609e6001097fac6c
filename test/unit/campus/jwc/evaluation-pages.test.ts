import { describe, expect, it } from 'vitest';
import {
  evaluationIndexAlive,
  evaluationTokenIn,
  parseEvaluationIndex,
} from '../../../../src/campus/jwc/parse-evaluation-index.ts';
import { parseEvaluationList } from '../../../../src/campus/jwc/parse-evaluation-list.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const token = '8f2c6b0e4a7d4c1f9b35d2a1e6c70f48';

describe('the evaluation entrance', () => {
  it('gives its token whole, although its scripts speak of closing', () => {
    expect(parseEvaluationIndex(fixture('evaluation-index.html'))).toEqual({ open: true, token });
  });

  it('says that the season is over in an alert, however that is marked up', () => {
    expect(parseEvaluationIndex(fixture('evaluation-closed.html'))).toEqual({ open: false });
    const page = '<div class="page-content"><p class="alert">对不起，评估开关已关闭！</p></div>';
    expect(parseEvaluationIndex(page)).toEqual({ open: false });
    expect(parseEvaluationIndex(`${page}<input id="tokenValue" value="x">`)).toEqual({ open: false });
  });

  it('is open when the words stand outside an alert of the content', () => {
    const field = '<input id="tokenValue" value="x">';
    for (const words of [
      '<div class="alert">评估开关已关闭</div><div class="page-content"></div>',
      '<div class="page-content"><div class="alert">a</div>评估开关已关闭</div>',
      '<div class="page-content"><textarea class="alert">评估开关已关闭</textarea></div>',
    ]) {
      expect(parseEvaluationIndex(`${words}${field}`)).toEqual({ open: true, token: 'x' });
    }
  });

  it.each([
    ['<input type="hidden" id="tokenValue" name="x" value="a">', 'a'],
    ['<input name="tokenValue" value="b">', 'b'],
    ['<input name="tokenValue" value="b"><input id="tokenValue" value="a">', 'a'],
    ['<script>var h = \'<input id="tokenValue" value="c">\';</script>', 'c'],
    ['<input id="tokenValue" value="">', null],
    ['<input id="tokenValue">', null],
    ['<p>tokenValue</p>', null],
    [`<input id="tokenValue" value="${'x'.repeat(300)}">`, null],
    ['', null],
  ])('%j holds the token %j', (page, expected) => {
    expect(evaluationTokenIn(page)).toBe(expected);
  });

  it('is unreadable when it says neither', () => {
    expect(failureOf(() => parseEvaluationIndex('<p>tokenValue</p>'))).toMatchObject(unreadablePage);
    expect(evaluationIndexAlive(fixture('login-page.html'))).toBe(false);
    expect(evaluationIndexAlive(fixture('evaluation-closed.html'))).toBe(true);
  });
});

describe('the evaluation list', () => {
  it('keeps evaluated and pending courses, with what identifies them', () => {
    expect(parseEvaluationList(fixture('evaluation-list.json'))).toEqual({
      list: {
        courses: [
          {
            id: {
              staffNumber: '20080123',
              sequence: '02',
              contentNumber: 'ECO1201003',
              questionnaireCoding: '0000000121',
            },
            questionnaire: { number: '0000000121', name: '理论课评教问卷' },
            teacher: '周明',
            courseName: '微观经济学',
            evaluated: '否',
          },
          { id: null, questionnaire: null, teacher: '何岩', courseName: '线性代数(B)', evaluated: '' },
          {
            id: {
              staffNumber: '20150789',
              sequence: '11',
              contentNumber: 'PED1001002',
              questionnaireCoding: '0000000121',
            },
            questionnaire: null,
            teacher: '任远',
            courseName: '体育（二）',
            evaluated: '是',
          },
        ],
        total: 3,
        pending: 2,
      },
      received: 3,
    });
  });

  it.each(['{"data":[]}', '{"result":"success","data":null}', '{"result":"success"}'])('%s is empty', (text) => {
    expect(parseEvaluationList(text)).toEqual({ list: { courses: [], total: 0, pending: null }, received: 0 });
  });

  it('drops rows that name no course, and counts them as received', () => {
    const { list, received } = parseEvaluationList('{"data":[{},null,1,{"evaluatedPeople":"周明"}]}');
    expect([list.courses.length, received]).toEqual([1, 4]);
  });

  it('that is refused is a refusal, not an empty list', () => {
    for (const text of ['{"result":"error","msg":"<b>未开放</b>"}', '{"result":"fail","data":[],"msg":"未开放"}']) {
      expect(failureOf(() => parseEvaluationList(text))).toMatchObject({
        kind: 'upstream-refused',
        upstreamMessage: '未开放',
      });
    }
  });

  it.each(['{}', '[]', '{"data":{}}', '{"data":"[]"}', '', 'null', fixture('login-page.html')])(
    '%j is unreadable',
    (text) => {
      expect(failureOf(() => parseEvaluationList(text))).toMatchObject(unreadablePage);
    },
  );
});
