import { expect, it } from 'vitest';
import { int, obj, str } from '../../../../src/campus/parsing/cells.ts';
import { collectOddities } from '../../../../src/campus/parsing/oddities.ts';
import { belowRows, elementsOf, readRows, records } from '../../../../src/campus/parsing/reading.ts';

const kind = { system: 'academics', what: 'rows', most: 3 } as const;
const names = records(kind, ['name', 'id'], ({ name }) => (typeof name === 'string' ? name : null));
const unreadable = (reason: string) => expect.objectContaining({ kind: 'upstream-unreadable', reason });

it.each([
  [null, [], 0],
  [undefined, [], 0],
  [[], [], 0],
  [[{ name: 'a' }, { name: 'b' }], ['a', 'b'], 0],
  // What says nothing and what is no object is dropped and counted, as far as it is not most of the list.
  [[{ url: '/login' }, { name: 'a' }], ['a'], 1],
  [['x', { name: 'a' }, { name: 'b' }], ['a', 'b'], 1],
])('of the list %j the rows are %j', (value, rows, dropped) => {
  expect(readRows(value, names)).toEqual({ rows, received: rows.length + dropped, dropped });
});

it.each([
  [{}, 'rows of the wrong type'],
  ['', 'rows of the wrong type'],
  [0, 'rows of the wrong type'],
  [[1, 2, 3, 4], 'too many rows'],
  [[{ url: '/login' }], 'rows of another shape'],
  [['x', null], 'rows of another shape'],
  [[{ url: '/login' }, 'x', { name: 'a' }], 'most rows of another shape'],
  [[{ id: 1 }], 'most rows of another shape'],
])('the list %j is unreadable, not empty', (value, reason) => {
  expect(() => readRows(value, names)).toThrow(unreadable(reason));
});

it('nulls are left out by a rule, which says nothing against the list', () => {
  const { value, oddities } = collectOddities(() => readRows([null, null, { name: 'a' }], names));
  expect(value).toEqual({ rows: ['a'], received: 3, dropped: 0 });
  expect(oddities).toEqual([{ kind: 'null-element', name: '', count: 2 }]);
  expect(readRows([null, null], names)).toEqual({ rows: [], received: 2, dropped: 0 });
});

it('a cell that became its default is named by its member, and never by its value', () => {
  const read = records(kind, [], (row) => ({ hours: int(row.hours), code: str(obj(row.id).code) }));
  const list = [{ hours: 'secret', id: { code: ['x'] } }, { hours: 3, id: {} }, { id: null }];
  expect(collectOddities(() => readRows(list, read)).oddities).toEqual([
    { kind: 'default', name: 'hours', count: 1 },
    { kind: 'default', name: 'id.code', count: 1 },
  ]);
});

it('elements are those of a list below rows where that is asked for, and of no other object', () => {
  expect(elementsOf(belowRows({ rows: [1] }), kind)).toEqual([1]);
  expect(() => elementsOf({ rows: [1] }, kind)).toThrow(unreadable('rows of the wrong type'));
  expect(() => elementsOf(belowRows({ rows: {} }), kind)).toThrow(unreadable('rows of the wrong type'));
});
