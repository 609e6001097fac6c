import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { rowReader } from '../../../../src/campus/parsing/row-reader.ts';
import { decimal, flag, integer, object, orNull, text, textOrNull } from '../../../../src/domain/record.ts';

const Row = object('Row', 'A row.', {
  ID: text(''),
  Ico: textOrNull(''),
  Num: integer(''),
  Score: decimal(''),
  On: flag(''),
  Least: orNull(Type.Integer(), ''),
  Closed: orNull(Type.Boolean(), ''),
  "it's": text(''),
});
const read = rowReader(Row);

it('reads every member from the cell of its name, texts as they are', () => {
  const row = { ID: ' 7 ', Ico: 'i', Num: '3', Score: '1.5', On: '1', Least: 2, Closed: 'FALSE', "it's": 'x', Odd: 1 };
  expect(read(row)).toEqual({
    ID: ' 7 ',
    Ico: 'i',
    Num: 3,
    Score: 1.5,
    On: true,
    Least: 2,
    Closed: false,
    "it's": 'x',
  });
});

it('takes the default for a missing or odd cell, null where there may be none', () => {
  const none = { ID: '', Ico: null, Num: 0, Score: 0, On: false, Least: null, Closed: null, "it's": '' };
  expect(read({})).toEqual(none);
  expect(read({ ID: {}, Num: 'x', Score: [], On: 'x', Closed: 'x' })).toEqual(none);
});

it.each([
  [['1', 1, true, 'TRUE', '是'], true],
  [['0', 0, false, 'false', '否'], false],
  [['', null, undefined, 2, 'yes', {}], null],
])('takes each of %j for the flag %j', (cells, expected) => {
  expect(new Set(cells.map((Closed) => read({ Closed }).Closed))).toEqual(new Set([expected]));
});

it('asks its own reader for a member of another name', () => {
  expect(rowReader(Row, { ID: (row) => String(row.Other), Num: () => 5 })({ Other: 1, ID: 'x' })).toMatchObject({
    ID: '1',
    Num: 5,
  });
});

it('is not made for a member of an unknown type without its own reader', () => {
  expect(() => rowReader(Type.Object({ rows: Type.Array(Type.String()) }))).toThrow('rows');
});
