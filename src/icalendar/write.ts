import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import type { Calendar, CalendarWriter, StampedEvent } from '../domain/calendar/types.ts';

// Of other writers, `ical-generator` takes wall times from the zone of the machine and leaves names unescaped, and
// `ts-ics` cuts characters in two where it folds.

/** RFC 7265: a property, and a component. */
type Property = [name: string, params: Record<string, string>, type: string, value: string];
type Component = [name: string, properties: Property[], components: unknown[]];

/** The blank before a continued line counts too. */
ICAL.foldLength = 74;

/** Text properties that the package does not know. */
const texts = ['name', 'x-wr-calname', 'x-wr-caldesc', 'x-wr-timezone'].map((name) => [name, { defaultType: 'text' }]);
const { icalendar } = ICAL.design;
const design = { ...icalendar, property: { ...icalendar.property, ...Object.fromEntries(texts) } };

/** How often programs are asked to poll. */
const REFRESH = 'PT4H';
/** No course or room has a longer text. */
const LONGEST = 2_000;

/** A text as RFC 5545 allows it: of the control characters and separators only line feeds, and no half characters. */
const cleanText = (text: string): string =>
  text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ');

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

const utc = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`;

const alarmOf = (minutes: number, title: string): Component => [
  'valarm',
  [
    ['action', {}, 'text', 'DISPLAY'],
    ['trigger', {}, 'duration', minutes === 0 ? 'PT0S' : `-PT${minutes}M`],
    ['description', {}, 'text', title],
  ],
  [],
];

const eventOf = (event: StampedEvent, zone: string, alarmMinutes: number | null): Component => {
  const { uid, start, end, sequence, changedAt, category } = event;
  const wholeDay = !start.includes('T');
  const at = (name: string, time: string): Property =>
    wholeDay ? [name, {}, 'date', time] : [name, { tzid: zone }, 'date-time', time];
  const title = oneLine(event.title) || category;
  const place = oneLine(event.place);
  const description = cleanText(event.description);
  const properties: Property[] = [
    ['uid', {}, 'text', `${uid}@campus-gateway`],
    ['dtstamp', {}, 'date-time', utc(changedAt)],
    ['last-modified', {}, 'date-time', utc(changedAt)],
    ['sequence', {}, 'integer', String(sequence)],
    at('dtstart', start),
    ...(end === null ? [] : [at('dtend', end)]),
    ['summary', {}, 'text', title],
    ...(place === '' ? [] : [['location', {}, 'text', place] satisfies Property]),
    ...(description === '' ? [] : [['description', {}, 'text', description] satisfies Property]),
    ['categories', {}, 'text', category],
    // Whole days tell no hour at which one is busy.
    ['transp', {}, 'text', wholeDay || end === null ? 'TRANSPARENT' : 'OPAQUE'],
  ];
  return ['vevent', properties, alarmMinutes === null || wholeDay ? [] : [alarmOf(alarmMinutes, title)]];
};

/** The component of a time zone, and the name that it bears. @throws Error for an unknown zone */
const zoneOf = (timeZone: string): { readonly zone: string; readonly component: unknown } => {
  const [block = '', id = ''] = tzlib_get_ical_block(timeZone);
  if (!block.startsWith('BEGIN:VTIMEZONE')) throw new Error(`CAMPUS_TIMEZONE: no calendar knows ${timeZone}`);
  return { zone: id.replace(/^TZID=/, ''), component: ICAL.parse(block) };
};

/** Writes calendars of RFC 5545 and 7986, with times in this zone. */
export const createCalendarWriter = (timeZone: string): CalendarWriter => {
  const { zone, component } = zoneOf(timeZone);
  return ({ name, description, alarmMinutes, changedAt, events }: Calendar) => {
    const properties: Property[] = [
      ['version', {}, 'text', '2.0'],
      ['prodid', {}, 'text', '-//Campus Gateway//Calendar Feed//ZH'],
      ['calscale', {}, 'text', 'GREGORIAN'],
      ['name', {}, 'text', oneLine(name)],
      ['x-wr-calname', {}, 'text', oneLine(name)],
      ['description', {}, 'text', cleanText(description)],
      ['x-wr-caldesc', {}, 'text', cleanText(description)],
      ['x-wr-timezone', {}, 'text', zone],
      ['last-modified', {}, 'date-time', utc(changedAt)],
      ['refresh-interval', {}, 'duration', REFRESH],
      ['x-published-ttl', {}, 'unknown', REFRESH],
    ];
    const calendar = [
      'vcalendar',
      properties,
      [component, ...events.map((event) => eventOf(event, zone, alarmMinutes))],
    ];
    return `${ICAL.stringify.component(calendar, design)}\r\n`;
  };
};
