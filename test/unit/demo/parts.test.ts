import { expect, it } from 'vitest';
import { cookiePairs, createRouter, htmlPage, soleCookie } from '../../../src/demo/exchange.ts';
import { RequestLog } from '../../../src/demo/requests.ts';

it('the route table tells a wrong method from an unknown path, whose name it keeps short', () => {
  const router = createRouter([{ method: 'POST', path: '/a/*/data', handle: () => htmlPage('') }]);
  expect(router('GET', '/a/Q4mZ/data')).toMatchObject({ path: '/a/*/data', known: true, route: null });
  expect(router('GET', '/xzy')).toMatchObject({ path: '/xzy', known: false, route: null });
  expect(router('GET', `/${'z'.repeat(5000)}`).path).toHaveLength(200);
});

it('the TWFID of a request is read behind either separator, and is none when it is sent twice', () => {
  expect(soleCookie(cookiePairs('JSESSIONID=a;TWFID=b'), 'TWFID')).toBe('b');
  expect(soleCookie(cookiePairs('TWFID=b; TWFID=c'), 'TWFID')).toBeNull();
});

it('the request log stays below its limit and keeps the latest', () => {
  const log = new RequestLog();
  for (let n = 0; n < 200_001; n += 1) log.add({ system: 'vpn', method: 'GET', path: `/${n}`, userid: null });
  const kept = log.list();
  expect(kept.length).toBeLessThanOrEqual(200_000);
  expect(kept.at(-1)?.path).toBe('/200000');
});
