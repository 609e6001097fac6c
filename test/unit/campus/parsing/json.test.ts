import { describe, expect, it } from 'vitest';
import { readJson, readJsonObject } from '../../../../src/campus/parsing/reading.ts';
import { failureOf } from '../products/urp/fixtures.ts';

describe('reading JSON', () => {
  it('takes any value, also behind a byte order mark', () => {
    expect(readJson('\uFEFF [1] ', 'academics')).toEqual([1]);
    expect(readJsonObject('{"a":null}', 'academics')).toEqual({ a: null });
  });

  it('keeps the signs of a whole number that none can hold', () => {
    const text =
      '{"id":1298765432109876543,"of":[-9007199254740993,9007199254740991,1234567890123456.5,1e20],"s":"9007199254740993"}';
    expect(readJson(text, 'labor-club')).toEqual({
      id: '1298765432109876543',
      of: ['-9007199254740993', 9007199254740991, 1234567890123456.5, 1e20],
      s: '9007199254740993',
    });
  });

  it.each(['', ' \n', ']', '<html></html>', '{"a":', 'undefined'])('refuses %j', (text) => {
    const failure = failureOf(() => readJson(text, 'electricity'));
    expect(failure).toMatchObject({ kind: 'upstream-unreadable', system: 'electricity' });
  });

  it('does not quote the body in its failure', () => {
    const failure = failureOf(() => readJson('{"name":"周明"', 'academics'));
    expect(`${failure.message} ${failure.reason} ${failure.cause}`).not.toMatch(/周明|name/);
  });

  it.each(['[]', 'null', '"text"', '3'])('finds no object in %s', (text) => {
    expect(failureOf(() => readJsonObject(text, 'academics')).kind).toBe('upstream-unreadable');
  });
});
