/** Two readings so far apart that say the same are not one bad night. */
const AGREEMENT_MS = 12 * 3_600_000;

interface Vanished {
  /** The first reading that did not have it, epoch ms. */
  readonly since: number;
  /** Another one, long enough after that, agrees. */
  readonly agreed: boolean;
}

/**
 * A thing that a reading lacks and an earlier one had is believed to be gone only once two agree. `since`: as the
 * readings before left it; null: they had it.
 */
export const confirmRemoval = (since: number | null, readAt: number): Vanished => {
  // A moment that was noted before a clock was set back would make it wait until that time came.
  const first = since === null ? readAt : Math.min(since, readAt);
  return { since: first, agreed: readAt - first >= AGREEMENT_MS };
};
