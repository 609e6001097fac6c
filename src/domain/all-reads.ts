import { academicReads } from './academics/reads.ts';
import { activityScoreReads } from './activity-score/records.ts';
import { cardReads } from './card/records.ts';
import { competitionReads } from './competitions/records.ts';
import { electricityReads } from './electricity/reads.ts';
import { laborClubReads } from './labor-club/reads.ts';
import type { TellingRow } from './read-row.ts';

/** Every read of a student. */
export const readRows = {
  ...academicReads,
  ...activityScoreReads,
  ...competitionReads,
  ...laborClubReads,
  ...cardReads,
  ...electricityReads,
} as const;

export const rowsByName: ReadonlyMap<string, Omit<TellingRow<never>, 'earlierShapes' | 'complete'>> = new Map(
  Object.values(readRows).map((row) => [row.name, row]),
);

/** The row by which a copy makes events; null: it makes none, or its shape is of another version. */
export const tellingRow = ({ read, shape }: { readonly read: string; readonly shape: number }) => {
  const row = rowsByName.get(read);
  return row?.events !== undefined && row.shape === shape ? { ...row, events: row.events } : null;
};
