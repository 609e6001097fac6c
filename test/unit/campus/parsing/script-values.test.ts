import { describe, expect, it } from 'vitest';
import {
  asJson,
  expressionEnd,
  isMembers,
  type Literal,
  readLiteral,
  readLiteralAt,
  withoutComments,
} from '../../../../src/campus/parsing/script-values.ts';

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

const plain = (value: Literal | undefined): unknown => {
  if (isMembers(value)) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
};
const read = (text: string): unknown => plain(readLiteral(text));

describe('a script literal', () => {
  it.each<[string, string, unknown]>([
    [
      'bare keys',
      '[{floordm:["","0101"],floorname:["请选择","1-1层"]}]',
      [{ floordm: ['', '0101'], floorname: ['请选择', '1-1层'] }],
    ],
    ['strict JSON', '[{"a":["x"],"b":{"c":"d"}}]', [{ a: ['x'], b: { c: 'd' } }]],
    ['single quotes', "[{'a':['x',\"y\"]}]", [{ a: ['x', 'y'] }]],
    [
      'what looks like a key inside a text',
      '[{name:["abc: def","a,b","c]d","{e:1}"]}]',
      [{ name: ['abc: def', 'a,b', 'c]d', '{e:1}'] }],
    ],
    ['trailing commas', '[{a:["x",],},]', [{ a: ['x'] }]],
    ['several lines and blanks', ' [ {\n a :\t[ "x" ,\r\n "y" ] } ] ;\n', [{ a: ['x', 'y'] }]],
    ['a byte order mark', '\uFEFF[]', []],
    ['numbers, which stay as written', '[0101, 12, -1.5, true]', ['0101', '12', '-1.5', 'true']],
    ['null and undefined', '[null,undefined]', [null, null]],
    ['escapes', String.raw`["\"\\\/\u677e\x41\n'", '\'']`, ['"\\/松A\n\'', "'"]],
    ['a broken escape', String.raw`["\u12", "\q"]`, ['u12', 'q']],
    [
      'keys that every object inherits',
      '[{__proto__:["x"],constructor:["y"]}]',
      [JSON.parse('{"__proto__":["x"],"constructor":["y"]}')],
    ],
  ])('may hold %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each(['[{a:]', '["x" "y"]', '[]x', '[][]', '[,]', '[{:1}]', '<html>', '[{a b:1}]', '{a:1]', "['x"])(
    'is not %s',
    (text) => {
      expect(readLiteral(text)).toBeUndefined();
    },
  );

  it('is undefined when cut anywhere', () => {
    const whole = '[{roomdm:["","010101"],roomname:["请选择","1-101"]}]';
    for (let length = 0; length < whole.length; length += 1) {
      expect(readLiteral(whole.slice(0, length)), String(length)).toBeUndefined();
    }
  });

  it('is undefined when nested deeper than any of the campus, and never overflows the stack', () => {
    expect(readLiteral('['.repeat(1_000_000))).toBeUndefined();
    expect(readLiteral('{a:'.repeat(100))).toBeUndefined();
  });

  it('is read from the middle of a script', () => {
    const script = 'cols: [{ values: ["a", "b]"], displayValues: [] }]';
    expect(readLiteralAt(script, script.indexOf('["a"'))).toEqual(['a', 'b]']);
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
