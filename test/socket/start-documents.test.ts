import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('the checked-in documents are those that the sources give', async () => {
  const run = promisify(execFile)(process.execPath, [join(root, 'tools/documents.ts'), '--check']);
  await expect(run).resolves.toEqual({ stdout: '', stderr: '' });
});
