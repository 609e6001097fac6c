import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { withPattern } from '../../../src/http/requests/findings.ts';
import { compileCheck, type RequestSource } from '../../../src/http/requests/validation.ts';

const schema = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 3 }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  share: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
  on: Type.Optional(Type.Boolean()),
  mode: Type.Optional(Type.Union([Type.Literal('light'), Type.Literal('dark')])),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 2 }), Type.Null()])),
  code: Type.Optional(withPattern({ pattern: '^\\d+$' }, { en: 'Input should be digits', zh: '应为数字' })),
  few: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
});

const check = (value: unknown, source: RequestSource) =>
  compileCheck(schema, source, source === 'body' ? 'strict' : 'text')(value);
/** As the clients of strict bodies see them: without the limits and the values. */
const findings = (value: unknown, source: RequestSource = 'body') => {
  const checked = check(value, source);
  if ('value' in checked) return [];
  return checked.error.findings.map(({ loc, msg, type }) => {
    expect(msg.zh).toMatch(/\p{Script=Han}/u);
    return { loc, msg: msg.en, type };
  });
};

describe('the check of a body', () => {
  it('gives the value back as it is, unknown members included', () => {
    const value = { name: 'abc', extra: { deep: 1 } };
    expect(Object(check(value, 'body')).value).toBe(value);
  });

  it.each([
    [{ name: 1 }, ['name'], 'string_type'],
    [{ name: null }, ['name'], 'string_type'],
    [{ name: 'a' }, ['name'], 'string_too_short'],
    [{ name: 'abcd' }, ['name'], 'string_too_long'],
    [{ name: '𝒳' }, ['name'], 'string_too_short'],
    [{ name: '𝒳𝒳𝒳𝒳' }, ['name'], 'string_too_long'],
    [{}, ['name'], 'missing'],
    [{ name: 'abc', count: '2' }, ['count'], 'int_parsing'],
    [{ name: 'abc', count: 1.5 }, ['count'], 'int_parsing'],
    [{ name: 'abc', count: 0 }, ['count'], 'greater_than_equal'],
    [{ name: 'abc', count: 6 }, ['count'], 'less_than_equal'],
    [{ name: 'abc', share: '0.5' }, ['share'], 'float_type'],
    [{ name: 'abc', share: true }, ['share'], 'float_type'],
    [{ name: 'abc', share: -0.1 }, ['share'], 'greater_than_equal'],
    [{ name: 'abc', share: 1.1 }, ['share'], 'less_than_equal'],
    [{ name: 'abc', on: 'true' }, ['on'], 'bool_type'],
    [{ name: 'abc', on: 1 }, ['on'], 'bool_type'],
    [{ name: 'abc', mode: 'grey' }, ['mode'], 'enum'],
    [{ name: 'abc', note: 5 }, ['note'], 'string_type'],
    [{ name: 'abc', note: 'xyz' }, ['note'], 'string_too_long'],
    [{ name: 'abc', code: 'x' }, ['code'], 'string_pattern_mismatch'],
    [{ name: 'abc', items: {} }, ['items'], 'list_type'],
    [{ name: 'abc', items: [{ id: 'a' }, {}] }, ['items', 1, 'id'], 'missing'],
    [[], [], 'model_attributes_type'],
    ['text', [], 'model_attributes_type'],
    [null, [], 'missing'],
    [undefined, [], 'missing'],
  ])('tells what is wrong with %j', (value, loc, type) => {
    expect(findings(value)).toEqual([{ loc: ['body', ...loc], msg: expect.any(String), type }]);
  });

  it('takes no schema with a pattern that has no words for people', () => {
    const wordless = Type.Object({ code: Type.String({ pattern: '^\\d+$' }) });
    expect(() => compileCheck(wordless, 'body', 'strict')).toThrow('can not be checked');
  });

  it.each([
    { share: null },
    { note: null },
    { note: '𝒳𝒳' },
    { name: '𝒳𝒳𝒳' },
    { name: '𝒳𝒳' },
    { share: 1 },
    { share: 0.25 },
    { mode: 'dark' },
  ])('lets %j pass', (more) => {
    expect(findings({ name: 'abc', ...more })).toEqual([]);
  });

  it('names all faults at once, up to a limit, and never a value', () => {
    const found = findings({ name: 'secret-value', count: 99, on: 'secret-value' });
    expect(found.map(({ loc }) => loc[1])).toEqual(['name', 'count', 'on']);
    expect(JSON.stringify(found)).not.toContain('secret-value');
    expect(findings({ name: 'abc', items: Array.from({ length: 1_000 }, () => ({})) }).length).toBeLessThanOrEqual(50);
  });
});

describe('the check of a query', () => {
  it('converts what arrives as text, in a copy', () => {
    const query = { name: 'abc', count: '2', on: 'true', share: '0.5' };
    expect(check(query, 'query')).toEqual({ value: { name: 'abc', count: 2, on: true, share: 0.5 } });
    expect(query.count).toBe('2');
  });

  it.each(['1.5', 'true', '1e3', ' 2', '', '0x2'])('does not take %j for an integer', (count) => {
    expect(findings({ name: 'abc', count }, 'query').map(({ type }) => type)).toEqual(['int_parsing']);
  });

  it('fills in what has a default and was left out', () => {
    const paged = Type.Object({
      page: Type.Integer({ default: 1 }),
      size: Type.Integer({ default: 100, maximum: 100 }),
    });
    const checkPaged = compileCheck(paged, 'query', 'text');
    expect(checkPaged({ size: '7' })).toEqual({ value: { page: 1, size: 7 } });
    expect(checkPaged({ page: '+3' })).toEqual({ value: { page: 3, size: 100 } });
  });
});
