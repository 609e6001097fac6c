import { describe, expect, it } from 'vitest';
import {
  campusDayOr,
  datesIn,
  isoDateOr,
  isZoned,
  momentIn,
  startTimesIn,
  statesSeveralDays,
  timeOfDay,
  timesIn,
  withoutDates,
} from '../../../src/lib/moments.ts';
import { excessOf, hostileTexts } from '../../support/hostile-texts.ts';

const zone = 'Asia/Shanghai';

describe('hours', () => {
  it.each<[string, string, string | null]>([
    ['08:30-10:30', '08:30', '10:30'],
    ['14:00:00-15:30:00', '14:00', '15:30'],
    ['下午2:00-4:00', '14:00', '16:00'],
    ['下午 2:00～4:00', '14:00', '16:00'],
    ['2:00下午-4:00下午', '14:00', '16:00'],
    ['上午9:00-下午2:00', '09:00', '14:00'],
    ['2:00 PM-4:00 p.m.', '14:00', '16:00'],
    ['傍晚6:30-8:00', '18:30', '20:00'],
    ['晚上7:00-9:00', '19:00', '21:00'],
    ['中午12:00-1:00', '12:00', '13:00'],
    ['中午1:00', '13:00', null],
    ['中午11:30', '11:30', null],
    ['上午12:00', '12:00', null],
    ['下午12:30', '12:30', null],
    ['12:30 PM', '12:30', null],
    ['凌晨12:30', '00:30', null],
    ['AM 12:30', '00:30', null],
    ['下午14:00-16:00', '14:00', '16:00'],
    // The end moves where that helps.
    ['14:00-4:00', '14:00', '16:00'],
    ['10:00-1:00 PM', '10:00', '13:00'],
    // These say nothing of the hour.
    ['周五09:00-11:00', '09:00', '11:00'],
    ['第18周星期五09:00-11:00', '09:00', '11:00'],
    ['第2场9:00-11:00', '09:00', '11:00'],
    ['1-2节08:00-09:40', '08:00', '09:40'],
    ['（机考）9:00-11:00（开卷）', '09:00', '11:00'],
    ['星期五（14:00-16:00）', '14:00', '16:00'],
    ['2026年12月3日14:00-15:30', '14:00', '15:30'],
    ['考试时间为9:00', '09:00', null],
    ['考试时间：14:00-16:00', '14:00', '16:00'],
    ['时间:14:00', '14:00', null],
    // The word of the half day stands apart.
    ['下午：2:00-4:00', '14:00', '16:00'],
    ['（下午）2:00-4:00', '14:00', '16:00'],
    ['（星期五下午）2:00', '14:00', null],
    // Signs of other keyboards.
    ['１４：００～１６：００', '14:00', '16:00'],
    ['14∶00―16∶00', '14:00', '16:00'],
    ['14:00−16:00', '14:00', '16:00'],
  ])('%s', (text, from, to) => {
    expect(timesIn(text)).toEqual({ from: `${from}:00`, to: to && `${to}:00` });
  });

  it.each([
    '晚上12:00',
    '晚上11:00-1:00',
    '早上8:00',
    '晚8:00',
    '约9:00',
    '9:00开始',
    '2:00-4:00 PM',
    '2:00-4:00（下午）',
    '晚：7:00',
    '（晚）7:00',
    '25:00',
    '待定',
    '',
  ])('leave the day whole where they are in doubt: %s', (text) => {
    expect(timesIn(text)).toBeNull();
  });

  it('of a text that speaks of several begin in their order, one in doubt as none other', () => {
    expect(startTimesIn('下午2:00-4:00，补考 18:00；早上8:00')).toEqual(['14:00', '18:00', '?']);
  });

  it.each([
    ['0800', '08:00:00'],
    ['8:00', '08:00:00'],
    ['08:00:00', '08:00:00'],
    ['080030', '08:00:30'],
    ['８：００', '08:00:00'],
    ['08:00:00.0', '08:00:00'],
    ['1970-01-01 08:00:00', '08:00:00'],
    ['1970-01-01T08:00', '08:00:00'],
    ['2500', null],
    ['', null],
  ])('of a session: %s', (text, time) => {
    expect(timeOfDay(text)).toBe(time);
  });
});

