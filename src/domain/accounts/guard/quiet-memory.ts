import { guardNumbers as n } from './numbers.ts';

/** What sign-ins of all students have shown, as distances from the step that the student passed last. */
export interface QuietMemory {
  /** The longest at which somebody was there and no step was asked for: one of each student, `of` whom nobody can tell. */
  readonly without: ReadonlyArray<{ readonly of: string; readonly ms: number; readonly at: number }>;
  /** The shortest at which one was asked for again. */
  readonly again: { readonly ms: number; readonly at: number } | null;
  /** A step was met inside it: there is none until then. */
  readonly brokenUntil: number;
}

export const emptyQuiet: QuietMemory = { without: [], again: null, brokenUntil: 0 };

export const quietAt = ({ without, again, brokenUntil }: QuietMemory, now: number): QuietMemory => {
  const isKept = ({ at }: { readonly at: number }): boolean => at > now - n.person.quiet.memoryMs;
  const past = <T extends { readonly at: number }>(row: T): T => (row.at > now ? { ...row, at: now } : row);
  return {
    without: without.map(past).filter(isKept),
    again: again !== null && isKept(past(again)) ? past(again) : null,
    brokenUntil: brokenUntil > now ? Math.min(brokenUntil, now + n.person.quiet.brokenMs) : 0,
  };
};
