import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

it('docs/sbom.json has every package that runs in production, with a checksum and a licence', () => {
  const lock: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
  const running = Object.entries(lock.packages)
    // A folder of the project itself is in the lock file by its own path, and as a link.
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const { components } = JSON.parse(read('docs/sbom.json'));
  const listed = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`);
  expect(listed.toSorted()).toEqual([...new Set(running)].toSorted());
  for (const { hashes, licenses } of components) {
    expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    expect(licenses).not.toEqual([]);
  }
});

it('docs/sbom.json holds nothing that differs from run to run, and no address', () => {
  expect(read('docs/sbom.json')).not.toMatch(/serialNumber|timestamp|https?:/);
});

it('docs/licences.md names every package', () => {
  const { components } = JSON.parse(read('docs/sbom.json'));
  const list = read('docs/licences.md');
  for (const { name, version } of components) expect(list).toContain(`\n- ${name} ${version}\n`);
});
