import { describe, expect, it } from 'vitest';
import { echo } from '../../../../src/surfaces/a/error-handler.ts';

describe('the input of a validation item', () => {
  it.each([[0], [null], [false], [''], ['abc'], [[1, 2]], [{ userid: '2023000001' }]])('is sent for %j', (value) => {
    expect(echo(value)).toEqual({ input: value });
  });

  it.each(['token', 'password', 'vpn_password', 'invite_code', 'invite_token', 'easyconnect_password', 'Token'])(
    'is left out when it would contain a member %s, at any depth',
    (name) => {
      expect(echo({ [name]: 'x' })).toEqual({});
      expect(echo({ a: [{ b: { [name]: 'x' } }] })).toEqual({});
    },
  );

  it.each(['token', 'password', 'vpn_password', 'invite_code', 'invite_token', 'AuthmeRequest'])(
    'is left out when it stands where %s belongs',
    (name) => {
      expect(echo(['x'], name)).toEqual({});
      expect(echo('x', name)).toEqual({});
      expect(echo(12345678, name)).toEqual({});
    },
  );

  it('is left out for a text that holds an encoded body', () => {
    expect(echo('{"vpn_password":"x"}')).toEqual({});
  });

  it('is left out for a text that looks like a token, wherever it stands', () => {
    const token = 'p2VGptxO8vg-H5YSrr_oUgtck5MCNGnEDOwyhjbHbjI';
    for (const value of [token, ` ${token} `, [token], { term_id: token }]) expect(echo(value)).toEqual({});
    expect(echo(token.slice(1))).toEqual({ input: token.slice(1) });
  });

  it('is left out when it takes more than 1 KiB as JSON, measured in bytes', () => {
    expect(echo('x'.repeat(1022))).toEqual({ input: 'x'.repeat(1022) });
    expect(echo('x'.repeat(1023))).toEqual({});
    expect(echo('课'.repeat(341))).toEqual({});
    expect(echo(Array.from({ length: 600 }, () => 1))).toEqual({});
  });

  it('is left out for values that JSON cannot hold', () => {
    expect(echo(Number.POSITIVE_INFINITY)).toEqual({});
  });

  it('costs little for huge or deeply nested values', () => {
    let nested: unknown = 0;
    for (let depth = 0; depth < 200_000; depth += 1) nested = [nested];
    expect(echo(nested)).toEqual({});
    expect(echo(Array.from({ length: 500_000 }, () => 'x'))).toEqual({});
  });
});
