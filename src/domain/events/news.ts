import { campusDate } from '../../lib/time.ts';
import type { CopyToKeep } from '../reads/ports.ts';
import { compare, type Known } from './compare.ts';
import type { NewEvent, NewsPart, ReadEvents } from './ports.ts';

/** A reading that is stored as a copy, and the copy of the same shape before it. */
export interface KeptReading {
  readonly copy: CopyToKeep;
  /** Null: none, or it cannot be opened. */
  readonly before: { readonly text: string; readonly readAt: number } | null;
}

/** One reading, ready to be compared with what is known under each scope. */
export interface ReadNews {
  readonly scopes: readonly string[];
  /** Nothing is stored where `known` is null. */
  compare(scope: string, known: Known | null, now: number): ScopeNews | null;
}

interface ScopeNews {
  readonly known: Known;
  readonly events: readonly NewEvent[];
  readonly inDoubt: boolean;
}

/** `events` belongs to the row of the read. Pure. @throws what parsing a senseless value throws */
export const newsOf = (
  events: ReadEvents<never>,
  { copy, before }: KeptReading,
  { timeZone, thresholds }: { readonly timeZone: string; readonly thresholds: readonly number[] },
): ReadNews => {
  const { readAt, about = {} } = copy;
  const params: readonly string[] = JSON.parse(copy.params);
  const reading = { params, about, today: campusDate(readAt, timeZone), thresholds };
  // A copy of the row's shape is a value of that row.
  const partsIn = (text: string): readonly NewsPart[] | null => events(JSON.parse(text) as never, reading);
  const parts = new Map(partsIn(copy.text)?.map((part) => [part.scope, part]));
  const beforeOf = (scope: string) => {
    const earlier = before && partsIn(before.text);
    if (before === null || earlier === null) return null;
    // A term that the list did not name was empty.
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
