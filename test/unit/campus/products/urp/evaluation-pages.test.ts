import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseSubmission } from '../../../../../src/campus/products/urp/evaluation-client.ts';
import {
  evaluationIndexAlive,
  parseEvaluationIndex,
  parseEvaluationList,
} from '../../../../../src/campus/products/urp/parse-evaluation.ts';
import { parseQuestionnaire } from '../../../../../src/campus/products/urp/parse-questionnaire.ts';
import { failureOf, fieldInput, unreadablePage } from './fixtures.ts';

const index = (content: string): string =>
  `<html><body><script>if (!open) alert("对不起，评估开关已关闭！");</script>
<div class="main-content"><div class="page-content"><div id="page-content-template">${content}</div></div></div></body></html>`;

const unreadable = expect.objectContaining(unreadablePage);

describe('the entrance', () => {
  it.each([
    '<input type="hidden" id="tokenValue" value="8f2c6b0e4a7d4c1f">',
    '<input value=\'8f2c6b0e4a7d4c1f\' name="tokenValue" type="hidden"/>',
    '<textarea><!-- --></textarea><script>var t = \'<x id="tokenValue" value="8f2c6b0e4a7d4c1f">\';</script>',
  ])('gives the whole token of %s', (content) => {
    expect(parseEvaluationIndex(index(content))).toEqual({ open: true, token: '8f2c6b0e4a7d4c1f' });
    expect(evaluationIndexAlive(index(content))).toBe(true);
  });

  it('is closed where an alert of the content says so, however it is nested', () => {
    for (const text of ['对不起，评估开关已关闭！', '<b>对不起，</b><br>评估<i>开关</i>已关闭！']) {
      const page = index(`<div class="alert alert-block alert-danger">${text}</div>`);
      expect(parseEvaluationIndex(page)).toEqual({ open: false });
      expect(evaluationIndexAlive(page)).toBe(true);
    }
  });

  it('is not closed by the same words behind an alert that says something else, but by a later alert', () => {
    const other = '<div class="alert">请 <b>按时</b><br>评估<img src="x.png"> <i/>完成</div>';
    const token = '<input type="hidden" id="tokenValue" value="8f2c6b0e4a7d4c1f">';
    expect(parseEvaluationIndex(index(`${other}<p>评估开关已关闭</p>${token}`))).toMatchObject({ open: true });
    const both = index(`${other}<div class="alert">评估开关已关闭</div>`);
    expect(parseEvaluationIndex(both)).toEqual({ open: false });
  });

  it('without token and notice is unreadable, although a script holds the words', () => {
    expect(failureOf(() => parseEvaluationIndex(index('')))).toEqual(unreadable);
    expect(evaluationIndexAlive(index(''))).toBe(false);
  });
});

const row = {
  id: {
    evaluatedPeople: '20080123',
    coureSequenceNumber: '02',
    evaluationContentNumber: 'ECO1',
    questionnaireCoding: 'Q1',
  },
  questionnaire: { questionnaireNumber: 'Q1', questionnaireName: '理论课' },
  evaluatedPeople: '周明',
  isEvaluated: '否',
  evaluationContent: '微观经济学',
};

describe('the course list', () => {
  it('keeps rows without id or questionnaire, and drops what names no course', () => {
    const data = [row, { ...row, id: null, questionnaire: null, isEvaluated: null }, { isEvaluated: '否' }, 7];
    const { list, received } = parseEvaluationList(JSON.stringify({ evaluationNum: 60, notFinishedNum: 2, data }));
    expect([received, list.total, list.pending, list.courses.length]).toEqual([4, 60, 2, 2]);
    expect(list.courses[1]).toMatchObject({ id: null, questionnaire: null, evaluated: '' });
    expect(list.courses[0]).toEqual({
      id: { staffNumber: '20080123', sequence: '02', contentNumber: 'ECO1', questionnaireCoding: 'Q1' },
      questionnaire: { number: 'Q1', name: '理论课' },
      teacher: '周明',
      courseName: '微观经济学',
      evaluated: '否',
    });
  });

  it.each([
    ['"2"', 2],
    ['-1', null],
  ])('with notFinishedNum %s states %j pending courses', (stated, pending) => {
    expect(parseEvaluationList(`{"data":[],"notFinishedNum":${stated}}`).list.pending).toBe(pending);
  });

  it.each(['{"result":"success","data":null}', '{"result":"success"}', '{"data":[]}'])('is empty in %s', (text) => {
    expect(parseEvaluationList(text).list.courses).toEqual([]);
  });

  it.each(['[]', '{"data":"x"}', '{"data":[{"kcm":"x"}]}', '{"msg":"系统维护中"}'])(
    'is unreadable in %s, not empty',
    (text) => {
      expect(failureOf(() => parseEvaluationList(text))).toEqual(unreadable);
    },
  );

  it('that the campus refuses is a refusal, not an empty list', () => {
    const refusal = failureOf(() => parseEvaluationList('{"result":"error","msg":"系统忙"}'));
    expect(refusal).toMatchObject({ kind: 'upstream-refused', upstreamMessage: '系统忙' });
  });
});

