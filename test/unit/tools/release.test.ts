import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterAllTests, workingDirectory } from '../../support/service-process.ts';
import { hasTools, needsTools } from '../../support/tools.ts';

const root = join(import.meta.dirname, '../../..');

/** A separate clone that a release may be made in: the files of this folder as they are, committed. */
describe.skipIf(!hasTools)(`npm run release (${needsTools})`, () => {
  const atEnd = afterAllTests();
  let clone = '';
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.edu', ...args], { cwd: clone });
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release.ts', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const read = (path: string) => readFileSync(join(clone, path), 'utf8');

  beforeAll(() => {
    clone = workingDirectory(atEnd);
    const files = spawnSync(
      'sh',
      [
        '-c',
        'git ls-files -z -co --exclude-standard 2>/dev/null || find . -type f -not -path "*/node_modules/*" -print0',
      ],
      { cwd: root },
    );
    const list = files.stdout
      .toString()
      .split('\0')
      .filter((name) => name !== '' && !name.startsWith('test/'));
    const packed = spawnSync('tar', ['-c', '--ignore-failed-read', '-T', '-'], {
      cwd: root,
      input: list.join('\n'),
      maxBuffer: 2 ** 28,
    });
    spawnSync('tar', ['-x', '-C', clone], { input: packed.stdout });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    symlinkSync(join(root, 'tools/node_modules'), join(clone, 'tools/node_modules'));
    // A fork has set them.
    const manifest = { ...JSON.parse(read('package.json')), repository: '', bugs: '', homepage: '' };
    writeFileSync(join(clone, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    // Right after a release nothing stands there.
    const changelog = read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\nSomething new.\n');
    writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
    spawnSync('git', ['init', '-q', '-b', 'main'], { cwd: clone });
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'everything');
  }, 120_000);

  it.each([
    [['1.0'], 2, 'Usage'],
    [['1.1.0', 'now'], 2, 'Usage'],
    [['0.9.9'], 1, 'is not newer than'],
    [[JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version], 1, 'is not newer than'],
    [['2.0.0-rc'], 2, 'Usage'],
    [['v2.0.0'], 2, 'Usage'],
  ])('%j is refused and changes nothing', (args, code, why) => {
    const { status, stderr } = release(...args);
    expect([status, stderr]).toEqual([code, expect.stringContaining(why)]);
    expect(git('status', '--porcelain').stdout.toString()).toBe('');
  });

  it('refuses a clone with changes, and a version that has a tag', () => {
    writeFileSync(join(clone, 'mine.txt'), 'x');
    expect(release('9.8.7').stderr).toContain('not committed');
    spawnSync('rm', ['mine.txt'], { cwd: clone });
    git('tag', 'v9.8.7');
    expect(release('9.8.7').stderr).toContain('there is a tag v9.8.7 already');
    git('tag', '-d', 'v9.8.7');
  });

  it('names the version wherever it stands, dates the changelog, builds the client, and prints what to push', () => {
    const before: string = JSON.parse(read('package.json')).version;
    const { status, stdout, stderr } = release('9.8.7');
    expect([status, stderr]).toEqual([0, '']);
    for (const path of ['package.json', 'clients/typescript/package.json'])
      expect(JSON.parse(read(path)).version).toBe('9.8.7');
    const { version, packages } = JSON.parse(read('package-lock.json'));
    expect([version, packages[''].version, packages['clients/typescript'].version]).toEqual([
      '9.8.7',
      '9.8.7',
      '9.8.7',
    ]);
    expect(JSON.parse(read('docs/reference/openapi.json')).info.version).toBe('9.8.7');
    for (const path of [
      'Dockerfile',
      'compose.yaml',
      'compose.demo.yaml',
      'docs/deploy/kubernetes.yaml',
      'docs/use/quick-start.md',
      'src/pages/docs/manuals/quick-start.en.html',
    ])
      expect([path, read(path).includes('9.8.7'), read(path).includes(before)]).toEqual([path, true, false]);
    expect(stdout).toContain('`repository` in package.json is empty: the workflows publish nothing');
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 9\.8\.7 - 20\d\d-\d\d-\d\d\n\n\S/m);
    expect(readdirSync(join(clone, 'release'))).toEqual(['campus-gateway-client-9.8.7.tgz']);
    const inside = spawnSync('tar', ['-tf', 'release/campus-gateway-client-9.8.7.tgz'], {
      cwd: clone,
    }).stdout.toString();
    expect(inside).toContain('package/dist/index.js');
    for (const line of ['git tag -a v9.8.7', '--build-arg REVISION=', 'npm publish release/', 'image.version=9.8.7'])
      expect(stdout).toContain(line);
    const touched = git('diff', '--numstat').stdout.toString().trim().split('\n');
    // The version and nothing else: a package that happens to have the same one keeps its own.
    const lock = touched.find((line) => line.endsWith('package-lock.json'));
    expect(lock).toMatch(/^3\t3\t/);
    git('commit', '-aqm', 'release');
    git('tag', 'v9.8.7');
  }, 120_000);

  it('begins the next version afterwards, which then is released without being named', () => {
    expect(release('9.9.0-dev')).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(read('package.json')).version).toBe('9.9.0-dev');
    expect(read('compose.yaml')).toContain('image: campus-gateway:9.9.0-dev\n');
    expect(git('diff', '--stat', '--', 'CHANGELOG.md').stdout.toString()).toBe('');
    git('commit', '-aqm', 'next');
    const changelog = read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\nSomething.\n');
    writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
    git('commit', '-aqm', 'something');
    expect(release()).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(read('package.json')).version).toBe('9.9.0');
    expect(read('CHANGELOG.md')).toMatch(/^## 9\.9\.0 - .*\n\nSomething\.$/m);
    expect(readdirSync(join(clone, 'release'))).toContain('campus-gateway-client-9.9.0.tgz');
    git('checkout', '-q', '.');
  }, 120_000);

  it('publishes the client under the scope and with the repository that package.json names', () => {
    const repository = 'https://git.example.edu/gateway';
    const manifest = {
      ...JSON.parse(read('package.json')),
      repository,
      config: { npmScope: '@example', imageRegistry: '' },
    };
    writeFileSync(join(clone, 'package.json'), JSON.stringify(manifest));
    const made = spawnSync(process.execPath, ['tools/client-package.ts', 'release'], { cwd: clone, encoding: 'utf8' });
    expect([made.stdout, made.stderr]).toEqual(['example-campus-gateway-client-9.9.0-dev.tgz\n', '']);
    const packed = spawnSync('tar', ['-xOf', `release/${made.stdout.trim()}`, 'package/package.json'], { cwd: clone });
    const published = JSON.parse(packed.stdout.toString());
    expect(published).toMatchObject({ name: '@example/campus-gateway-client', repository: { url: repository } });
    expect(published).not.toHaveProperty('bugs');
    expect(published).not.toHaveProperty('scripts');
  }, 120_000);
});
