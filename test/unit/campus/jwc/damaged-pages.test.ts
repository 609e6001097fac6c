import { describe, expect, it } from 'vitest';
import { competitionPageAlive, readForm } from '../../../../src/campus/competition/form.ts';
import { parseAwards } from '../../../../src/campus/competition/parse-awards.ts';
import {
  evaluationIndexAlive,
  evaluationTokenIn,
  parseEvaluationIndex,
  parseEvaluationList,
} from '../../../../src/campus/jwc/parse-evaluation.ts';
import { parseExamSeats, parseOtherExams, parseUniversityExams } from '../../../../src/campus/jwc/parse-exams.ts';
import { parsePlanCompletion } from '../../../../src/campus/jwc/parse-plan-page.ts';
import { parseCourseTable, parseSections } from '../../../../src/campus/jwc/parse-schedule.ts';
import { parseScoreComponents, parseScoreData, parseThisTermScores } from '../../../../src/campus/jwc/parse-scores.ts';
import {
  parseScheduleIndex,
  parseScoreIndex,
  parseThisTermIndex,
  scoreIndexAlive,
} from '../../../../src/campus/jwc/parse-segments.ts';
import {
  parseAcademicSummary,
  parseCourseSelection,
  parseTrainingPlan,
} from '../../../../src/campus/jwc/parse-student.ts';
import {
  calendarAlive,
  calendarPageAlive,
  homeAlive,
  parseCalendar,
  parseHome,
  parseTermList,
} from '../../../../src/campus/jwc/parse-terms.ts';
import { Failure } from '../../../../src/domain/errors.ts';
import { fixture } from './fixtures.ts';

const parsers: Array<[name: string, parse: (text: string) => unknown, fixtures: string[]]> = [
  ['summary', parseAcademicSummary, ['academic-summary.json']],
  ['terms', parseTermList, ['calendar.html']],
  ['schedule index', parseScheduleIndex, ['calendar.html']],
  ['score index', parseScoreIndex, ['score-index.html', 'score-index-entities.html']],
  ['scores', parseScoreData, ['scores.json', 'scores-malformed.json']],
  ['index of this term', parseThisTermIndex, ['this-term-index.html']],
  ['scores of this term', parseThisTermScores, ['this-term-scores.json']],
  ['score components', parseScoreComponents, ['score-components.json']],
  ['courses', parseCourseTable, ['courses.json', 'courses-malformed.json', 'courses-stale.json']],
  ['sections', parseSections, ['sections.json']],
  ['training plan', parseTrainingPlan, ['training-plan.json']],
  [
    'plan completion',
    parsePlanCompletion,
    ['plan-inline.html', 'plan-variable.html', 'plan-choice.html', 'plan-links.html'],
  ],
  ['course selection', parseCourseSelection, ['course-selection.json']],
  ['start page', parseHome, ['home.html']],
  ['first day', parseCalendar, ['term-start.html']],
  ['seats', parseExamSeats, ['exam-page.html']],
  ['university exams', parseUniversityExams, ['university-exams.json']],
  ['other exams', parseOtherExams, ['other-exams.json', 'other-exams-arrays.json']],
  ['evaluation entrance', parseEvaluationIndex, ['evaluation-index.html', 'evaluation-closed.html']],
  ['evaluation list', parseEvaluationList, ['evaluation-list.json']],
  ['evaluation token', (page: string) => evaluationTokenIn(page, 'id'), ['evaluation-index.html']],
  ['awards', parseAwards, ['../competition/awards.html', '../competition/awards-last.html']],
  ['competition form', readForm, ['../competition/start.html', '../competition/awards.html']],
  ['competition marker', competitionPageAlive, ['../competition/start.html']],
  ['start page marker', homeAlive, ['home.html']],
  ['first day marker', calendarAlive, ['term-start.html']],
  ['evaluation marker', evaluationIndexAlive, ['evaluation-index.html', 'evaluation-closed.html']],
  ['calendar marker', calendarPageAlive, ['calendar.html']],
  ['score marker', scoreIndexAlive, ['score-index.html']],
];

const systems = new Set<unknown>(['academics', 'competitions']);

