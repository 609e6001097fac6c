import type { SectionTimes, TimeSlot } from '../../domain/academics/types.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson, readJsonObject } from '../parsing/json.ts';
import { int, type JsonObject, obj, payloadList, str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** A day has a dozen sessions, in several kinds of them at most. */
const mostSlots = 200;

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
  name: str(item.sessionName),
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
  const items = payloadList(unpacked(body.sectionTime));
  if (items === null) throw unreadable('academics', 'session list of the wrong type');
  if (items.length > mostSlots) throw unreadable('academics', 'too many sessions');
  const slots = items.filter(isRecord).map(toSlot);
  if (items.length > 0 && slots.length === 0) throw unreadable('academics', 'sessions of another shape');
  const section = obj(unpacked(body.section));
  const semester =
    Object.keys(section).length === 0
      ? null
      : {
          totalWeeks: String(int(section.zs)),
          weekDescription: str(section.zcsm),
          totalSessions: String(int(section.tjc)),
          firstDay: String(int(body.firstday, 1)),
        };
  return { sections: { slots, semester }, dropped: items.length - slots.length };
};
