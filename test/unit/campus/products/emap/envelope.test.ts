import { expect, it } from 'vitest';
import { readEmapRows } from '../../../../../src/campus/products/emap/envelope.ts';
import { answer, outcomeOf, refusedWith, unreadable } from './fixtures.ts';

const read = (text: string, isPaged = false) =>
  outcomeOf(() =>
    readEmapRows(text, { names: ['table', 'other'], members: ['KCM'], isPaged, read: ({ KCM }) => String(KCM) }),
  );
const rows = [{ KCM: 'a', XH: '1' }, { KCM: 'b' }];

it.each<[string, string]>([
  ['a code as text', answer('table', rows)],
  ['a code as number, a verdict as text', answer('table', rows, { extParams: { code: '1', msg: '查询成功' } }, 0)],
  ['no verdict at all', answer('table', rows, { extParams: undefined })],
  ['a verdict that is null', answer('table', rows, { extParams: null })],
  ['a verdict without a code', answer('table', rows, { extParams: { logId: 'x' } })],
  ['the name of another school', answer('other', rows)],
  ['a count as text', answer('table', rows, { totalSize: '2' })],
  ['no count', answer('table', rows, { totalSize: null })],
])('an answer is read with %s', (_, text) => {
  expect(read(text)).toMatchObject({ rows: ['a', 'b'], received: 2, dropped: 0, students: ['1'] });
});

it('an empty list is one that the campus says is empty', () => {
  expect(read(answer('table', []))).toMatchObject({ rows: [], total: 0 });
});

it.each<[string, string, string | undefined]>([
  ['a term that is not published', answer('table', [], { extParams: { code: '0', msg: '课程未发布' } }), '课程未发布'],
  ['a verdict as number', answer('table', [], { extParams: { code: 0, msg: '<b>请先评教</b>' } }), '请先评教'],
  ['rows beside it', answer('table', rows, { extParams: { code: -1, msg: '暂不开放' } }), '暂不开放'],
  ['a failure of the server', '{"code":"-1","msg":"系统异常"}', '系统异常'],
  ['a refusal without words', '{"code":-1,"msg":null}', undefined],
])('a refusal stays one: %s', (_, text, words) => {
  expect(read(text)).toEqual(refusedWith(words));
});

it.each<[string, string]>([
  ['rows that are no list', answer('table', null)],
  ['rows that are an object', answer('table', {})],
  ['an answer of another page', answer('somethingElse', rows)],
  ['no answer beside a good code', '{"code":"0","datas":null}'],
  ['no code', '{"datas":{"table":{"rows":[]}}}'],
  ['a verdict of the wrong type', answer('table', [], { extParams: '查询成功' })],
  ['rows of another shape', answer('table', [{ A: 1 }, { B: 2 }])],
  ['the beginning of a list', answer('table', rows, { totalSize: 3 })],
  ['no object', '[]'],
])('%s is unreadable', (_, text) => {
  expect(read(text)).toMatchObject(unreadable);
});

it('a page of a list may be the beginning of one', () => {
  expect(read(answer('table', rows, { totalSize: 3 }), true)).toMatchObject({ received: 2, total: 3 });
});
