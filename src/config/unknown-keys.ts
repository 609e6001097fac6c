import type { Finding } from './finding.ts';

/** Number of inserted, deleted, replaced or swapped characters between two texts. */
const distance = (a: string, b: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
};

/** What other programs call a setting of ours; too far from our name to be a slip. */
const otherNames: ReadonlyMap<string, string> = new Map([['TRUST_PROXY', 'TRUSTED_PROXIES']]);

/** Settings of the release before. They are ignored, so that an upgrade starts; the words go a release later. */
const former: ReadonlyMap<string, string> = new Map([
  ['EVALUATION_PAUSE_SECONDS', 'the plan `sequential` always pauses for 3 s'],
]);

/** The known key that was probably meant. The longer the key, the more slips are forgiven; short ones match exactly. */
const meant = (key: string, known: readonly string[]): string | null => {
  const upper = key.toUpperCase();
  const other = otherNames.get(upper);
  if (other !== undefined && known.includes(other)) return other;
  let best: { key: string; slips: number } | null = null;
  for (const candidate of known) {
    const allowed = Math.floor(candidate.length / 5);
    if (Math.abs(candidate.length - upper.length) > allowed) continue;
    const slips = distance(upper, candidate);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { key: candidate, slips };
  }
  return best?.key ?? null;
};

/** Variables that look like ours and are not: a misspelt setting is otherwise silently its default. */
export const unknownKeys = (given: readonly string[], known: readonly string[]): Finding[] => {
  const names = new Set(known);
  return given.flatMap((key) => {
    if (names.has(key) || key.length > 64) return [];
    const instead = former.get(key);
    if (instead !== undefined) return [{ key, problem: 'no setting any more', hint: `remove it; ${instead}` }];
    const guess = meant(key, known);
    if (guess === null && !key.startsWith('CAMPUS_')) return [];
    const hint = guess === null ? 'remove it; no setting has this name' : `write ${guess} if that was meant`;
    return [{ key, problem: 'no setting of this name', hint }];
  });
};
