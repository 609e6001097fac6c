import type { JournalEntry } from '../events/ports.ts';
import { type ChangeEvent, presentEvent } from '../events/records.ts';
import type { HookDetail, HookWish } from './ports.ts';

/** The payload of Standard Webhooks. */
interface Message {
  readonly type: ChangeEvent['type'];
  readonly timestamp: string;
  readonly data: ChangeEvent & { readonly detail?: JournalEntry['detail'] };
}

export const eventBody = (entry: JournalEntry, detail: HookDetail, timeZone: string): string => {
  const message: Message = {
    type: entry.type,
    timestamp: new Date(entry.occurredAt).toISOString(),
    data: { ...presentEvent(entry, timeZone), ...(detail === 'full' ? { detail: entry.detail } : {}) },
  };
  return JSON.stringify(message);
};

const MOST_CHARACTERS = 200;

const named = ['course_name', 'activity_title', 'room_name', 'term_code', 'added', 'changed', 'removed'] as const;

/** One line for a notification, without marks even for a full hook. */
export const eventLine = (body: string): string => {
  const { data }: Message = JSON.parse(body);
  const names = named.flatMap((name) => data.about[name] ?? []);
  const line = [data.title, ...new Set(names)].join(' · ').replaceAll(/\s+/g, ' ');
  return [...line].slice(0, MOST_CHARACTERS).join('');
};

export const isWantedEvent = (
  { id, types, lowKwh }: Pick<HookWish, 'types' | 'lowKwh'> & { readonly id: string },
  { type, about }: Pick<JournalEntry, 'type' | 'about'>,
): boolean => {
  if (type === 'test.ping') return about.hook_id === id;
  if (!types.includes(type)) return false;
  return type !== 'electricity.low' || about.threshold === lowKwh;
};
