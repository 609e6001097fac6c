import { describe, expect, it } from 'vitest';
import { asJson, expressionEnd, withoutComments } from '../../../../src/campus/parsing/script-values.ts';

describe('the end of an expression', () => {
  const rest = (text: string) => {
    const end = expressionEnd(text, 0);
    return end < 0 ? null : text.slice(end);
  };
  it.each([
    ['$("#a, b"), x', ', x'],
    ['[1,{"a":")]"}], 2', ', 2'],
    [`'it\\'s, ]', x`, ', x'],
    ["'one \\\r\nline, still', x", ', x'],
    ["'broken\nline, x", ', x'],
    ['[ // a ] comment\n1 /* ] */], x', ', x'],
    ['a / b, c', ', c'],
    ['a)', ')'],
    ['a; b', '; b'],
    ['[1, 2', null],
    ['"never closed, x', null],
    ['/* never closed, x', null],
  ])('of %j leaves %j', (text, left) => {
    expect(rest(text)).toBe(left);
  });
});

describe('a script without its comments', () => {
  it.each([
    ['a = 1; // x "y\nb = "// no";', 'a = 1;  \nb = "// no";'],
    ["/* x */f('/* no */') /* open", " f('/* no */')  "],
    ['a / b', 'a / b'],
    ['', ''],
  ])('%j is %j', (script, bare) => {
    expect(withoutComments(script)).toBe(bare);
  });
});

describe('a literal as JSON', () => {
  it('loses comments and last commas, but nothing inside strings', () => {
    const literal = `[ // one
      {"a":"x // y /* z */ ,]", "b":[1,2, /* two */ ], },
      {"c":"\\",}"}, ]`;
    expect(JSON.parse(asJson(literal))).toEqual([{ a: 'x // y /* z */ ,]', b: [1, 2] }, { c: '",}' }]);
  });

  it('is left alone where it is JSON already', () => {
    const json = '{"a":[1,"b",null],"c":{"d":[]}}';
    expect(asJson(json)).toBe(json);
  });
});
