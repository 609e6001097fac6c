import { expect, it } from 'vitest';
import { belowRows, elementsOf, readRows, records } from '../../../../src/campus/parsing/reading.ts';

const kind = { system: 'academics', what: 'rows', most: 3 } as const;
const names = records(kind, ['name', 'id'], ({ name }) => (typeof name === 'string' ? name : null));
const unreadable = (reason: string) => expect.objectContaining({ kind: 'upstream-unreadable', reason });

it.each([
  [null, [], 0],
  [undefined, [], 0],
  [[], [], 0],
  [[{ name: 'a' }, { name: 'b' }], ['a', 'b'], 0],
  // One that we know is enough; what says nothing and what is no object is dropped and counted.
  [[{ url: '/login' }, 'x', { name: 'a' }], ['a'], 2],
  [[{ id: 1 }], [], 1],
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
])('the list %j is unreadable, not empty', (value, reason) => {
  expect(() => readRows(value, names)).toThrow(unreadable(reason));
});

it('elements are those of a list below rows where that is asked for, and of no other object', () => {
  expect(elementsOf(belowRows({ rows: [1] }), kind)).toEqual([1]);
  expect(() => elementsOf({ rows: [1] }, kind)).toThrow(unreadable('rows of the wrong type'));
  expect(() => elementsOf(belowRows({ rows: {} }), kind)).toThrow(unreadable('rows of the wrong type'));
});
