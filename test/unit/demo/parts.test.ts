import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../src/demo/bounded-map.ts';
import { cookiePairs, createRouter, type DemoRoute, htmlPage, soleCookie } from '../../../src/demo/exchange.ts';
import { encodeGbk } from '../../../src/demo/gbk.ts';
import { calendarLine, presentAt } from '../../../src/demo/records/calendar.ts';
import { RequestLog } from '../../../src/demo/requests.ts';

describe('a bounded map', () => {
  it('forgets its oldest entry, and counts a renewed one as young', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2]);
  });
});

describe('the route table', () => {
  const route = (method: DemoRoute['method'], path: string): DemoRoute => ({
    method,
    path,
    handle: () => htmlPage(''),
  });
  const router = createRouter([
    route('POST', '/a/*/data'),
    route('GET or POST', '/both'),
    route('GET', '/home;jsessionid=*'),
    route('GET', '/x.y'),
  ]);

  it('names a dynamic segment by a star and hands it over', () => {
    expect(router('POST', '/a/Q4mZ/data')).toMatchObject({ path: '/a/*/data', params: ['Q4mZ'], known: true });
    expect(router('GET', '/home;jsessionid=ABC')).toMatchObject({ path: '/home;jsessionid=*', params: ['ABC'] });
    expect(router('POST', '/a/b/c/data').known).toBe(false);
  });

  it('tells a wrong method from an unknown path', () => {
    expect(router('GET', '/a/Q4mZ/data')).toMatchObject({ path: '/a/*/data', known: true, route: null });
    expect(router('POST', '/both').route).not.toBeNull();
    expect(router('GET', '/xzy')).toMatchObject({ path: '/xzy', known: false, route: null });
  });

  it('keeps the name of an unknown path short', () => {
    expect(router('GET', `/${'z'.repeat(5000)}`).path).toHaveLength(200);
  });
});

describe('the TWFID of a request', () => {
  it('is taken with either separator', () => {
    expect(soleCookie(cookiePairs('JSESSIONID=a;TWFID=b'), 'TWFID')).toBe('b');
    expect(soleCookie(cookiePairs('JSESSIONID=a; TWFID=b'), 'TWFID')).toBe('b');
  });

  it('is none when it is sent twice', () => {
    expect(soleCookie(cookiePairs('TWFID=b; TWFID=c'), 'TWFID')).toBeNull();
    expect(soleCookie(cookiePairs(undefined), 'TWFID')).toBeNull();
  });
});

describe('GBK', () => {
  it('is written as known clients read it', () => {
    expect(encodeGbk('用户名或密码错误').toString('hex')).toBe('d3c3bba7c3fbbbf2c3dcc2ebb4edcef3');
    expect(new TextDecoder('gbk').decode(encodeGbk('Anna：第１周（单）'))).toBe('Anna：第１周（单）');
  });
});

describe('the calendar line', () => {
  it.each([
    ['2026-03-02T00:00:00+08:00', '第1周   星期一'],
    ['2026-03-01T23:59:59+08:00', '假期   星期日'],
    ['2026-03-18T10:00:00+08:00', '第3周   星期三'],
    ['2026-07-05T23:59:00+08:00', '第18周   星期日'],
    ['2026-07-06T00:00:00+08:00', '假期   星期一'],
  ])('at %s says %s', (instant, text) => {
    expect(calendarLine(presentAt(Date.parse(instant), false))).toBe(`2025-2026 春  ${text}`);
  });
});

describe('the request log', () => {
  it('filters by every member given', () => {
    const log = new RequestLog();
    log.add({ system: 'jwc', method: 'GET', path: '/', userid: 'a' });
    log.add({ system: 'jwc', method: 'GET', path: '/', userid: null });
    log.add({ system: 'cas', method: 'POST', path: '/cas/login', userid: 'a' });
    expect(log.list()).toHaveLength(3);
    expect(log.list({ userid: null })).toHaveLength(1);
    expect(log.list({ system: 'jwc', userid: 'a' })).toHaveLength(1);
    log.reset();
    expect(log.list()).toEqual([]);
  });

  it('stays below its limit and keeps the latest', () => {
    const log = new RequestLog();
    for (let n = 0; n < 200_001; n += 1) log.add({ system: 'vpn', method: 'GET', path: `/${n}`, userid: null });
    const kept = log.list();
    expect(kept.length).toBeLessThanOrEqual(200_000);
    expect(kept.at(-1)?.path).toBe('/200000');
  });
});
