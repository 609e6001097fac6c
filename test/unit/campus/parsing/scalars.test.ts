import { describe, expect, it } from 'vitest';
import {
  countOf,
  credits,
  int,
  label,
  list,
  mark,
  num,
  obj,
  optStr,
  saysText,
  str,
} from '../../../../src/campus/parsing/cells.ts';
import { isRecord } from '../../../../src/lib/text.ts';

const object = { a: 1 };
const array = ['x'];

describe('text', () => {
  it.each([
    [null, ''],
    [object, ''],
    ['', ''],
    ['  甲 乙\r\n', '甲 乙'],
    ['\u00a0甲\u00a0', '甲'],
    [3, '3'],
    [2.5, '2.5'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    [Number.POSITIVE_INFINITY, ''],
  ])('of %j is %j', (value, text) => {
    expect(str(value)).toBe(text);
  });

  it.each([
    [null, null],
    ['', null],
    [' \t', null],
    [object, null],
    ['63', '63'],
    [0, '0'],
  ])('or null of %j is %j', (value, text) => {
    expect(optStr(value)).toBe(text);
  });

  it.each([
    ['C&#43;&#x2b;\u7a0b\u5e8f\u8bbe\u8ba1', 'C++\u7a0b\u5e8f\u8bbe\u8ba1'],
    ['R&amp;D &lt;&quot;A&quot; &apos;B&apos;&gt;', 'R&D <"A" \'B\'>'],
    // Once: what is left after that is part of the name.
    ['&amp;lt;', '&lt;'],
    ['AT&T, Q&A; x &y;', 'AT&T, Q&A; x &y;'],
    // As browsers do.
    ['&amp', '&'],
    ['A&nbsp;&copy;&AMP;', 'A ©&'],
    ['买买提&middot;吐尔逊', '买买提·吐尔逊'],
    ['&#32;\u7532&#10;', '\u7532'],
    ['&#0;&#xD800;&#1114112;', '\ufffd\ufffd\ufffd'],
    [null, ''],
    [3, '3'],
  ])('for people of %j is %j', (value, text) => {
    expect(label(value)).toBe(text);
  });
});

describe('integer', () => {
  it.each([
    [7, 7],
    [7.9, 7],
    [-7.9, -7],
    [-0.5, 0],
    ['7', 7],
    [' 7 ', 7],
    ['+7', 7],
    ['-7', -7],
    ['7.9', 7],
    ['7.', 7],
    ['.5', 99],
    ['7e2', 99],
    ['7周', 99],
    ['７', 7],
    ['7&nbsp;', 7],
    ['null', 99],
    [null, 99],
    [['7'], 99],
    [Number.POSITIVE_INFINITY, 99],
    [1e300, 99],
    ['9'.repeat(400), 99],
  ])('of %j is %j', (value, number) => {
    expect(int(value, 99)).toBe(number);
  });

  it('defaults to zero', () => {
    expect(int('x')).toBe(0);
  });
});

describe('number', () => {
  it.each([
    [3.42, 3.42],
    ['3.42', 3.42],
    [' 3.42 ', 3.42],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['3.', 3],
    ['+3', 3],
    ['0E-8', 0],
    ['２．５', 2.5],
    ['−3', -3],
    ['-0', 0],
    ['.', 9],
    ['3,4', 9],
    ['1e999', 9],
    ['0x1f', 9],
    [null, 9],
    [array, 9],
    [Number.NaN, 9],
  ])('of %j is %j', (value, number) => {
    expect(num(value, 9)).toBe(number);
  });

  it('defaults to zero', () => {
    expect(num(null)).toBe(0);
  });
});

describe('list and object', () => {
  it.each([
    [array, array],
    [null, []],
    [object, []],
  ])('a list inside a row of %j is %j', (value, items) => {
    expect(list(value)).toEqual(items);
  });

  it.each([
    [object, object],
    [null, {}],
    [array, {}],
  ])('an object of %j is %j', (value, members) => {
    expect(obj(value)).toEqual(members);
    expect(isRecord(value)).toBe(value === object);
  });
});

it.each(['null', ' undefined ', null, ''])('%j is no text', (value) => {
  expect(str(value)).toBe('');
  expect(saysText(value)).toBe(false);
});

it.each([
  ['Null', 'Null'],
  ['null1', 'null1'],
])('%j is one', (value, text) => {
  expect(str(value)).toBe(text);
});

it.each([
  ['3学分', '3', 3],
  ['２．５', '2.5', 2.5],
  ['48 学时', '48', 48],
  ['2.', '2.', 2],
  [3, '3', 3],
  ['三学分', '三学分', 0],
  [null, '', 0],
])('%j are %j credits', (value, text, number) => {
  expect(credits(value)).toBe(text);
  expect(countOf(value)).toBe(number);
});

it.each([
  ['85&nbsp;', '85'],
  ['８５．５', '85.5'],
  ['&nbsp;', ''],
  ['null', ''],
  ['-999分', ''],
  ['—999', ''],
  ['−999.999', ''],
  ['优&amp;', '优&'],
  ['—', '—'],
  ['-60(缓考)', '-60(缓考)'],
  ['.5', '.5'],
])('%j is the mark %j', (value, text) => {
  expect(mark(value)).toBe(text);
});
