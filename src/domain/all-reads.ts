import { academicReads } from './academics/rows.ts';
import { activityScoreReads } from './activity-score/records.ts';
import { cardReads } from './card/records.ts';
import { competitionReads } from './competitions/records.ts';
import { electricityReads } from './electricity/rows.ts';
import { laborClubReads } from './labor-club/rows.ts';
import type { TellingRow } from './read-row.ts';

/** Every read of a student. Its row stands in its area. */
export const readRows = {
  ...academicReads,
  ...activityScoreReads,
  ...competitionReads,
  ...laborClubReads,
  ...cardReads,
  ...electricityReads,
} as const;

/** As copies are kept under. */
export const rowsByName: ReadonlyMap<string, Omit<TellingRow<never>, 'earlierShapes'>> = new Map(
  Object.values(readRows).map((row) => [row.name, row]),
);

/** The row by which a kept reading makes events; null: it makes none, or is of a shape that another version reads. */
export const tellingRow = ({ read, shape }: { readonly read: string; readonly shape: number }) => {
  const row = rowsByName.get(read);
  return row?.events !== undefined && row.shape === shape ? { ...row, events: row.events } : null;
};
