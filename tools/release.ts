import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packClient } from './client-package.ts';
import { publicationOf } from './publication.ts';

/**
 * Writes the version wherever it stands, and prints what a person then commits, tags and pushes:
 *
 *   npm run release                   the version that package.json announces with `-dev`
 *   npm run release -- 2.0.0          another one
 *   npm run release -- 1.2.0-dev      afterwards: what is added from now on stands under that
 *
 * A release also dates the changelog and builds the client's tarball in `release/`. Nothing is changed unless everything is in
 * order; nothing leaves the machine.
 */

const root = process.cwd();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** @throws Error when the command fails, with what it said */
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const form = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(-dev)?$/;

/** `1.1.0` is newer than `1.1.0-dev`, which comes before it. */
const isNewer = (version: string, than: string): boolean => {
  const [a = [], b = []] = [version, than].map((text) => {
    const [, major, minor, patch, dev] = form.exec(text) ?? [];
    return [Number(major), Number(minor), Number(patch), dev === undefined ? 1 : 0];
  });
  const at = [0, 1, 2, 3].find((index) => a[index] !== b[index]);
  return at !== undefined && (a[at] ?? 0) > (b[at] ?? 0);
};

/** Where the version stands: what goes before it on its line. Every place must be there. */
const places: ReadonlyArray<readonly [path: string, before: string]> = [
  ['package.json', '^  "version": "'],
  [
    'package-lock.json',
    '^(?:  |      )"version": "(?=[^"]+",\\n(?: +"lockfileVersion"| +"license"| +"workspaces"| +"hasInstallScript"))',
  ],
  ['clients/typescript/package.json', '^  "version": "'],
  ['Dockerfile', 'image\\.version="'],
  ['compose.yaml', 'image: campus-gateway:'],
  ['compose.demo.yaml', 'image: campus-gateway:'],
  ['docs/deploy/kubernetes.yaml', 'image: campus-gateway:'],
  ['docs/use/quick-start.md', 'campus-gateway:'],
  // Rendered from it.
  ['src/pages/docs/manuals/quick-start.en.html', 'campus-gateway:'],
  ['docs/reference/openapi.json', '^    "version": "'],
];

const escaped = (text: string): string => text.replaceAll('.', '\\.');

const heading = /^## Unreleased\n+(?=\S)/m;

const fail = (problem: string): never => {
  process.stderr.write(`release: ${problem}; nothing was changed\n`);
  process.exit(1);
};

const present: string = JSON.parse(read('package.json')).version;
const [version = present.replace(/-dev$/, ''), ...surplus] = process.argv.slice(2);
if (!form.test(version) || surplus.length > 0) {
  process.stderr.write('Usage: npm run release [-- 1.1.0 | -- 1.2.0-dev]\n');
  process.exit(2);
}
const isRelease = !version.endsWith('-dev');
if (!isNewer(version, present)) fail(`${version} is not newer than ${present}`);
if (run('git', 'status', '--porcelain') !== '') fail('there are changes that are not committed');
if (run('git', 'tag', '--list', `v${version}`) !== '') fail(`there is a tag v${version} already`);
const changelog = read('CHANGELOG.md');
if (isRelease && (!heading.test(changelog) || /^## Unreleased\n+## /m.test(changelog)))
  fail('CHANGELOG.md says nothing under "## Unreleased"');

const changed = new Map<string, string>();
for (const [path, before] of places) {
  const text = read(path);
  const next = text.replace(
    new RegExp(`(${before})${escaped(present)}(?![\\w.-])`, 'gm'),
    (_, head: string) => `${head}${version}`,
  );
  if (next === text) fail(`${path} does not name ${present} where it should`);
  changed.set(path, next);
}
const day = new Date().toISOString().slice(0, 10);
if (isRelease) changed.set('CHANGELOG.md', changelog.replace(heading, `## Unreleased\n\n## ${version} - ${day}\n\n`));
for (const [path, text] of changed) writeFileSync(join(root, path), text);
const list = [...changed.keys()].map((path) => `changed  ${path}`).join('\n');

if (!isRelease) {
  process.stdout.write(`${list}\n\nLook at \`git diff\`, then:\n\ngit commit -am 'chore: ${version} begins'\n`);
  process.exit(0);
}

const tarball = packClient(root, 'release');
const image = `campus-gateway:${version}`;
const { repository } = publicationOf(root);
const whatPublishes =
  repository === ''
    ? '`repository` in package.json is empty: the workflows publish nothing. By hand, where you have a registry:'
    : 'The workflows publish the tag: image, client and notes. By hand:';

process.stdout.write(`${list}
made     release/${tarball}

Look at \`git diff\`, run \`npm run check\` and \`npm test\`, then:

git commit -am 'chore: release ${version}'
git tag -a v${version} -m 'Campus Gateway ${version}'
git push --follow-tags

${whatPublishes}

docker build -t ${image} --build-arg REVISION=$(git rev-parse HEAD) --build-arg DATE=$(git log -1 --format=%cI) .
docker push REGISTRY/${image}
npm publish release/${tarball}

Labels of the image: org.opencontainers.image.version=${version}, .revision and .created from the two arguments.
Then \`npm run release -- NEXT-dev\`, so that what is added does not call itself ${version}.
`);
