import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `tools/publication.ts [plan|notes]`: what the workflow of a tag publishes, or the notes of the release.
 *
 * A fork says where it lives in package.json and nowhere else: `repository`, `bugs`, `homepage`, and in `config` the scope of the
 * client at npm and the registry of the image. What is empty is not published, and nothing links there.
 */

export interface Publication {
  readonly version: string;
  readonly repository: string;
  readonly bugs: string;
  readonly homepage: string;
  /** As `@example`; empty: the name alone. */
  readonly npmScope: string;
  /** Host and path that `/campus-gateway` follows. */
  readonly imageRegistry: string;
}

export const publicationOf = (root: string): Publication => {
  const { version, repository, bugs, homepage, config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { version, repository, bugs, homepage, ...config };
};

/** What is published for a tag of the repository at this address, and why something is not. */
export const planOf = (
  { version, repository, imageRegistry }: Publication,
  { address, tag }: { readonly address: string; readonly tag: string },
): { readonly outputs: Readonly<Record<'publish' | 'image', string>>; readonly reasons: readonly string[] } => {
  const none = (reason: string) => ({
    outputs: { publish: '', image: '' },
    reasons: [`nothing is published: ${reason}`],
  });
  if (repository === '') return none('`repository` in package.json is empty');
  if (repository !== address) return none(`\`repository\` in package.json is ${repository}, and this is ${address}`);
  if (tag !== `v${version}`) return none(`the tag is ${tag}, and package.json says ${version}`);
  if (version.endsWith('-dev')) return none(`${version} is no release`);
  const noImage = '`config.imageRegistry` in package.json is empty: no image is published';
  return {
    outputs: { publish: 'yes', image: imageRegistry && `${imageRegistry}/campus-gateway:${version}` },
    reasons: imageRegistry === '' ? [noImage] : [],
  };
};

/** @throws Error when the changelog has no such section */
export const notesOf = (changelog: string, version: string): string => {
  const sections = changelog.split(/^(?=## )/m);
  const found = sections.find((section) => section.startsWith(`## ${version} `));
  if (found === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  return `${found.slice(found.indexOf('\n')).trim()}\n`;
};

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const publication = publicationOf(root);
  if (process.argv[2] === 'notes') {
    process.stdout.write(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), publication.version));
  } else {
    const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_REF_NAME: tag = '', GITHUB_OUTPUT } = process.env;
    const { outputs, reasons } = planOf(publication, { address: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, tag });
    const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
    if (GITHUB_OUTPUT !== undefined) appendFileSync(GITHUB_OUTPUT, lines.join(''));
    // What the forge shows on the page of the run.
    for (const reason of reasons) process.stdout.write(`::notice::${reason}\n`);
    process.stdout.write(lines.join(''));
  }
}
