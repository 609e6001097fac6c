import { describe, expect, it } from 'vitest';
import { parseCourseSelection, parseTrainingPlan } from '../../../../../src/campus/products/urp/parse-student.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

describe('the training plan', () => {
  it('is the first of several', () => {
    expect(parseTrainingPlan(fixture('training-plan.json'))).toEqual({
      name: '2023级会计学本科培养方案',
      major: '会计学',
      grade: '2023',
    });
  });

  it('has its entities decoded', () => {
    const text = '{"data":[["2023级A&amp;B&nbsp; 本科培养方案","1"]]}';
    expect(parseTrainingPlan(text)).toMatchObject({ name: '2023级A&B 本科培养方案', major: 'A&B' });
  });

  it.each([
    '{"count":0,"data":[]}',
    '{"count":0,"data":null}',
    '{"count":1,"data":[["2023级甲本科培养方案"]]}',
    '{"count":1,"data":["x"]}',
    '{"count":1,"data":[[null,"1"]]}',
    '{"count":"0","data":[["2023级甲本科培养方案","1"]]}',
  ])('is missing in %s', (text) => {
    expect(failureOf(() => parseTrainingPlan(text))).toMatchObject({ kind: 'upstream-empty', system: 'academics' });
  });

  it.each(['[]', '{"data":{}}', '{"data":"x"}'])('%j is unreadable', (text) => {
    expect(failureOf(() => parseTrainingPlan(text))).toMatchObject(unreadablePage);
  });
});

describe('the course selection', () => {
  it.each([
    ['"1"', true],
    ['1', true],
    ['" 1 "', true],
    ['"0"', false],
    ['null', false],
    ['true', false],
    ['"11"', false],
  ])('with %s is open: %s', (value, open) => {
    expect(parseCourseSelection(`{"retString":${value}}`)).toEqual({ open });
  });

  it.each(['{"zxjxjhm":"x"}', '[]'])('%j is unreadable, not closed', (text) => {
    expect(failureOf(() => parseCourseSelection(text))).toMatchObject(unreadablePage);
  });
});
