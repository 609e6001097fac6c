import type { ImageUse } from './types.ts';

/** How many uploads of a student are kept within a window. What fails, or is stored already, does not count. */
export const uploadLimit = { most: 20, windowMs: 3_600_000 } as const;

/** How many images of a student wait for an update to name them: an avatar, and two backgrounds for each of two modes. */
export const stagedAtOnce: Readonly<Record<ImageUse, number>> = { avatar: 1, background: 4 };
