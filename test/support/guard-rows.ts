import { Guard } from '../../src/domain/accounts/guard/guard.ts';
import type { GuardRows, StudentRow } from '../../src/domain/accounts/guard/row.ts';
import type { GuardStore } from '../../src/domain/accounts/guard/stored-rows.ts';
import { noted } from '../../src/domain/accounts/guard/verdict.ts';
import { silentLog } from '../../src/domain/context.ts';
import { ManualClock } from './manual-clock.ts';

const guardAt = (guards: GuardStore, now: number | undefined): Guard =>
  new Guard({ guards, clock: new ManualClock(now), log: silentLog, perDay: 4 });

/** What the login guard remembers of a student, and of everybody, as it is stored. */
export const readGuard = async ({ guards }: { guards: GuardStore }, userid: string, now?: number): Promise<GuardRows> =>
  (await guardAt(guards, now).read(userid)).stored;

/** Changes what it remembers of a student. */
export const remember = async (
  { guards }: { guards: GuardStore },
  userid: string,
  next: (before: StudentRow) => Partial<StudentRow>,
  now?: number,
): Promise<void> => {
  await guardAt(guards, now).decide(userid, ({ student }) => {
    Object.assign(student, next(student));
    return noted;
  });
};
