import { campusTimestamp } from '../lib/time.ts';

/** Lines of a plain table: columns padded to the widest cell, two blanks between them. */
export const tableLines = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** In the time zone of the campus; null: it has not happened. */
export const timeText = (at: number | null, timeZone: string): string =>
  at === null ? 'never' : campusTimestamp(at, timeZone);

/** The named members alone, so that nothing else of a row is shown. */
export const pickMembers = <Row extends object, Name extends keyof Row>(row: Row, ...names: Name[]): Pick<Row, Name> =>
  // The names are those of the type, which the compiler cannot follow.
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
