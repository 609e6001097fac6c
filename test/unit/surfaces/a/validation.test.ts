import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { withPattern } from '../../../../src/http/requests/findings.ts';
import { bodyOfParts, compileCheck } from '../../../../src/http/requests/validation.ts';
import { component } from '../../../../src/surfaces/a/envelope.ts';
import { receiveBody } from '../../../../src/surfaces/a/index.ts';
import { bodyReader, itemsOf as items } from '../../../support/lax-bodies.ts';

const sample = component('Sample', 'A body.', {
  name: Type.String(),
  page: Type.Integer({ minimum: 1, maximum: 100, default: 7 }),
  opacity: Type.Number({ minimum: 0, maximum: 1, default: 0.5 }),
  nickname: Type.Union([Type.String(), Type.Null()], { default: null }),
});
const readSample = bodyReader(sample);

const bytes = (text: string) => new TextEncoder().encode(text);
const json = (value: unknown) => receiveBody(bytes(JSON.stringify(value)), 'application/json');
const raw = (text: string, contentType: string | undefined = 'application/json') =>
  receiveBody(bytes(text), contentType);

const sampleItems = (value: unknown) => items(() => readSample(json(value)));

describe('a plain body', () => {
  it('with a position quoted inside malformed text does not take it for the place of the defect', () => {
    expect(items(() => readSample(raw('x in JSON at position 9')))[0]?.loc).toEqual(['body', 0]);
  });

  it('is read as JSON of any such type, with a byte order mark, and never with broken UTF-8', () => {
    for (const type of ['Application/JSON; charset=utf-8', 'application/problem+json', undefined, '']) {
      expect(readSample(raw('\uFEFF{"name":"x"}', type))).toMatchObject({ name: 'x' });
    }
    expect(items(() => readSample(raw('{"name":"x"}', 'application/xml; a=+json')))[0]?.input).toBeUndefined();
    const broken = receiveBody(Uint8Array.of(0x22, 0xff, 0x22), 'application/json');
    expect(items(() => readSample(broken))).toMatchObject([{ type: 'json_invalid', loc: ['body', 0] }]);
  });

  it('never takes members from a prototype', () => {
    expect(sampleItems({ nickname: null })[0]).toMatchObject({ type: 'missing', loc: ['body', 'name'] });
    const found = items(() => readSample(raw('{"__proto__":{"name":"x"},"constructor":{"prototype":{"page":3}}}')));
    expect(found.map(({ type, loc }) => [type, loc])).toEqual([['missing', ['body', 'name']]]);
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'page')).toBe(false);
  });

  it('nested a hundred thousand levels deep is answered, not crashed on', () => {
    const depth = 100_000;
    const text = `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(items(() => readSample(raw(text)))).toEqual([
      { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string' },
    ]);
  });
});

describe('a number field', () => {
  const refused = (value: unknown) => sampleItems({ name: '', opacity: value });

  it.each([
    ['0.5', 0.5],
    [' 1 ', 1],
    ['.5', 0.5],
    ['5e-1', 0.5],
    [true, 1],
    [false, 0],
    [0.25, 0.25],
  ])('reads %j as %d', (value, expected) => {
    expect(readSample(json({ name: '', opacity: value })).opacity).toBe(expected);
  });

  it.each([[null], [[0.5]], [{}]])('refuses %j as of the wrong type', (value) => {
    expect(refused(value)).toEqual([
      { type: 'float_type', loc: ['body', 'opacity'], msg: 'Input should be a valid number', input: value },
    ]);
  });

  it.each(['abc', '', '0,5', 'nan', 'Infinity'])('refuses the text %j as not readable', (value) => {
    expect(refused(value)).toEqual([
      {
        type: 'float_parsing',
        loc: ['body', 'opacity'],
        msg: 'Input should be a valid number, unable to parse string as a number',
        input: value,
      },
    ]);
  });
});

describe('a schema whose findings have no words', () => {
  it.each([Type.Date(), Type.Tuple([Type.String()]), Type.Array(Type.Uint8Array()), Type.Union([Type.Undefined()])])(
    'is refused at start: %j',
    (member) => {
      expect(() => bodyReader(Type.Object({ member }))).toThrow('can not be checked');
    },
  );
});

describe('a text with limits', () => {
  const read = bodyReader(
    component('Limited', 'A body.', {
      code: withPattern({ minLength: 2, maxLength: 3, pattern: '^\\D+$' }, { en: 'No digits', zh: '不含数字' }),
    }),
  );
  const found = (code: unknown) => items(() => read(json({ code })));

  it('is answered in the words of every other defect, and its length counts characters', () => {
    expect(read(json({ code: '学号𝒳' }))).toEqual({ code: '学号𝒳' });
    expect(found('𝒳')).toEqual([
      {
        type: 'string_too_short',
        loc: ['body', 'code'],
        msg: 'String should have at least 2 characters',
        input: '𝒳',
        ctx: { min_length: 2 },
      },
    ]);
    expect(found('abcd')).toMatchObject([{ type: 'string_too_long', msg: 'String should have at most 3 characters' }]);
    expect(found('a1')).toMatchObject([{ type: 'string_pattern_mismatch' }]);
    expect(found(5)).toMatchObject([{ type: 'string_type' }]);
  });
});

describe('a number without end', () => {
  it.each([['9'.repeat(400)], [`-${'9'.repeat(400)}`]])(
    'in digits is not finite, unless a limit says more',
    (value) => {
      const unlimited = bodyReader(component('Unlimited', 'A body.', { page: Type.Integer() }));
      expect(items(() => unlimited(json({ page: value })))).toMatchObject([{ type: 'finite_number' }]);
      expect(sampleItems({ name: '', page: value })).toMatchObject([
        { type: value.startsWith('-') ? 'greater_than_equal' : 'less_than_equal' },
      ]);
    },
  );
});

describe('a body of parts', () => {
  it('is one only where it is marked as one', () => {
    const plain = Type.Object({ a: Type.Object({ b: Type.String() }) });
    const missingPart = { type: 'missing', loc: ['body', 'a'] };
    const check = (schema: typeof plain) => compileCheck(schema, 'body', 'lax')([]);
    expect(check(plain)).toMatchObject({ error: { findings: [{ type: 'model_attributes_type', loc: ['body'] }] } });
    expect(check(bodyOfParts(Type.Object({ ...plain.properties })))).toMatchObject({
      error: { findings: [missingPart] },
    });
  });
});
