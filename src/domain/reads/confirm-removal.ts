/** Two readings so far apart that say the same are not one bad night. */
const AGREEMENT_MS = 12 * 3_600_000;

interface Vanished {
  /** The first reading that did not have it, epoch ms. */
  readonly since: number;
  /** Another one, long enough after that, agrees. */
  readonly agreed: boolean;
}

/** An item is gone only once two readings agree. `since`: as the readings before left it; null: they had it. */
export const confirmRemoval = (since: number | null, readAt: number): Vanished => {
  // A moment from before a clock was set back would make it wait until that time.
  const first = since === null ? readAt : Math.min(since, readAt);
  return { since: first, agreed: readAt - first >= AGREEMENT_MS };
};
