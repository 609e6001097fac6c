import { describe, expect, it } from 'vitest';
import { parseAwards } from '../../../src/campus/products/competition/parse-awards.ts';
import { parsePlanCompletion } from '../../../src/campus/products/urp/parse-plan-page.ts';
import { parseSections } from '../../../src/campus/products/urp/parse-schedule.ts';
import { parseTermList } from '../../../src/campus/products/urp/parse-terms.ts';
import { isFailure } from '../../../src/domain/errors.ts';
import { fixture } from './products/urp/fixtures.ts';
import { registeredReaders } from './registered-readers.ts';

/** A value or the typed failure: the kind of the outcome, or the foreign error itself. */
const outcome = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    parse(text);
    return 'value';
  } catch (error) {
    return isFailure(error) && error.system !== undefined ? error.kind : error;
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

describe.each(registeredReaders)('a damaged page of $name', ({ read, sample }) => {
  it('cut at every 50th byte gives a value or a typed failure', () => {
    const bytes = Buffer.from(sample);
    for (let end = 0; end < bytes.length; end += 50) expectTyped(read, bytes.subarray(0, end).toString('utf8'));
  });

  it('with bytes replaced gives a value or a typed failure', () => {
    const source = Buffer.from(sample);
    const next = numbers(source.length);
    for (let round = 0; round < 100; round += 1) {
      const bytes = Buffer.from(source);
      for (let hit = next(8); hit >= 0; hit -= 1) bytes[next(bytes.length)] = next(256);
      expectTyped(read, bytes.toString('utf8'));
    }
  });

  it('with its values replaced gives a value or a typed failure', () => {
    const odd = ['null', '""', '[]', '{}', '1e999', '-1', 'true', '"&#0;<b>"', '[[[[]]]]', '{"__proto__":null}'];
    const next = numbers(7);
    for (let round = 0; round < 100; round += 1) {
      const changed = sample.replace(/"[^"]*"(?!\s*:)|\b\d+\b|null/g, (value) =>
        next(4) === 0 ? (odd[next(odd.length)] ?? value) : value,
      );
      expectTyped(read, changed);
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
  ])('made of nothing but %s gives a value or a typed failure', (_, text) => {
    expectTyped(read, text);
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
