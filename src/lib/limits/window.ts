/** How many there may be within a while, whenever the while begins. */
export interface WindowLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** The moments in the window that ends now. */
export const within = (moments: readonly number[], windowMs: number, now: number): number[] =>
  moments.filter((at) => at > now - windowMs);

/** Milliseconds until there is room for one more, at most the window: after the clock was set back moments lie ahead. */
export const msUntilFree = (moments: readonly number[], { most, windowMs }: WindowLimit, now: number): number => {
  const counted = within(moments, windowMs, now).sort((a, b) => a - b);
  const leaving = counted[counted.length - most];
  return leaving === undefined ? 0 : Math.min(leaving + windowMs - now, windowMs);
};

/** For the `Retry-After` of a refusal. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
