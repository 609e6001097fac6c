import { type CampusSystem, Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import type { JsonObject } from './scalars.ts';

/**
 * The JSON value of a body. The text decides, never the content type.
 * @throws Failure `upstream-unreadable`
 */
export const readJson = (text: string, system: CampusSystem): unknown => {
  // JSON.parse knows no byte order mark.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') throw unreadable(system, 'empty body');
  try {
    const value: unknown = JSON.parse(body);
    return value;
  } catch {
    // The parser's own message quotes the body, which holds a student's data: it is not kept as cause.
    throw unreadable(system, 'body is not JSON');
  }
};

/** @throws Failure `upstream-unreadable`, also for a value that is not a list */
export const readJsonList = (text: string, system: CampusSystem, what: string): readonly unknown[] => {
  const value = readJson(text, system);
  if (!Array.isArray(value)) throw unreadable(system, `${what} of the wrong type`);
  return value;
};

/** @throws Failure `upstream-unreadable`, also for a value that is not an object */
export const readJsonObject = (text: string, system: CampusSystem): JsonObject => {
  const value = readJson(text, system);
  if (!isRecord(value)) throw unreadable(system, 'body is no JSON object');
  return value;
};

/** The failure of a page that is not the page we know. The reason goes to the log: no page text in it. */
export const unreadable = (system: CampusSystem, reason: string, cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system, reason, cause });
