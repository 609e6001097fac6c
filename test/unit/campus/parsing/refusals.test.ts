import { describe, expect, it } from 'vitest';
import { contradictsSuccess, refusesRows } from '../../../../src/campus/parsing/refusals.ts';
import * as eams5Scores from '../../../../src/campus/products/eams5/parse-scores.ts';
import * as eams5Timetable from '../../../../src/campus/products/eams5/parse-timetable.ts';
import * as emap from '../../../../src/campus/products/emap/parse-timetable.ts';
import * as jwglxtScores from '../../../../src/campus/products/jwglxt/parse-scores.ts';
import * as jwglxtTimetable from '../../../../src/campus/products/jwglxt/parse-timetable.ts';
import { parseEvaluationList } from '../../../../src/campus/products/urp/parse-evaluation.ts';
import { parseOtherExams } from '../../../../src/campus/products/urp/parse-exams.ts';
import { parseOfferings } from '../../../../src/campus/products/urp/parse-offerings.ts';
import { parseCourseTable, parseSections } from '../../../../src/campus/products/urp/parse-schedule.ts';
import { parseSchemeScores } from '../../../../src/campus/products/urp/parse-scheme-scores.ts';
import { parseScoreComponents, parseScoreData } from '../../../../src/campus/products/urp/parse-scores.ts';
import { isFailure } from '../../../../src/domain/errors.ts';

/** An answer without rows, of each reader that has lists in objects. */
const empty: ReadonlyArray<readonly [string, object, (text: string) => unknown]> = [
  ['scores', { list: { records: [] } }, parseScoreData],
  ['scores without a list', { list: null }, parseScoreData],
  ['scheme scores', { lnList: [] }, parseSchemeScores],
  ['score components', { mx: [] }, parseScoreComponents],
  ['courses', { xkxx: [], dateList: [] }, parseCourseTable],
  ['sessions', { sectionTime: [] }, parseSections],
  ['offerings', { list: { records: [] } }, parseOfferings],
  ['other exams', { records: null }, parseOtherExams],
  ['evaluations', { data: [] }, parseEvaluationList],
  ['scores of jwglxt', { items: [] }, jwglxtScores.parseScores],
  ['courses of jwglxt', { xsxx: {}, kbList: [] }, jwglxtTimetable.parseTimetable],
  ['scores of eams5', { semesterId2studentGrades: {} }, eams5Scores.parseScores],
  ['courses of eams5', { studentTableVms: [{ activities: [] }] }, eams5Timetable.parseTimetable],
];

const outcomeOf = (read: (text: string) => unknown, body: object): unknown => {
  try {
    return read(JSON.stringify(body));
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
};

const refused = /^upstream-(?:unreadable|refused)$|stale/;

describe.each(empty)('no %s', (_, body, read) => {
  it.each([
    { msg: '请求过于频繁，请稍后再试' },
    { message: '登录超时，请重新登录' },
    { errorMessage: '您没有权限' },
    { success: 'false' },
    { success: false },
    { status: 'error' },
    { code: 'FAILED' },
    { exception: 'java.lang.NullPointerException' },
  ])('are none because of a refusal: %j', (told) => {
    expect(JSON.stringify(outcomeOf(read, { ...body, ...told }))?.replaceAll('"', '')).toMatch(refused);
  });

  it.each([
    { msg: 'OK' },
    { msg: '查询成功' },
    { message: '暂无数据' },
    { errorMessage: 'null' },
    { errorMessage: null, error: false, code: '0', success: true },
    { code: 200, msg: '没有错误' },
  ])('are none beside %j', (told) => {
    expect(String(outcomeOf(read, { ...body, ...told }))).not.toMatch(refused);
    expect(outcomeOf(read, { ...body, ...told })).not.toMatchObject({ kind: 'stale' });
  });
});

it('no courses of emap are none because they are not published, whichever member says it', () => {
  const read = (extParams: object) =>
    outcomeOf(emap.parseTimetable, { code: '0', datas: { cxxszhxqkb: { rows: [], totalSize: 0, extParams } } });
  expect(read({ msg: '查询学年学期的课程未发布' })).toBe('upstream-refused');
  expect(read({ code: 1, msg: '查询成功' })).toMatchObject({ courses: [] });
});

it.each([{ msg: '系统繁忙' }, { message: '请登录' }, { info: 1, msg: '<b>参数不对</b>' }])(
  'a message in place of scores is none: %j',
  (body) => {
    expect(outcomeOf(parseScoreData, body)).toMatchObject({ kind: 'stale' });
  },
);

it('a member that states success goes before words', () => {
  expect(refusesRows({ result: 'success', msg: '操作失败' })).toBe(false);
  expect(refusesRows({ msg: '操作失败' })).toBe(true);
});

describe('beside a code of success', () => {
  it.each([
    { msg: '报名成功', data: null },
    { result: '操作成功' },
    { errorMessage: 'success', success: true },
    { error: null, status: 200, result: 'OK' },
  ])('%j tells no error', (body) => {
    expect(contradictsSuccess({ code: 0, ...body })).toBe(false);
  });

  it.each([
    { success: false },
    { result: '操作失败' },
    { errorMessage: '未成功' },
    { error: 'unsuccessful' },
    { status: 500 },
  ])('%j does', (body) => {
    expect(contradictsSuccess({ code: 0, ...body })).toBe(true);
  });
});
