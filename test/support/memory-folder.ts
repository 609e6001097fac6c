import { accessSync, constants, statfsSync } from 'node:fs';

/** Where Linux keeps files in memory. */
const folder = '/dev/shm';
/** More than all databases of a run take at once; a container may have 64 MB and no more. */
const neededBytes = 1_000_000_000;

const isFit = (): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
};

/**
 * Temporary folders of the tests lie in memory where there is room. What they write is thrown away, so to wait for a disk
 * at each commit of each database would prove nothing.
 */
export const setup = (): void => {
  if (isFit()) process.env.TMPDIR = folder;
};