/** A value or the typed failure: the kind of the outcome, or the foreign error itself. */
const outcome = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    parse(text);
    return 'value';
  } catch (error) {
    return error instanceof Failure && systems.has(error.system) ? error.kind : error;
  }
};

const allowed = ['value', 'upstream-unreadable', 'upstream-empty', 'upstream-refused'];
const expectTyped = (parse: (text: string) => unknown, text: string): void => {
  const got = outcome(parse, text);
  if (!allowed.includes(String(got))) throw new Error(`foreign outcome for ${JSON.stringify(text)}`, { cause: got });
};

/** Repeatable pseudo-random numbers below `limit`. */
const numbers = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

describe.each(parsers)('a damaged page of %s', (_, parse, names) => {
  it.each(names)('%s, cut at every 50th byte, gives a value or a typed failure', (name) => {
    const bytes = Buffer.from(fixture(name));
    for (let end = 0; end < bytes.length; end += 50) expectTyped(parse, bytes.subarray(0, end).toString('utf8'));
  });

  it.each(names)('%s, with bytes replaced, gives a value or a typed failure', (name) => {
    const source = Buffer.from(fixture(name));
    const next = numbers(source.length);
    for (let round = 0; round < 100; round += 1) {
      const bytes = Buffer.from(source);
      for (let hit = next(8); hit >= 0; hit -= 1) bytes[next(bytes.length)] = next(256);
      expectTyped(parse, bytes.toString('utf8'));
    }
  });

  it.each(names)('%s, with its values replaced, gives a value or a typed failure', (name) => {
    const source = fixture(name);
    const odd = ['null', '""', '[]', '{}', '1e999', '-1', 'true', '"&#0;<b>"', '[[[[]]]]', '{"__proto__":null}'];
    const next = numbers(7);
    for (let round = 0; round < 100; round += 1) {
      const changed = source.replace(/"[^"]*"(?!\s*:)|\b\d+\b|null/g, (value) =>
        next(4) === 0 ? (odd[next(odd.length)] ?? value) : value,
      );
      expectTyped(parse, changed);
    }
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['open objects', '{"list":'.repeat(50_000)],
    ['tags', `<select id="planCode">${'<option value="a"><b>'.repeat(2_000)}</select>`],
    ['unclosed selectors', '<select id="planCode" '.repeat(20_000)],
    ['comment beginnings', '<!--'.repeat(50_000)],
    ['entities', '&lt;&#47;'.repeat(50_000)],
    ['quoted values', `<a href="${"'".repeat(100_000)}`],
    ['tables in tables', `<form>${'<table id="gvHj"><tr><td>1'.repeat(20_000)}</form>`],
    ['comments in scripts', `<script>${'/*"//'.repeat(40_000)}</script>`],
    ['forms', '<form method="post"><select name="a"><option>'.repeat(10_000)],
    ['trees', `<script>${'$.fn.zTree.init(flagId, "a", ['.repeat(20_000)}</script>`],
    ['strings', `<script>zTree.init(a, b, [{"flagId":"${'\\"/*'.repeat(50_000)}</script>`],
    ['blanks', ' '.repeat(200_000)],
    ['no characters', '\u0000\ufffd\ud800'.repeat(1_000)],
  ])('made of nothing but %s gives a value or a typed failure', (__, text) => {
    expectTyped(parse, text);
  });
});

describe('what the parsers read of cut pages', () => {
  it.each<[string, (text: string) => unknown, string, string]>([
    ['JSON', parseSections, 'sections.json', '}'],
    ['award list', parseAwards, '../competition/awards.html', '</form'],
    ['plan', parsePlanCompletion, 'plan-inline.html', '])'],
    ['choice of plans', parsePlanCompletion, 'plan-choice.html', '</body'],
    ['term list', parseTermList, 'calendar.html', '</select'],
  ])('is no shorter %s: all before its end is unreadable', (_, parse, name, mark) => {
    const text = fixture(name);
    const end = text.lastIndexOf(mark);
    for (let cut = 0; cut <= end; cut += 10) expect(outcome(parse, text.slice(0, cut))).toBe('upstream-unreadable');
    expect(outcome(parse, text)).toBe('value');
  });
});
