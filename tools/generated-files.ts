import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string;
  readonly make: () => Promise<string> | string;
}

const existing = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

/** The first line in which two texts differ, for people. */
const firstDifference = (held: string, made: string): string => {
  const [a, b] = [held.split('\n'), made.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  const line = at < 0 ? b.length : at;
  const show = (text: string | undefined) => (text === undefined ? '(nothing)' : text.slice(0, 200));
  return `  line ${line + 1}\n    is     ${show(a[line])}\n    should ${show(b[line])}`;
};

const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/**
 * Writes the files that differ, or with `check` only tells of them, which is exit code 1. `whole` are folders that hold
 * nothing else: what else is there is out of date.
 */
export const settleFiles = async (
  root: string,
  files: readonly GeneratedFile[],
  { check, whole = [] }: { readonly check: boolean; readonly whole?: readonly string[] },
): Promise<void> => {
  let stale = 0;
  const report = (problem: string): void => {
    stale += 1;
    process.stderr.write(problem);
  };
  for (const { path, make } of files) {
    const [file, made] = [join(root, path), await make()];
    const held = existing(file);
    if (held === made) continue;
    if (check) {
      report(`${path} does not match the sources:\n${firstDifference(held, made)}\n`);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, made);
    process.stdout.write(`${path} written\n`);
  }
  const generated = new Set(files.map(({ path }) => path));
  for (const path of whole.flatMap((folder) => filesBelow(root, folder)).filter((path) => !generated.has(path))) {
    if (check) report(`${path} follows from nothing any more.\n`);
    else rmSync(join(root, path));
  }
  if (stale > 0) {
    process.stderr.write('Run `npm run documents`, read the difference and commit it.\n');
    process.exitCode = 1;
  }
};
