/** One number for each of two sides, measured one right after the other. */
export interface Pair {
  readonly bare: number;
  readonly ours: number;
}

export interface Settled {
  readonly pairs: readonly Pair[];
  /** Rounds before the ratio stood still, or were given up. */
  readonly warmUp: number;
  readonly isSettled: boolean;
}

const LEAST_WARM_UP = 4;
const MOST_WARM_UP = 14;
/** The ratio stands still when the last rounds differ by less than this share of it. */
const STILL = 0.06;
const LOOKED_AT = 3;

const ratioOf = ({ bare, ours }: Pair): number => bare / ours;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

const isStill = (pairs: readonly Pair[]): boolean => {
  const ratios = pairs.slice(-LOOKED_AT).map(ratioOf);
  return Math.max(...ratios) - Math.min(...ratios) < STILL * median(ratios);
};

/**
 * Measures both sides in turn, in short rounds, so that other load of the machine meets both alike; who goes first
 * changes with each round. Rounds count from the moment at which their ratio stands still.
 */
export const alternate = async (
  rounds: number,
  measure: { readonly bare: () => Promise<number>; readonly ours: () => Promise<number> },
): Promise<Settled> => {
  const pairs: Pair[] = [];
  const round = async (): Promise<void> => {
    if (pairs.length % 2 === 0) {
      const bare = await measure.bare();
      pairs.push({ bare, ours: await measure.ours() });
    } else {
      const ours = await measure.ours();
      pairs.push({ bare: await measure.bare(), ours });
    }
  };
  while (pairs.length < LEAST_WARM_UP || (!isStill(pairs) && pairs.length < MOST_WARM_UP)) await round();
  const warmUp = pairs.length;
  const isSettled = isStill(pairs);
  for (let i = 0; i < rounds; i += 1) await round();
  return { pairs: pairs.slice(warmUp), warmUp, isSettled };
};

/** `0.61 (0.59 – 0.63)`: median and spread. */
export const medianAndSpread = (values: readonly number[], digits: number): string => {
  const shown = (value: number) => value.toFixed(digits);
  return `${shown(median(values))} (${shown(Math.min(...values))} – ${shown(Math.max(...values))})`;
};

export const ratios = (pairs: readonly Pair[]): number[] => pairs.map(ratioOf);
