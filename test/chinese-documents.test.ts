import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { help } from '../src/cli/run.ts';
import { settingsByKey } from '../src/config/schema.ts';
import { secretFileKeys } from '../src/config/secrets.ts';
import { startGateway } from './support/gateway-rig.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = globSync('docs/zh/*.md', { cwd: root }).toSorted();

/** First groups of all matches, each once. */
const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, group = '']) => group)),
];
/** The code of a text, in lines and blocks. */
const codeIn = (text: string): string => all(text, /(```\w*\n.*?```|`[^`\n]+`)/gs).join('\n');

describe('the Chinese documents', () => {
  it('are these, linked from the first line of the README and back', () => {
    expect(documents).toHaveLength(16);
    expect(read('README.md').split('\n')[0]).toBe('[中文](docs/zh/README.md)');
    for (const path of documents) {
      const [, back = ''] = /^\[English\]\(([^)#]+)/.exec(read(path)) ?? [];
      expect(basename(back)).toBe(basename(path));
    }
  });

  it.each(documents)('link only to headings that there are: %s', (path) => {
    const anchorsOf = (file: string) =>
      all(read(file), /^#+ (.+)$/gm).map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const links = [...read(path).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)];
    const broken = links.filter(([, file = '', anchor = '']) => {
      const target = file === '' ? path : join(dirname(path), file);
      return !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  // A reader who compares, or who looks the same place up, finds the same rows, recipes and sections in the same order.
  it.each(['errors', 'freshness'])('have the rows of the English one, each once and in its order: %s', (name) => {
    const shapeOf = (path: string): string[] =>
      read(path)
        .split('\n')
        .flatMap((line) => {
          if (line.startsWith('## ')) return ['section'];
          if (line.startsWith('curl ')) return [line];
          if (!line.startsWith('| ')) return [];
          const [, first = ''] = line.split('|');
          const words = [...first.matchAll(/`[^`]+`|\d{3}/g)].map(([word]) => word);
          return [`row ${words.filter((word) => word !== '`code`' && word !== '`Retry-After`').join(' ')}`];
        });
    expect(shapeOf(`docs/zh/${name}.md`)).toEqual(shapeOf(`docs/use/${name}.md`));
  });

  it('have every code, with its status and message, and every kind of failure', () => {
    const codes = (text: string) =>
      text
        .split('\n')
        .filter((line) => /^\| `[A-Z_]+` \| \d/.test(line))
        .map((line) => line.split('|').slice(1, 4).join('|'));
    const kinds = (text: string) => all(text, /^\| `([a-z]+(?:-[a-z]+)*)` \|/gm);
    const [english, chinese] = [read('docs/use/errors.md'), read('docs/zh/errors.md')];
    expect(codes(english).length).toBeGreaterThan(30);
    expect(codes(chinese)).toEqual(codes(english));
    expect(kinds(english).length).toBeGreaterThan(40);
    expect(kinds(chinese)).toEqual(kinds(english));
    const reasons = (text: string) => all(text, /^\| `([a-z]+_[a-z_]+)` \|/gm);
    expect(reasons(english)).toContain('outcome_unknown');
    expect(reasons(chinese)).toEqual(reasons(english));
  });

  it('have the directives of reads', () => {
    const directives = (text: string) => codeIn(text).match(/\b(?:max-age|max-stale|[a-z]+-if-[a-z]+|no-[a-z]+)\b/g);
    const [english, chinese] = [read('docs/use/freshness.md'), read('docs/zh/freshness.md')];
    expect([...new Set(directives(chinese))].toSorted()).toEqual([...new Set(directives(english))].toSorted());
  });

  it.each(documents)('quote only commands and settings that there are: %s', (path) => {
    const code = codeIn(read(path));
    const { scripts } = JSON.parse(read('package.json'));
    const run = [...all(code, /\bnpm run ([\w:-]+)/g), ...all(code, /\bnpm (start|test)\b/g)];
    expect(run.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    const commands = all(code, /(?:campus\.ts|npm run campus --) ([a-z-]+(?: (?:create|list|revoke|delete))?)/g);
    expect(commands.filter((command) => !help.includes(`  campus ${command}`))).toEqual([]);
    const words = all(code, /\b([A-Z]+(?:_[A-Z]+)+)\b/g);
    const codes = all(read('docs/use/errors.md'), /`([A-Z]+(?:_[A-Z]+)*)`/g);
    const others = [
      'COMPOSE_PROFILES',
      'TLS_DIR',
      'OLDER_SCHEMA',
      'NO_ROOM_TO_COPY',
      'UNKNOWN_SCHEMA',
      'NODE_EXTRA_CA_CERTS',
    ];
    const known = new Set([...settingsByKey.keys(), ...secretFileKeys.keys(), ...codes, ...others]);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });

  // One word for each thing, in the documents and on the pages that are served. Messages of the interface are fixed.
  const pages = globSync('src/pages/{.,*}/*.*', { cwd: root });
  it.each([
    ['校园系统', /学校系统|校方系统/],
    ['缓存副本', /拷贝|本地副本/],
    ['运营者', /运维方|运维者/],
    ['你', /您/],
  ] as const)('name one thing by one word: %s', (word, others) => {
    expect([...documents, ...pages].filter((path) => others.test(read(path)))).toEqual([]);
    expect(documents.some((path) => read(path).includes(word))).toBe(true);
  });

  it('start with calls that succeed as they stand', async ({ skip }) => {
    skip(spawnSync('curl', ['--version']).status !== 0, 'needs curl');
    const start = read('docs/zh/quick-start.md');
    const section = start.slice(start.indexOf('## 第一次调用'), start.indexOf('## 校园系统停机时'));
    const gateway = await startGateway();
    const program = all(section, /```sh\n(.*?)```/gs)
      .join('')
      .replace('http://127.0.0.1:3000', gateway.url);
    // Each call on a separate line.
    const { stdout } = await run('sh', ['-c', program.replaceAll(/^(curl .*)$/gm, '$1; echo')]);
    await gateway.close();
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ success, code }) => success ?? code)).toEqual([true, true, true, 200, 200]);
  });
});
