import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { publicationOf } from './publication.ts';

/**
 * `tools/client-package.ts FOLDER`: builds the tarball of the TypeScript client that is published, and prints its name.
 * Where it lives and under which scope stands in package.json of the project.
 */

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The manifest that is published: npm proves where a package was built by comparing `repository` with the workflow. */
const manifestOf = (root: string): Record<string, unknown> => {
  const { scripts: _, ...manifest } = readJson(join(root, 'clients/typescript/package.json'));
  const { repository, bugs, homepage, npmScope: scope } = publicationOf(root);
  const named = Object.entries({
    repository: repository && { type: 'git', url: repository, directory: 'clients/typescript' },
    bugs,
    homepage,
  }).filter(([, value]) => value !== '');
  const name = scope === '' ? manifest.name : `${scope}/${manifest.name}`;
  return {
    ...manifest,
    name,
    ...Object.fromEntries(named),
    ...(scope === '' ? {} : { publishConfig: { access: 'public' } }),
  };
};

export const packClient = (root: string, into: string): string => {
  const client = join(root, 'clients/typescript');
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  npm(root, 'run', '-s', 'build', '-w', 'clients/typescript');
  const folder = mkdtempSync(join(tmpdir(), 'campus-client-'));
  try {
    for (const part of ['dist', 'README.md', 'LICENSE'])
      cpSync(join(client, part), join(folder, part), { recursive: true });
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
    mkdirSync(join(root, into), { recursive: true });
    return npm(folder, 'pack', '--silent', '--pack-destination', resolve(root, into)).split('\n').at(-1) ?? '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [into = 'release'] = process.argv.slice(2);
  process.stdout.write(`${packClient(join(import.meta.dirname, '..'), into)}\n`);
}
