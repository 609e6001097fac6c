import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/domain/context.ts';
import { failures } from '../../../../src/domain/errors.ts';
import { type ChangeEvents, type EventSink, EventStreams } from '../../../../src/domain/events/events.ts';
import type { AppendListener, EventStore, JournalEntry } from '../../../../src/domain/events/ports.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const student = { userid: '1', tokenHash: 'token' };
const entry = (seq: number, userid = '1'): JournalEntry => ({
  ...{ userid, seq, id: `evt_${seq}`, type: 'test.ping', readAt: null, occurredAt: 0 },
  ...{ about: {}, ask: null, detail: {} },
});
const turns = async (): Promise<void> => {
  for (let each = 0; each < 20; each += 1) await new Promise((resolve) => setImmediate(resolve));
};

let clock: ManualClock;
let stored: JournalEntry[];
let listener: AppendListener;
let streams: ChangeEvents;
/** Statements, by what they were asked for. */
let asked: string[];
let before: () => Promise<void>;

beforeEach(() => {
  clock = new ManualClock();
  [stored, asked, before] = [[], [], async () => {}];
  const store: EventStore = {
    async page(userid, after, limit) {
      asked.push(`page ${after}`);
      const own = stored.filter((each) => each.userid === userid);
      const last = own.at(-1)?.seq ?? 0;
      await before();
      const isUnknown = after !== null && after > last;
      const entries = own.filter(({ seq }) => seq > (isUnknown ? 0 : (after ?? 0))).slice(0, limit);
      return { entries, next: entries.at(-1)?.seq ?? last, gap: isUnknown, account: 1 };
    },
    async recent(_since, userids) {
      asked.push(`recent ${userids}`);
      return stored.filter(({ userid }) => userids.includes(userid));
    },
    async lastByToken(hashes) {
      asked.push('look');
      await before();
      const last = (hash: string): number => {
        const [, owner = '1'] = hash.split(' ');
        return stored.filter(({ userid }) => userid === owner).at(-1)?.seq ?? 0;
      };
      return new Map(hashes.flatMap((hash) => (hash.startsWith('token') ? [[hash, last(hash)]] : [])));
    },
  };
  const journal = {
    onAppended(added: AppendListener) {
      listener = added;
      return () => {
        listener = () => {};
      };
    },
  };
  streams = new EventStreams({ journal, store, clock, log: silentLog, most: 2, offered: true });
});

/** In this process, and told at once. */
const append = (...entries: JournalEntry[]): void => {
  stored.push(...entries);
  listener(entries);
};
const seconds = async (count: number): Promise<void> => {
  for (let each = 0; each < count; each += 1) {
    clock.advance(1_000);
    await turns();
  }
};
const open = async (after: number | null, waiting = () => 0, who = student) => {
  const heard: Array<number | string> = [];
  const sink: EventSink = {
    event: ({ seq }) => void heard.push(seq),
    at: (seq) => void heard.push(`at ${seq}`),
    gap: () => void heard.push('gap'),
    comment: () => {},
    end: (goodbye) => void heard.push(goodbye),
    get waiting() {
      return waiting();
    },
  };
  return { heard, leave: await streams.stream(who, after, sink) };
};

describe('a stream', () => {
  it('ends at once where its reader takes what it is sent too slowly, and its place is free', async () => {
    let waiting = 256 * 1024;
    const { heard, leave } = await open(0, () => waiting);
    append(entry(1));
    waiting += 1;
    append(entry(2), entry(3));
    expect([heard, streams.open]).toEqual([[1, 2, 'slow'], 0]);
    leave();
    append(entry(4));
    expect([heard.length, streams.open, clock.timers]).toEqual([3, 0, 0]);
  });

  it('that begins at the end of the journal misses nothing that is appended while it begins, and hears it once', async () => {
    stored = [entry(1)];
    before = async () => {
      before = async () => {};
      append(entry(2));
    };
    const { heard } = await open(null);
    append(entry(3));
    expect(heard).toEqual(['at 1', 2, 3]);
  });

  it('reads a long journal page by page, and from its beginning for a new account', async () => {
    stored = Array.from({ length: 250 }, (_, at) => entry(at + 1));
    const { heard } = await open(0);
    expect([heard.length, asked]).toEqual([250, ['page 0', 'page 100', 'page 200']]);
    const late = await open(300);
    expect(late.heard.slice(0, 2)).toEqual(['gap', 1]);
    expect(late.heard.at(-1)).toBe(250);
  });

  it('takes no place where the journal cannot be read, and none after the end', async () => {
    before = () => Promise.reject(failures.storageFailed());
    for (let each = 0; each < 3; each += 1) await expect(open(0)).rejects.toMatchObject({ kind: 'storage-failed' });
    expect([streams.open, clock.timers]).toEqual([0, 0]);
    before = async () => {};
    const { heard } = await open(0);
    streams.close();
    expect([heard, streams.open, clock.timers]).toEqual([['closing'], 0, 0]);
    await expect(open(0)).rejects.toMatchObject({ kind: 'overloaded', reason: 'closing' });
  });

  it('hears what others append with one statement for all, also after a look that failed', async () => {
    const { heard } = await open(0);
    const other = await open(0, () => 0, { userid: '2', tokenHash: 'token 2' });
    append(entry(1));
    stored.push(entry(2), entry(1, '2'));
    asked = [];
    before = () => Promise.reject(failures.storageFailed());
    await seconds(2);
    expect([asked, heard]).toEqual([['look'], [1]]);
    before = async () => {};
    await seconds(2);
    expect([asked, heard, other.heard]).toEqual([['look', 'look', 'recent 1,2'], [1, 2], [1]]);
    asked = [];
    await seconds(2);
    expect(asked).toEqual(['look']);
  });

  it('ends with its token, within a minute', async () => {
    const ended = await open(0, () => 0, { userid: '1', tokenHash: 'ended' });
    const { heard } = await open(0);
    await seconds(60);
    expect([ended.heard, heard, streams.open]).toEqual([['token'], [], 1]);
  });
});
