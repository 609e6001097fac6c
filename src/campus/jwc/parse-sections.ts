import type { SectionTimes, TimeSlot } from '../../domain/academics/types.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson, readJsonObject } from '../parsing/json.ts';
import { readRows } from '../parsing/list-rows.ts';
import { int, type JsonObject, label, obj, str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** Some installations send the inner values as JSON texts. */
const unpacked = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? null : readJson(value, 'academics');
};

/** The object itself, or the one it is wrapped in: `{status, msg, data}`. */
const payload = (body: JsonObject): JsonObject => {
  if ('sectionTime' in body) return body;
  const inner = unpacked(body.data);
  if (isRecord(inner) && 'sectionTime' in inner) return inner;
  throw unreadable('academics', 'timetable without sections');
};

const toSlot = (item: JsonObject): TimeSlot => ({
  session: int(obj(item.id).session),
  name: label(item.sessionName),
  startTime: str(item.startTime),
  endTime: str(item.endTime),
  length: str(item.timeLength),
  block: int(item.djjc),
});

/**
 * `{firstday, section: {zs, zcsm, tjc}, sectionTime: [{id: {session}, sessionName, startTime, endTime, …}]}`.
 * @throws Failure `upstream-unreadable`
 */
export const parseSections = (text: string): { sections: SectionTimes; dropped: number } => {
  const body = payload(readJsonObject(text, 'academics'));
  const { rows: slots, dropped } = readRows(unpacked(body.sectionTime), {
    system: 'academics',
    what: 'sessions',
    // A day has a dozen, in several kinds of them at most.
    most: 200,
    isOurs: isRecord,
    read: (item) => (isRecord(item) ? toSlot(item) : null),
  });
  const section = obj(unpacked(body.section));
  const semester =
    Object.keys(section).length === 0
      ? null
      : {
          totalWeeks: String(int(section.zs)),
          weekDescription: label(section.zcsm),
          totalSessions: String(int(section.tjc)),
          firstDay: String(int(body.firstday, 1)),
        };
  return { sections: { slots, semester }, dropped };
};
