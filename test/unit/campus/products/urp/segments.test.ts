import { describe, expect, it } from 'vitest';
import {
  parseScheduleIndex,
  parseScoreIndex,
  parseThisTermIndex,
  scheduleAddress,
  scoreIndexAlive,
  segmentPath,
  segmentsIn,
} from '../../../../../src/campus/products/urp/parse-segments.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const base = '/student/integratedQuery/scoreQuery';

describe('segment of the scores', () => {
  it.each([
    ['a script', fixture('score-index.html')],
    ['an attribute with entities', fixture('score-index-entities.html')],
    [
      'a script text with escaped slashes',
      `<script>"\\/student\\/integratedQuery\\/scoreQuery\\/M7x2kQ9bTz\\/allTermScores\\/data"</script>`,
    ],
    ['an address below a prefix', `<script>var u = "/urp${base}/M7x2kQ9bTz/allTermScores/data?x=1"</script>`],
    ['the first of several addresses', `${base}/M7x2kQ9bTz/allTermScores/data ${base}/other/allTermScores/data`],
    ['the first address that has one', `${base}/allTermScores/data ${base}/M7x2kQ9bTz/allTermScores/data`],
  ])('is found in %s', (_, page) => {
    expect(parseScoreIndex(page)).toBe('M7x2kQ9bTz');
  });

  it.each([
    ['another page', `${base}/M7x2kQ9bTz/thisTermScores/data`],
    ['other characters', `${base}/M7x-2k/allTermScores/data`],
    ['one without end', `${base}/${'a'.repeat(65)}/allTermScores/data`],
  ])('is never made up: %s is unreadable', (_, page) => {
    expect(failureOf(() => parseScoreIndex(page))).toMatchObject(unreadablePage);
  });

  it('is none where the address has none, and no other part of the path is taken for one', () => {
    expect(segmentPath(parseScoreIndex(fieldInput('f07-scores-index-no-segment.html')))).toBe('');
    const both = segmentsIn(parseThisTermIndex(fieldInput('f07b-thisterm-index-no-segment.html')));
    expect(both).toEqual({ scores: '.', components: '' });
    const escaped = `<script>"${base.replaceAll('/', '\\/')}\\/allTermScores\\/data"</script>`;
    expect(segmentPath(parseScoreIndex(escaped))).toBe('');
    const components = `${base}/thisTermScores/data ${base}/thisterm/coursePropertyScores/serchScoreDetail`;
    expect(segmentsIn(parseThisTermIndex(components))).toEqual({ scores: '.', components: '.' });
    const schedule = '/student/courseSelect/thisSemesterCurriculum/ajaxStudentSchedule/past/callback';
    expect(segmentPath(parseScheduleIndex(schedule))).toBe('');
    expect(segmentPath('M7x2kQ9bTz')).toBe('M7x2kQ9bTz/');
  });

  it('is on a page whose mark proves a live session', () => {
    expect(scoreIndexAlive(fixture('score-index.html'))).toBe(true);
    expect(scoreIndexAlive(fixture('score-index-entities.html'))).toBe(true);
  });
});

describe('segment of the schedule', () => {
  it('is found on the calendar page', () => {
    expect(parseScheduleIndex(fixture('calendar.html'))).toBe('Q4mZ81xTcd');
  });

  it.each([
    ['without a segment', '"/student/courseSelect/thisSemesterCurriculum/ajaxStudentSchedule/callback"', './', ''],
    [
      'with escaped slashes',
      "'\\/student\\/courseSelect\\/thisSemesterCurriculum\\/Q4mZ\\/ajaxStudentSchedule\\/callback'",
      'Q4mZ/',
      'Q4mZ/',
    ],
  ])('says with what follows it that the table of the past has no address, %s', (_, page, found, before) => {
    expect(parseScheduleIndex(page)).toBe(found);
    expect(scheduleAddress(found)).toEqual({ path: `${before}ajaxStudentSchedule/callback`, isPast: false });
    const both = `${page} ${fixture('calendar.html')}`;
    expect(scheduleAddress(parseScheduleIndex(both)).path).toMatch(/ajaxStudentSchedule\/past\/callback$/);
  });

  it.each([
    ['other characters', '/student/courseSelect/thisSemesterCurriculum/a-b/ajaxStudentSchedule/past/callback'],
    ['the address of the scores', fixture('score-index.html')],
  ])('is never made up: %s is unreadable', (_, page) => {
    expect(failureOf(() => parseScheduleIndex(page))).toMatchObject(unreadablePage);
  });
});
