import { describe, expect, it } from 'vitest';
import { noDirectives } from '../../../../src/domain/context.ts';
import { cacheDirectivesOf } from '../../../../src/surfaces/b/cache-directives.ts';

const any = Number.POSITIVE_INFINITY;

describe('what Cache-Control of a request asks for', () => {
  it.each([
    ['', {}],
    ['no-cache', { noCache: true }],
    ['No-Cache', { noCache: true }],
    ['max-age=0', { maxAge: 0 }],
    ['max-age=60', { maxAge: 60 }],
    ['max-age="60"', { maxAge: 60 }],
    ['max-age=99999999999', { maxAge: 2_147_483_648 }],
    ['max-stale', { maxStale: any }],
    ['max-stale=3600', { maxStale: 3600 }],
    ['only-if-cached', { onlyIfCached: true }],
    ['stale-if-error=86400', { staleIfError: 86_400 }],
    ['stale-if-error=0', { staleIfError: 0 }],
    ['no-store', { noStore: true }],
    [' max-age=5 ,, max-stale=7,stale-if-error=9 ', { maxAge: 5, maxStale: 7, staleIfError: 9 }],
    ['foo="a, no-cache", max-age=3', { maxAge: 3 }],
    ['max-age=1, max-age=2', { maxAge: 1 }],
  ])('%j', (header, said) => {
    expect(cacheDirectivesOf({ 'cache-control': header })).toEqual({ ...noDirectives, ...said });
  });

  it.each([
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1.5',
    'max-age=ten',
    'max-age = 5',
    'no-cache=field',
    'only-if-cached=1',
    'stale-if-error',
    'no-cache no-store',
    '"no-cache"',
    '=',
    'x'.repeat(2_000),
  ])('nothing, where it is malformed or unknown: %j', (header) => {
    expect(cacheDirectivesOf({ 'cache-control': header })).toEqual(noDirectives);
  });

  it('recognizes exactly the pair that fetch adds to If-None-Match', () => {
    const pair = { 'cache-control': 'no-cache', pragma: 'no-cache' };
    const beside = { ...pair, 'if-none-match': '"x"' };
    expect(cacheDirectivesOf(beside)).toEqual({ ...noDirectives, noCache: true, noCacheOfFetch: true });
    for (const other of [
      pair,
      { ...beside, pragma: undefined },
      { ...beside, 'cache-control': 'no-cache, no-store' },
      { ...beside, 'cache-control': 'max-age=0' },
    ]) {
      expect(cacheDirectivesOf(other).noCacheOfFetch).toBe(false);
    }
  });

  it('still finds the directives beside a malformed one', () => {
    expect(cacheDirectivesOf({ 'cache-control': 'max-age=ten, "x, no-cache' })).toEqual({
      ...noDirectives,
      noCache: true,
    });
  });

  it('accepts X-Copy: only from clients whose library swallows only-if-cached', () => {
    expect(cacheDirectivesOf({ 'x-copy': 'Only' })).toEqual({ ...noDirectives, onlyIfCached: true });
    expect(cacheDirectivesOf({ 'x-copy': 'only', 'cache-control': 'max-age=5' })).toEqual({
      ...noDirectives,
      onlyIfCached: true,
      maxAge: 5,
    });
    expect(cacheDirectivesOf({ 'x-copy': 'yes' })).toEqual(noDirectives);
  });
});
