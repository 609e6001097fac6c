import { campusDate } from '../../lib/time.ts';
import type { CopyToKeep } from '../reads/ports.ts';
import { compare, type Known } from './compare.ts';
import type { NewEvent, NewsPart, ReadEvents } from './ports.ts';

/** A reading that was kept, and the copy of its shape that was there before. */
export interface KeptReading {
  readonly copy: CopyToKeep;
  /** Null: there was none that can be opened. */
  readonly before: { readonly text: string; readonly readAt: number } | null;
}

/** The parts of one reading, ready to be compared with what is known. */
export interface ReadNews {
  /** Under which something may be known. */
  readonly scopes: readonly string[];
  /** Nothing is stored where `known` is null. */
  compare(scope: string, known: Known | null, now: number): ScopeNews | null;
}

interface ScopeNews {
  readonly known: Known;
  readonly events: readonly NewEvent[];
  readonly inDoubt: boolean;
}

/** `events`: of the row of the read. Parses the reading. Pure but for that: the same reading, what is known and the time give the same events. */
export const newsOf = (
  events: ReadEvents<never>,
  { copy, before }: KeptReading,
  { timeZone, thresholds }: { readonly timeZone: string; readonly thresholds: readonly number[] },
): ReadNews => {
  const { readAt, about = {} } = copy;
  const params: readonly string[] = JSON.parse(copy.params);
  const reading = { params, about, today: campusDate(readAt, timeZone), thresholds };
  // A copy that was kept under the shape of the row is a value of that row.
  const partsIn = (text: string): readonly NewsPart[] | null => events(JSON.parse(text) as never, reading);
  const parts = new Map(partsIn(copy.text)?.map((part) => [part.scope, part]));
  const beforeOf = (scope: string) => {
    const earlier = before && partsIn(before.text);
    if (before === null || earlier === null) return null;
    // A term that a list does not name has nothing in it.
    return earlier.find((part) => part.scope === scope)?.items ?? [];
  };
  return {
    scopes: [...parts.keys()],
    compare(scope, known, now) {
      const part = parts.get(scope);
      if (part === undefined) return null;
      const isFirst = known?.read[part.source] === undefined;
      const compared = compare(known, part, {
        readAt,
        beforeAt: before?.readAt ?? 0,
        before: isFirst ? beforeOf(scope) : null,
        now,
      });
      if (compared === null) return null;
      const { drafts, inDoubt } = compared;
      return { known: compared.known, events: drafts.map((draft) => ({ ...draft, readAt })), inDoubt };
    },
  };
};
