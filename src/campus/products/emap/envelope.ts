import { type Failure, failures } from '../../../domain/errors.ts';
import { isRecord } from '../../../lib/text.ts';
import { type JsonObject, obj, optCount, str } from '../../parsing/cells.ts';
import { readJsonObject, readRows, records, unreadable } from '../../parsing/reading.ts';
import { saysFailure } from '../../parsing/refusals.ts';
import { plainMessage } from '../../parsing/text.ts';

const system = 'academics';

/** What every list of the product comes with. */
export interface EmapRows<T> {
  readonly rows: readonly T[];
  readonly received: number;
  readonly dropped: number;
  /** Rows of all pages; null: not stated. */
  readonly total: number | null;
  /** The numbers of the students whose rows they are, as far as rows name one. */
  readonly students: readonly string[];
}

const refusal = (msg: unknown): Failure =>
  failures.upstreamRefused(system, undefined, { upstreamMessage: plainMessage(msg) || undefined });

const says = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The answer in `{"code":"0","datas":{"NAME":{"totalSize":2,"rows":[…],"extParams":{"code":1,"msg":"…"}}}}`.
 * @throws Failure `upstream-refused` in the words of the campus: a term that is not published is no empty term
 */
const answerIn = (text: string, names: readonly string[]): JsonObject => {
  const { code, msg, datas } = readJsonObject(text, system);
  if (!says(code)) throw unreadable(system, 'answer without a code');
  if (str(code) !== '0') throw refusal(msg);
  const answer = names.map((name) => obj(datas)[name]).find(isRecord);
  if (answer === undefined) throw unreadable(system, 'answer of another name');
  const { extParams } = answer;
  if (says(extParams) && !isRecord(extParams)) throw unreadable(system, 'verdict of the wrong type');
  const verdict = obj(extParams);
  if (says(verdict.code) && str(verdict.code) !== '1') throw refusal(verdict.msg);
  if (!Array.isArray(answer.rows)) throw unreadable(system, 'answer without rows');
  // Without a code the words count: a term that is not published has no rows either.
  if (answer.rows.length === 0 && !says(verdict.code) && saysFailure(verdict)) throw refusal(verdict.msg);
  return answer;
};

const studentsIn = (rows: readonly unknown[]): string[] => {
  const found = new Set<string>();
  for (const row of rows) if (isRecord(row) && says(row.XH)) found.add(str(row.XH));
  return [...found].filter((number) => number !== '');
};

interface ListOf<T> {
  /** What schools call it. */
  readonly names: readonly string[];
  readonly members: readonly string[];
  /** No student has more. */
  readonly most?: number;
  /** The client reads the other pages as well. */
  readonly isPaged?: boolean;
  /** Null for a row of no use. */
  readonly read: (row: JsonObject) => T | null;
}

/** @throws Failure `upstream-unreadable`, also for a list that is only the beginning of one */
export const readEmapRows = <T>(
  text: string,
  { names, members, most = 2_000, isPaged = false, read }: ListOf<T>,
): EmapRows<T> => {
  const answer = answerIn(text, names);
  const what = `rows of ${names[0]}`;
  const found = readRows(answer.rows, records({ system, what, most }, members, read));
  const total = optCount(answer.totalSize);
  if (!isPaged && total !== null && total > found.received) throw unreadable(system, `${what} are cut`);
  return { ...found, total, students: studentsIn(answer.rows as readonly unknown[]) };
};
