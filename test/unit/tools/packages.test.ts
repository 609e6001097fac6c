import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../../support/import-rules.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
}

it('docs/reference/sbom.json has every package that runs in production, with a checksum and a licence', () => {
  const lock: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
  const running = Object.entries(lock.packages)
    // A folder of the project itself is in the lock file by its own path, and as a link.
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const { components } = JSON.parse(read('docs/reference/sbom.json'));
  const listed = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`);
  expect(listed.toSorted()).toEqual([...new Set(running)].toSorted());
  for (const { hashes, licenses } of components) {
    expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    expect(licenses).not.toEqual([]);
  }
});

it('docs/reference/sbom.json holds nothing that differs from run to run, and no address', () => {
  expect(read('docs/reference/sbom.json')).not.toMatch(/serialNumber|timestamp|https?:/);
});

it('docs/reference/licences.md names every package', () => {
  const { components } = JSON.parse(read('docs/reference/sbom.json'));
  const list = read('docs/reference/licences.md');
  for (const { name, version } of components) expect(list).toContain(`\n- ${name} ${version}\n`);
});

describe.each(['package-lock.json', 'tools/package-lock.json'])('%s', (path) => {
  it('has a checksum of every package, and no address of a registry', () => {
    const { packages }: { packages: Record<string, Locked> } = JSON.parse(read(path));
    const installed = Object.entries(packages).filter(([name, { link }]) => name.includes('node_modules/') && !link);
    expect(installed.length).toBeGreaterThan(100);
    for (const [name, { integrity }] of installed) expect([name, integrity]).toEqual([name, expect.any(String)]);
    expect(read(path)).not.toMatch(/"resolved": "\w+:/);
  });
});

it('npm ci installs at most 200 packages, and 130 of them without those for development', () => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
  const all = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);
  // Of the optional ones, which are builds for platforms, one or two of a kind are installed.
  expect(all.filter(([, { optional }]) => !optional).length).toBeLessThanOrEqual(197);
  expect(all.filter(([, { dev, optional }]) => !dev && !optional).length).toBeLessThanOrEqual(130);
});

it('what the sources and the tests import is installed by npm ci, and what the sources import without --omit=dev too', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const imported = (pattern: string): Set<string> =>
    new Set(
      globSync(pattern, { cwd: root })
        .flatMap((path) => importsOf(path, read(path)))
        .map(({ specifier }) => specifier)
        .filter((specifier) => /^@?[a-z](?!ode:)/.test(specifier))
        .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')),
    );
  const missing = (pattern: string, known: object) =>
    [...imported(pattern)].filter((name) => !Object.hasOwn(known, name));
  // Only for a terminal, and done without where it is missing.
  expect(missing('src/**/*.ts', { ...dependencies, 'pino-pretty': true })).toEqual([]);
  expect(missing('test/**/*.ts', { ...dependencies, ...devDependencies, 'campus-gateway-client': true })).toEqual([]);
});