const questionnaire = (fields: string): string =>
  `<div class="title">问卷</div><form><input type="hidden" name="tokenValue" value="c0a4">
<input type="hidden" name="wjdm" value="Q9"><input type="hidden" name="bprdm" value="S9"><input type="hidden" name="pgnr" value="C9">
<table>${fields}</table></form>`;
const radio = (name: string, value: string): string =>
  `<input type="radio" class="ace" name="${name}" value="${value}">`;

describe('the questionnaire', () => {
  it('gives token, numbers, options with weights and comments with their kind and limit', () => {
    const page =
      questionnaire(`<tr><td rowspan="2">态度</td><td>老师备课充分</td><td>${radio('71', '5_1')}${radio('71', '5_0.8')}</td></tr>
<tr><td>评分</td><td>${radio('72', '9')}</td></tr>
<tr><td>这门课给你最大的启发是什么</td><td><textarea name="a"></textarea></td></tr>
<tr><td>希望改进的地方</td><td><textarea name="b" maxlength="60"></textarea></td></tr>
<tr><td>意见和建议</td></tr><tr><td><textarea name="c"></textarea></td></tr>
<tr><td>其他</td><td><textarea name="d" maxlength="0"></textarea></td></tr>
<tr><td>你对这门课的建议</td><td><textarea name="f_zgpj_1" maxlength="500"></textarea></td></tr>`);
    expect(parseQuestionnaire(page)).toEqual({
      token: 'c0a4',
      title: '问卷',
      questionnaireNumber: 'Q9',
      staffNumber: 'S9',
      contentNumber: 'C9',
      ratings: [
        {
          name: '71',
          question: '老师备课充分',
          options: [
            { value: '5_1', weight: 1, label: '' },
            { value: '5_0.8', weight: 0.8, label: '' },
          ],
        },
        { name: '72', question: '评分', options: [{ value: '9', weight: 0, label: '' }] },
      ],
      comments: [
        { name: 'a', question: '这门课给你最大的启发是什么', sort: 'inspiration', maxLength: null },
        { name: 'b', question: '希望改进的地方', sort: 'suggestion', maxLength: 60 },
        { name: 'c', question: '意见和建议', sort: 'suggestion', maxLength: null },
        { name: 'd', question: '其他', sort: 'general', maxLength: null },
        { name: 'f_zgpj_1', question: '你对这门课的建议', sort: 'overall', maxLength: 500 },
      ],
    });
  });

  it('is unreadable with more questions or cells than a questionnaire can have', () => {
    const text = '<textarea name="a"></textarea>';
    const many = Array.from({ length: 501 }, (_, at) => `<textarea name="${at}"></textarea>`).join('');
    for (const content of [many, `${text}${'<td>'.repeat(20_001)}`]) {
      expect(failureOf(() => parseQuestionnaire(questionnaire(content)))).toEqual(unreadable);
    }
    expect(parseQuestionnaire(questionnaire(`${text}${'<td>'.repeat(19_000)}`)).comments).toHaveLength(1);
  });

  it.each([
    ['<label><input type="radio" name="1" value="5_1"><span class="lbl">非常&#21516;意</span></label>', '非常同意'],
    ['<label>非常同意 <input type="radio" name="1" value="5_1"></label>不算', '非常同意'],
    ['<input type="radio" id="x" name="1" value="5_1"><label for="x">非常\n 同意</label>不算', '非常 同意'],
    ['<input type="radio" name="1" value="5_1"/> 非常同意<input type="radio" name="1" value="5_0"> 不同意', '非常同意'],
    ['非常同意<input type="radio" name="1" value="5_1">', '非常同意'],
    ['<input type="radio" name="1" value="5_1"></td><td>不算', ''],
  ])('labels an option as the page does: %s', (cell, label) => {
    const page = questionnaire(`<tr><td>老师备课充分，按时上课</td><td>${cell}</td></tr>`);
    expect(parseQuestionnaire(page).ratings[0]?.options[0]).toEqual({ value: '5_1', weight: 1, label });
  });

  it.each([
    ['<td>老师备课充分，按时上课</td>', '老师备课充分，按时上课'],
    ['<td rowspan="3">教学内容与态度</td><td>老师备课充分，按时上课</td>', '老师备课充分，按时上课'],
    ['<td>1</td><td>备课</td>', '备课'],
    ['<td>被评人</td><td>课堂管理严格认真</td>', '课堂管理严格认真'],
    ['<td>老师备课充分，按时上课</td></tr><tr><td>1</td>', '老师备课充分，按时上课'],
    ['', ''],
  ])('finds the question to radio buttons behind %s', (cells, question) => {
    const page = questionnaire(`<tr>${cells}<td>${radio('1', '5_1')}</td></tr>`);
    expect(parseQuestionnaire(page).ratings[0]?.question).toBe(question);
  });

  it.each([
    ['<h1> </h1><h2>实践课<b>问卷</b></h2><h1>另一个</h1>', '实践课问卷'],
    ['<div class="a title">理论课</div><h1>另一个</h1>', '理论课'],
    ['', ''],
  ])('has the first heading as its title: %s', (heading, title) => {
    const page = questionnaire(radio('1', '5_1')).replace('<div class="title">问卷</div>', heading);
    expect(parseQuestionnaire(page).title).toBe(title);
  });

  it('has its own token, not that of the entrance beside it', () => {
    const page = questionnaire(`<input type="hidden" id="tokenValue" value="8f2c"><td>${radio('71', '5_1')}</td>`);
    expect(parseQuestionnaire(page).token).toBe('c0a4');
    expect(parseEvaluationIndex(page)).toEqual({ open: true, token: '8f2c' });
  });

  it('may have a hundred questions; hidden fields of other names and groups without a value are none', () => {
    const rows = Array.from({ length: 100 }, (_, at) => `<tr><td>题</td><td>${radio(String(at), '5_1')}</td></tr>`);
    const others = `<input type="hidden" name="csrf" value="x">${radio('none', '')}<input type="radio" name="bare">`;
    const { ratings, comments } = parseQuestionnaire(questionnaire(others + rows.join('')));
    expect([ratings.length, comments.length]).toEqual([100, 0]);
  });

  it('does not keep its page in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('no gc');
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const long = 'name-of-a-field-in-a-questionnaire';
    const fields = `${radio(long, '5_1_of_a_long_value')}<textarea name="${long}-text"></textarea>`;
    const page = (at: number): string => questionnaire(`${fields}<p>${`第${at}页`.repeat(20_000)}</p>`);
    const before = heap();
    const kept = Array.from({ length: 30 }, (_, at) =>
      parseQuestionnaire(page(at).replace('c0a4', `c0a41e9d73b84f5a8e26d4b7f1093a5c${at}`)),
    );
    expect(heap() - before).toBeLessThan(1_000_000);
    expect(kept[29]?.token).toBe('c0a41e9d73b84f5a8e26d4b7f1093a5c29');
  });

  it('without token, or without a question, is unreadable', () => {
    expect(failureOf(() => parseQuestionnaire(questionnaire('')))).toEqual(unreadable);
    const withoutToken = questionnaire(`<td>${radio('71', '5_1')}</td>`).replace('tokenValue', 'other');
    expect(failureOf(() => parseQuestionnaire(withoutToken))).toEqual(unreadable);
  });

  it('that breaks off is unreadable, wherever it does: half of it must neither be shown nor be sent', () => {
    const page = questionnaire(`<tr><td>老师备课充分</td><td>${radio('71', '5_1')}${radio('71', '5_0.8')}</td></tr>`);
    expect(parseQuestionnaire(page).ratings).toHaveLength(1);
    for (let length = page.length - 1; length > 0; length -= 1) {
      expect(failureOf(() => parseQuestionnaire(page.slice(0, length)))).toEqual(unreadable);
    }
  });

  it('may leave its form open where the document ends', () => {
    const open = questionnaire(`<tr><td>${radio('71', '5_1')}</td></tr>`).replace('</form>', '</body></html>');
    expect(parseQuestionnaire(open).ratings).toHaveLength(1);
  });
});