describe('days', () => {
  it.each([
    ['2026-12-08T16:00:00.000Z', '2026-12-09'],
    ['2026-12-08T16:00:00Z', '2026-12-09'],
    ['2026-12-09T00:30:00+08:00', '2026-12-09'],
    ['2026-12-08T23:00:00-0500', '2026-12-09'],
    ['1796745600000', '2026-12-09'],
    ['1796745600', '2026-12-09'],
    ['/Date(1796745600000)/', '2026-12-09'],
    ['/Date(1796745600000+0800)/', '2026-12-09'],
    ['2026-12-08 16:00:00+00', '2026-12-09'],
    ['2026-12-08 16:00:00 UTC', '2026-12-09'],
  ])('%s is the day at the campus', (text, day) => {
    expect(campusDayOr(isoDateOr(text), zone)).toBe(day);
  });

  it.each([
    ['20261208', '2026-12-08'],
    ['2026-12-08T16:00:00', '2026-12-08'],
    ['2026-12-08 16:00', '2026-12-08'],
    ['2026年12月8日', '2026-12-08'],
  ])('%s has no zone and is campus time', (text, day) => {
    expect(campusDayOr(isoDateOr(text), zone)).toBe(day);
  });

  it.each([
    '2026-12-08 14:00-15:30',
    '2026-12-08 23:00-05:00',
    '2026-12-08 1400-1530',
    '2026-12-08 08:00:00-09:40:00',
    '2026-12-08 08:00+45:00',
  ])('%s is a span of the day, and names no zone', (text) => {
    expect(isZoned(text)).toBe(false);
    expect(campusDayOr(isoDateOr(text), zone)).toBe('2026-12-08');
  });

  it.each(['２０２６-１２-０８', '2026—12—08', '2026－12－08', '２０２６年１２月８日', '2026‑12‑08'])(
    '%s is written with the signs of another keyboard',
    (text) => {
      expect(datesIn(`${text} （周二）`)).toEqual(['2026-12-08']);
      expect(withoutDates(`${text} （周二）`)).toBe('（周二）');
    },
  );

  it.each(['2026-12-04~2026-12-05', '2026年12月4-5日', '2026-12-04至12-05', '2026年12月4日、5日', '2026/12/4～5'])(
    '%s are several',
    (text) => {
      expect(statesSeveralDays(text)).toBe(true);
    },
  );

  it.each(['2026-12-04', '2026-12-04 14:00-16:00', '2026-12-04,3-4节', '2026年12月4日，第3周', '2026-12-04-14:00'])(
    '%s is one',
    (text) => {
      expect(statesSeveralDays(text)).toBe(false);
    },
  );

  it.each([
    ['2026-03-18 10:00:00', '2026-03-18T10:00:00'],
    ['2026/3/18 10:00', '2026-03-18T10:00:00'],
    ['2026-03-18T02:00:00Z', '2026-03-18T10:00:00'],
    ['1773799200000', '2026-03-18T10:00:00'],
    ['2026-02-30 10:00', null],
    ['soon', null],
  ])('%s is the moment %s', (text, moment) => {
    expect(momentIn(text, zone)).toBe(moment);
  });
});

it('stays linear on any text', async () => {
  const slow: string[] = [];
  const sample = '第18周（星期五）下午2:00-4:00 2026-12-08T16:00:00.000Z 2026年12月8日';
  for (const shape of hostileTexts(sample)) {
    const read = (text: string) => [
      isoDateOr(text),
      startTimesIn(text),
      timesIn(text),
      campusDayOr(text, zone),
      statesSeveralDays(text),
      withoutDates(text),
    ];
    const excess = await excessOf(read, shape);
    if (excess !== null) slow.push(`${shape.name}: ${excess.toFixed(0)} times`);
  }
  expect(slow).toEqual([]);
});
