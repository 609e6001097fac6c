import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type AtEnd, workingDirectory } from './service-process.ts';

/** The commit that the previous release was made from. */
export const previousRelease = 'b94f49616ee957a92d74de5d5610e8784a8c167f';

const root = join(import.meta.dirname, '../..');

/**
 * A folder with the sources of the previous release and the packages of this one; null where history has no such commit. A
 * package that only that release needs is a dev dependency until the next one: `@fastify/helmet`.
 */
export const checkOutPreviousRelease = (atEnd: AtEnd): string | null => {
  const folder = workingDirectory(atEnd);
  const archive = spawnSync('git', ['archive', previousRelease, 'src', 'package.json'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (archive.status !== 0) return null;
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};
