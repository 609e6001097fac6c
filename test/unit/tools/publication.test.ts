import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notesOf, planOf } from '../../../tools/publication.ts';

const root = join(import.meta.dirname, '../../..');
const address = 'https://git.example.edu/campus-gateway';
const set = {
  version: '1.1.0',
  repository: address,
  bugs: '',
  homepage: '',
  npmScope: '',
  imageRegistry: 'images.example.edu/campus',
};
const pushed = { address, tag: 'v1.1.0' };

describe('what a tag publishes', () => {
  it('is the image and the client, where package.json says where', () => {
    const outputs = { publish: 'yes', image: 'images.example.edu/campus/campus-gateway:1.1.0' };
    expect(planOf(set, pushed)).toEqual({ outputs, reasons: [] });
  });

  it.each([
    ['no repository is set', { ...set, repository: '' }, pushed, 'is empty'],
    [
      'a copy still names the one it was made of',
      set,
      { ...pushed, address: 'https://git.example.edu/copy' },
      'and this is',
    ],
    ['the tag is that of another version', set, { ...pushed, tag: 'v1.0.9' }, 'package.json says 1.1.0'],
    ['the version is none', { ...set, version: '1.2.0-dev' }, { ...pushed, tag: 'v1.2.0-dev' }, 'no release'],
  ])('is nothing, with the reason, where %s', (_, publication, tag, reason) => {
    const { outputs, reasons } = planOf(publication, tag);
    expect(outputs).toEqual({ publish: '', image: '' });
    expect(reasons.join()).toContain(reason);
  });

  it('has no image where no registry is set', () => {
    const { outputs, reasons } = planOf({ ...set, imageRegistry: '' }, pushed);
    expect([outputs, reasons.length]).toEqual([{ publish: 'yes', image: '' }, 1]);
  });

  it('has the section of the changelog as its notes', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\nNew.\n\n## 1.1.0 - 2026-12-01\n\n- One.\n\n## 1.0.0 - 2026-11-21\n\n- Old.\n';
    expect(notesOf(changelog, '1.1.0')).toBe('- One.\n');
    expect(() => notesOf(changelog, '1.2.0')).toThrow('no section 1.2.0');
  });
});

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root });

  it('run only what exists, and keep no credentials of the checkout', () => {
    expect(workflows.length).toBeGreaterThan(1);
    for (const path of workflows) {
      const text = readFileSync(join(root, path), 'utf8');
      for (const [program] of text.matchAll(/(?:tools\/[\w-]+\.ts|\.ci\/[\w-]+)/g)) readFileSync(join(root, program));
      expect(text.match(/uses: actions\/checkout/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
      expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    }
  });
});
