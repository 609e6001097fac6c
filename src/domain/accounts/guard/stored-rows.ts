import { DAY_MS } from '../../../lib/time.ts';
import { stateReader } from '../../record.ts';
import type { Erasing, GuardText } from '../ports.ts';
import { attemptLease } from './callers.ts';
import { guardNumbers, memoryMs } from './numbers.ts';
import {
  afterErasure,
  cautiousGateway,
  emptyGateway,
  emptyStudent,
  GatewayRow,
  type GuardRows,
  mergeStudents,
  StudentRow,
} from './row.ts';

// The rows of the login guard, which rations password attempts so that neither guessers nor this service lock a student out
// at the campus: one for each student and one for the whole service, as texts that only this file reads and writes.

export type GuardPart = keyof GuardRows;

/** A student has a row for each key that has named it, the oldest key first. */
export interface GuardTexts {
  readonly student: readonly GuardText[];
  readonly gateway: GuardText | undefined;
}

/** What storage offers the guard: rows as texts under a lock. */
export interface GuardStore {
  read(userid: string): Promise<GuardTexts>;
  /**
   * In one transaction: makes the parts in `lock` where they are missing, to end at `until`, locks and reads them, and writes
   * what `decide` returns, never more than was locked. `decide` is pure and may run more than once.
   */
  change<T>(
    userid: string,
    lock: readonly GuardPart[],
    until: number,
    decide: (held: GuardTexts) => { readonly result: T; readonly write: Partial<Record<GuardPart, GuardText>> },
  ): Promise<T>;
}

const GATEWAY_MS = 366 * DAY_MS;

const readers = { student: stateReader(StudentRow), gateway: stateReader(GatewayRow) };

export const isUnreadable = (part: GuardPart, memory: string): boolean =>
  memory !== '' && readers[part](memory) === null;

/** Treats an unreadable row as spent, which affects its student only. */
const studentOf = ({ memory, expiresAt }: GuardText): StudentRow =>
  memory === '' ? emptyStudent : (readers.student(memory) ?? { ...emptyStudent, spentUntil: expiresAt });

const studentFrom = (texts: readonly GuardText[]): StudentRow => {
  const [one = emptyStudent, ...others] = texts.map(studentOf);
  return others.reduce(mergeStudents, one);
};

/** Every student depends on the row of the gateway, so the substitute for an unreadable one spares the campus most. */
export const rowsFrom = ({ student, gateway }: GuardTexts, now: number, onMisfit: () => void): GuardRows => {
  const { memory = '' } = gateway ?? {};
  return {
    student: studentFrom(student),
    gateway: memory === '' ? emptyGateway : (readers.gateway(memory, onMisfit) ?? cautiousGateway(now)),
  };
};

const textOf = (student: StudentRow, now: number): GuardText => ({
  memory: JSON.stringify(student),
  expiresAt: now + (student.networks.length > 0 || student.mark !== null ? guardNumbers.home.lifeMs : memoryMs),
});

export const guardTextsOf = ({ student, gateway }: Partial<GuardRows>, now: number) => ({
  ...(student && { student: textOf(student, now) }),
  ...(gateway && { gateway: { memory: JSON.stringify(gateway), expiresAt: now + GATEWAY_MS } }),
});

/** The latest asks and refusals outlive the account by a day. */
export const erasureOf = (userid: string, now: number): Erasing => ({
  lease: attemptLease(userid),
  left: (own) => {
    const left = afterErasure(studentFrom(own));
    return left.asks.length + left.refused.length > 0 ? textOf(left, now) : null;
  },
});
