import type { CallContext, Student } from '../context.ts';
import type { Reads } from './reads.ts';
import type { ReadRow } from './types.ts';

/** The row of a read of which something is asked for, such as a page. `paramsOf` gives it as texts. */
export type AskingRow<Row, A> = Row & { readonly paramsOf: (asked: A) => readonly string[] };

export const withParams = <Row extends object, A>(
  row: Row,
  paramsOf: (asked: A) => readonly string[],
): AskingRow<Row, A> => ({ ...row, paramsOf });

type ValueOf<Row> = Row extends { readonly complete?: (stored: unknown) => infer V } ? Exclude<V, undefined> : never;
type AskCampus<V> = (student: Student, context: CallContext) => Promise<V>;
type AskFor<A, V> = (student: Student, asked: A, context: CallContext) => Promise<V>;

/** What a campus is asked for by reads that pass on its answers: a method per row, under the same name. */
export type PortOf<Rows> = {
  readonly [M in keyof Rows]: Rows[M] extends { readonly paramsOf: (asked: infer A) => readonly string[] }
    ? AskFor<A, ValueOf<Rows[M]>>
    : AskCampus<ValueOf<Rows[M]>>;
};

/** Names the methods of such a port. */
export const methodsOf = <Rows extends object>(rows: Rows) =>
  // The names are those of the rows.
  Object.fromEntries(Object.keys(rows).map((name) => [name, true])) as Readonly<Record<keyof Rows, true>>;

type AnyRow = ReadRow<unknown> & Partial<AskingRow<object, unknown>>;

const plainRead = (reads: Pick<Reads, 'read'>, row: AnyRow, ask: (...asked: unknown[]) => Promise<unknown>) => {
  const { paramsOf } = row;
  return paramsOf === undefined
    ? (student: Student, context: CallContext) =>
        reads.read(student, context, { row, ask: (inner) => ask(student, inner) })
    : (student: Student, asked: unknown, context: CallContext) =>
        reads.read(student, context, { row, params: paramsOf(asked), ask: (inner) => ask(student, asked, inner) });
};

/** The reads of rows that pass on the answers of the campus. */
export const plainReads = <Rows extends object>(
  reads: Pick<Reads, 'read'>,
  rows: Rows,
  campus: PortOf<Rows>,
): PortOf<Rows> => {
  const methods: Readonly<Record<string, unknown>> = campus;
  // Each row says what its method takes and gives.
  const made = Object.entries<AnyRow>(rows as never).map(([name, row]) => [
    name,
    plainRead(reads, row, methods[name] as never),
  ]);
  return Object.fromEntries(made) as PortOf<Rows>;
};
