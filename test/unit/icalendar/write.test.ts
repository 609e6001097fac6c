import { describe, expect, it } from 'vitest';
import type { Calendar, StampedEvent } from '../../../src/domain/calendar/types.ts';
import { createCalendarWriter } from '../../../src/icalendar/write.ts';
import { calendarProperties, readCalendar } from '../../support/calendar-readers.ts';

const changedAt = Date.UTC(2026, 2, 18, 2);
const event = (more: Partial<StampedEvent> = {}): StampedEvent => ({
  key: 'k',
  uid: '0123456789abcdef0123456789abcdef',
  category: '课程',
  start: '2026-03-18T08:00:00',
  end: '2026-03-18T09:40:00',
  title: '编译原理',
  place: '东校区 明理楼-308',
  description: '教师：周明\n周次：第3周',
  changedAt,
  sequence: 2,
  ...more,
});
const calendar = (more: Partial<Calendar> = {}): Calendar => ({
  name: '我的课表',
  description: '课表更新于 2026-03-18',
  alarmMinutes: null,
  changedAt,
  events: [event()],
  ...more,
});
const write = createCalendarWriter('Asia/Shanghai');
/** The one event as all readers see it; throws where they differ. */
const seen = (text: string, zone?: string) => {
  const [first, ...others] = Object.values(readCalendar(text, zone));
  for (const other of others) expect(other).toEqual(first);
  return first?.[0];
};

describe('the text of a calendar', () => {
  it('is read alike by three readers', () => {
    expect(seen(write(calendar({ alarmMinutes: 15 })))).toEqual({
      uid: '0123456789abcdef0123456789abcdef@campus-gateway',
      title: '编译原理',
      start: '2026-03-18T08:00:00',
      end: '2026-03-18T09:40:00',
      place: '东校区 明理楼-308',
      description: '教师：周明\n周次：第3周',
      alarm: 15,
    });
    expect(seen(write(calendar({ events: [event({ start: '2026-03-18', end: null })] })))).toMatchObject({
      start: '2026-03-18',
      end: null,
    });
    expect(seen(write(calendar({ events: [event({ end: null })] })))?.end).toBeNull();
  });

  it('states its times in the zone of the campus, whose rules come from the data of the package', () => {
    const text = createCalendarWriter('Europe/Berlin')(calendar());
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20260318T080000');
    expect(text).toContain('BEGIN:DAYLIGHT');
    expect(seen(text, 'Europe/Berlin')?.start).toBe('2026-03-18T08:00:00');
    const summer = createCalendarWriter('Europe/Berlin')(
      calendar({ events: [event({ start: '2026-07-01T08:00:00', end: null })] }),
    );
    expect(seen(summer, 'Europe/Berlin')?.start).toBe('2026-07-01T08:00:00');
    // An old name of a zone: the component and its references bear the same one.
    expect(createCalendarWriter('PRC')(calendar())).toContain('DTSTART;TZID=Asia/Shanghai:');
  });

  it('knows every zone that the configuration takes', () => {
    for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC']) {
      expect(createCalendarWriter(zone)(calendar({ events: [] })), zone).toContain('BEGIN:VTIMEZONE');
    }
    expect(() => createCalendarWriter('Nowhere/Else')).toThrow('CAMPUS_TIMEZONE');
  });

  it.each([
    ['commas, semicolons and backslashes', 'a,b;c\\d \\\\ "e":f'],
    ['emoji and rare characters', '🧪实验👩‍🔬𠀀课'],
    ['300 characters', '课'.repeat(300)],
    ['300 characters of four bytes', '😀'.repeat(300)],
    ['only ASCII, very long', 'x y'.repeat(200)],
  ])('keeps texts with %s', (_, title) => {
    const text = write(calendar({ description: title, events: [event({ title, place: title, description: title })] }));
    expect(seen(text)).toMatchObject({ title, place: title, description: title });
    expect(calendarProperties(text).get('description')).toBe(title);
  });

  it('folds lines at 75 octets and never inside a character', () => {
    for (const title of ['课😀a'.repeat(100), 'x'.repeat(400)]) {
      const lines = write(calendar({ events: [event({ title })] })).split('\r\n');
      expect(lines.every((line) => Buffer.byteLength(line) <= 75 && line.isWellFormed())).toBe(true);
    }
  });

  it('lets no text become its own line', () => {
    const evil = '课\r\nEND:VEVENT\rEND:VCALENDAR\nX-EVIL:1\u0000\u0007\u2028\ud800';
    const text = write(
      calendar({ name: evil, description: evil, events: [event({ title: evil, place: evil, description: evil })] }),
    );
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines.filter((line) => /^(END:VCALENDAR|X-EVIL)/.test(line))).toEqual(['END:VCALENDAR']);
    expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
    expect(/[^\P{Cc}\r\n]/u.test(text)).toBe(false);
    expect(/\r(?!\n)|(?<!\r)\n/.test(text)).toBe(false);
    // ts-ics looks for the end of an event in the middle of lines.
    const { 'ical.js': ours = [], 'node-ical': others } = readCalendar(text);
    expect(others).toEqual(ours);
    expect(ours[0]?.title).toBe('课 END:VEVENT END:VCALENDAR X-EVIL:1 \ufffd');
  });

  it('reminds when asked to, also at the beginning itself, and of no whole day', () => {
    expect(seen(write(calendar({ alarmMinutes: 0 })))?.alarm).toBe(0);
    expect(seen(write(calendar({ alarmMinutes: 1440 })))?.alarm).toBe(1440);
    expect(
      seen(write(calendar({ alarmMinutes: 15, events: [event({ start: '2026-03-18', end: null })] })))?.alarm,
    ).toBeNull();
    expect(seen(write(calendar()))?.alarm).toBeNull();
  });

  it('has a title where the campus has none', () => {
    expect(seen(write(calendar({ events: [event({ title: ' \n ' })] })))?.title).toBe('课程');
  });
});
