import { Journal } from '../../src/domain/changes/journal.ts';
import { createKeptCopies } from '../../src/domain/changes/kept-copies.ts';
import { tellRefusedPairs } from '../../src/domain/changes/refused-pairs.ts';
import { type Log, silentLog } from '../../src/domain/context.ts';
import { type Clock, systemClock } from '../../src/lib/time.ts';
import type { Storage } from '../../src/storage/storage.ts';

const timeZone = 'Asia/Shanghai';

const openKept = (storage: Storage, clock: Clock, log: Log) => {
  const journal = new Journal({ students: storage.students, clock, timeZone });
  const copies = createKeptCopies({ stored: storage.copies, journal, clock, log, timeZone });
  return { journal, copies, accounts: tellRefusedPairs(storage.accounts, journal) };
};

const opened = new WeakMap<Storage, ReturnType<typeof openKept>>();

/** What the domain makes of a storage, as the service has it; the clock and log are those of the first call. */
export const keptIn = (storage: Storage, clock: Clock = systemClock, log: Log = silentLog) => {
  const made = opened.get(storage) ?? openKept(storage, clock, log);
  opened.set(storage, made);
  return made;
};
