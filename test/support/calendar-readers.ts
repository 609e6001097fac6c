import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar, type IcsDateObject } from 'ts-ics';

/** An event as any reader tells it: wall times `YYYY-MM-DDTHH:MM:SS`, or `YYYY-MM-DD` for a whole day. */
export interface ReadEvent {
  readonly uid: string;
  readonly title: string;
  readonly start: string;
  /** Null: none is stated. */
  readonly end: string | null;
  readonly place: string;
  readonly description: string;
  /** Minutes before the beginning. */
  readonly alarm: number | null;
}

const byUid = (a: ReadEvent, b: ReadEvent): number => (a.uid < b.uid ? -1 : 1);

/** Wall time of an instant in a zone, by Intl. */
const wall = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const byIcalJs = (text: string): ReadEvent[] =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const end = component.getFirstPropertyValue('dtend');
    const trigger = component.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger');
    return {
      uid: textOf(component.getFirstPropertyValue('uid')),
      title: textOf(component.getFirstPropertyValue('summary')),
      start: String(component.getFirstPropertyValue('dtstart')),
      end: end === null ? null : String(end),
      place: textOf(component.getFirstPropertyValue('location')),
      description: textOf(component.getFirstPropertyValue('description')),
      alarm: trigger instanceof ICAL.Duration ? 0 - trigger.toSeconds() / 60 : null,
    };
  });

const minutesOf = (trigger: string): number => {
  const [, sign, minutes = '0'] = /^(-?)PT(?:(\d+)M|0S)$/.exec(trigger) ?? [];
  if (sign === undefined) throw new Error(`trigger ${trigger}`);
  return Number(minutes);
};

const byNodeIcal = (text: string, zone: string): ReadEvent[] =>
  Object.values(nodeIcal.parseICS(text)).flatMap((found) => {
    if (found?.type !== 'VEVENT') return [];
    const wholeDay = found.datetype === 'date';
    // A whole day is a Date of the zone of this machine.
    const day = (at: Date): string =>
      `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
    const at = (date: Date): string => (wholeDay ? day(date) : wall(date, zone));
    const [alarm] = found.alarms ?? [];
    // It makes an end up where there is none.
    const stated = new RegExp(`UID:${found.uid}\\r\\n(?:(?!END:VEVENT)[\\s\\S])*?DTEND`).test(text);
    return {
      uid: found.uid,
      title: textOf(found.summary),
      start: at(found.start),
      end: stated && found.end ? at(found.end) : null,
      place: textOf(found.location),
      description: textOf(found.description),
      alarm: alarm === undefined ? null : minutesOf(String(Object(alarm).trigger)),
    };
  });

const byTsIcs = (text: string): ReadEvent[] => {
  const at = ({ type, date, local }: IcsDateObject): string =>
    type === 'DATE' ? date.toISOString().slice(0, 10) : (local?.date ?? date).toISOString().slice(0, 19);
  return (convertIcsCalendar(undefined, text).events ?? []).map((event) => {
    const trigger = event.alarms?.[0]?.trigger;
    return {
      uid: event.uid,
      title: event.summary,
      start: at(event.start),
      end: 'end' in event && event.end ? at(event.end) : null,
      place: event.location ?? '',
      description: event.description ?? '',
      alarm: trigger?.type === 'relative' ? (trigger.value.minutes ?? 0) + 60 * (trigger.value.hours ?? 0) : null,
    };
  });
};

/** The events that each reader sees in a calendar, by its name, in the order of their uids. */
export const readCalendar = (text: string, zone = 'Asia/Shanghai'): Record<string, ReadEvent[]> => ({
  'ical.js': byIcalJs(text).toSorted(byUid),
  'node-ical': byNodeIcal(text, zone).toSorted(byUid),
  'ts-ics': byTsIcs(text).toSorted(byUid),
});

/** The properties of the calendar itself. */
export const calendarProperties = (text: string): ReadonlyMap<string, string> =>
  new Map(
    new ICAL.Component(ICAL.parse(text))
      .getAllProperties()
      .map((property) => [property.name, String(property.getFirstValue())]),
  );