describe('the answer to a submission', () => {
  it.each(['{"result":"success","msg":"保存成功！"}', '\uFEFF{"result":"SUCCESS"}'])('%s is an acceptance', (text) => {
    expect(parseSubmission(text)).toBe('accepted');
  });

  it.each([
    ['评价时间不足，请稍后再提交！', true],
    ['页面已失效，请重新进入！', true],
    ['token error', true],
    ['该课程已经评价，不能重复评价！', false],
    ['系统错误，保存失败！', false],
  ])('a refusal with %s is about timing: %s', (msg, isAboutTiming) => {
    expect(parseSubmission(JSON.stringify({ result: 'error', msg }))).toBe(isAboutTiming ? 'not-yet' : 'refused');
  });

  it.each([
    fieldInput('f17-evaluation-submit-login.json'),
    fieldInput('f17b-evaluation-submit-new-token.json'),
    '{"result":"https://campus.test/login"}',
  ])('%s says that the page is spent', (text) => {
    expect(parseSubmission(text, 'old')).toBe('spent');
  });

  it('with the token of the page is a refusal', () => {
    expect(parseSubmission('{"result":"error","token":"old"}', 'old')).toBe('refused');
    expect(parseSubmission('{"result":"success","token":"new"}', 'old')).toBe('accepted');
  });

  it.each(['', '<html>', 'null', '[]', '{}', '{"result":""}', '{"msg":"success"}'])(
    '%j leaves the outcome unknown',
    (text) => {
      expect(parseSubmission(text)).toBe('unknown');
    },
  );
});
