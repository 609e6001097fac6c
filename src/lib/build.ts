import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The build that runs. `unknown` where neither an image nor a clone says it. */
export interface Build {
  readonly version: string;
  /** Commit. */
  readonly revision: string;
  /** `YYYY-MM-DD`, of the commit or of the image. */
  readonly date: string;
}

const root = join(import.meta.dirname, '../..');

/** Where the project lives. A fork sets these in package.json and nowhere else; what is empty is linked nowhere. */
export interface Project {
  readonly repository: string;
  /** Where to ask, and to report what is wrong. */
  readonly bugs: string;
}

const named: Project & { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const { version } = named;
export const project: Project = { repository: named.repository, bugs: named.bugs };

const ofClone = async (): Promise<readonly [revision?: string | undefined, date?: string | undefined]> => {
  if (!existsSync(join(root, '.git'))) return [];
  try {
    // A clone that root made is run by another user, to whom git would say nothing.
    const args = ['-c', `safe.directory=${root}`, 'log', '-1', '--format=%H %cs'];
    const asked = promisify(execFile)('git', args, { cwd: root, timeout: 2_000 });
    const [revision, date] = (await asked).stdout.trim().split(' ');
    return [revision, date];
  } catch {
    return [];
  }
};

/** `1.1.0-dev (1a2b3c4)`, for the line that greets. */
export const shortBuild = ({ version, revision }: Build): string => `${version} (${revision.slice(0, 7)})`;

/** An image states its build in the environment; a clone is asked. */
export const buildOf = async (environment: Readonly<Record<string, string | undefined>>): Promise<Build> => {
  const { BUILD_REVISION: given, BUILD_DATE: day } = environment;
  const [revision, date] = given ? [given, day] : await ofClone();
  // An image may say the hour as well.
  return { version, revision: revision || 'unknown', date: date?.slice(0, 10) || 'unknown' };
};
