import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const mountAt = (folder: string, size: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC';

export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
}

/** Whether this machine lets tests mount a disk: on Linux, for root. */
export const mayMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-mount-'));
  try {
    if (!mountAt(folder, '64k')) return false;
    execFileSync('umount', [folder]);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

/** A disk with a little room, until the test is finished. */
export const smallDisk = (size: string): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-disk-'));
  if (!mountAt(folder, size)) throw new Error('no disk could be mounted');
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const filling = (at: number): string => join(folder, `filling-${at}`);
  let files = 0;
  return {
    folder,
    fill() {
      // A piece that finds no room is written in part, so the last ones are small.
      for (const piece of [65_536, 4_096, 1]) {
        try {
          for (;;) {
            files += 1;
            writeFileSync(filling(files), Buffer.alloc(piece, 1));
          }
        } catch (error) {
          if (!isFull(error)) throw error;
        }
      }
    },
    free() {
      for (; files > 0; files -= 1) rmSync(filling(files), { force: true });
    },
  };
};
