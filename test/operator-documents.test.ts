import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { help } from '../src/cli/run.ts';
import { settingsByKey } from '../src/config/schema.ts';
import { startGateway } from './support/gateway-rig.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const operations = read('docs/run/operations.md');
const firstHour = read('docs/run/first-hour.md');
const documents = [
  'docs/run/operations.md',
  'docs/run/first-hour.md',
  'docs/run/upgrade.md',
  'docs/run/threat-model.md',
  'docs/SECURITY.md',
  'docs/use/errors.md',
  'docs/use/quick-start.md',
];

/** First groups of all matches, each once. */
const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, group = '']) => group)),
];

describe('the documents for operators', () => {
  it.each(documents)('name only programs that exist: %s', (path) => {
    const programs = all(read(path), /\bnode (src\/[\w./-]+)/g);
    expect(programs.filter((program) => !existsSync(join(root, program)))).toEqual([]);
  });

  it.each(documents)('name only commands that there are: %s', (path) => {
    const lines = all(read(path), /```sh\n(.*?)```/gs).join('\n');
    const named = all(
      lines,
      /(?:^\s*|gateway |campus\.ts |")\bcampus(?:\.ts)? ([a-z][a-z-]+(?: (?:create|list|revoke|show|delete|reset)\b)?)/gm,
    );
    expect(named.filter((command) => !help.includes(`  campus ${command}`))).toEqual([]);
  });

  it('call `campus` alike everywhere, so that none looks at another database than the service', () => {
    const texts = globSync(['docs/run/*.md', 'docs/zh/*.md', 'docs/use/*.md', 'README.md'], { cwd: root });
    // The crontab runs inside the container, whose environment is that of the service.
    const other = texts.flatMap((path) =>
      all(read(path), /^(.*\bsrc\/cli\/campus\.ts\b.*)$/gm).filter((line) => !line.includes('docker compose exec')),
    );
    expect(other).toEqual([]);
  });

  it('hold no remark in a block to paste, which zsh takes for a command', () => {
    const texts = globSync(['docs/run/*.md', 'docs/zh/*.md', 'docs/use/*.md', 'README.md'], { cwd: root });
    const blocks = texts.flatMap((path) => all(read(path), /^ *```sh\n(.*?)^ *```/gms));
    expect(blocks.length).toBeGreaterThan(40);
    expect(blocks.flatMap((block) => all(block, /^((?:.*\s)?#.*)$/gm))).toEqual([]);
  });

  it('give first lines that a shell takes, with files that exist, in less than 900 words', () => {
    expect(firstHour.split(/\s+/).length).toBeLessThan(900);
    const blocks = all(firstHour, /```sh\n(.*?)```/gs);
    expect(blocks.length).toBeGreaterThan(7);
    expect(spawnSync('sh', ['-n'], { input: blocks.join('') }).status).toBe(0);
    const files = blocks.flatMap((block) => all(block, /(?<![\w/])((?:docs\/deploy|src)\/[\w./-]+|\.env\.example)/g));
    expect(files).toContain('docs/deploy/campus-backup.timer');
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const units = all(blocks.join(''), /\b(campus-[\w-]+\.(?:service|timer))/g);
    expect(units.filter((unit) => !existsSync(join(root, 'docs/deploy', unit)))).toEqual([]);
    // An alert leads to a page that a browser can open.
    const [line = ''] = all(firstHour, /^(sed .*alerts\.yml) >/gm);
    const env = { ...process.env, REPOSITORY: 'https://git.example.edu/campus-gateway.git' };
    const rules = spawnSync('sh', ['-c', line], { cwd: root, env, encoding: 'utf8' }).stdout;
    const pages = all(rules, /runbook_url: (\S+)/g);
    expect(pages.length).toBeGreaterThan(10);
    const begin = 'https://git.example.edu/campus-gateway/blob/HEAD/docs/run/alerts.md#';
    expect(pages.filter((page) => !page.startsWith(begin))).toEqual([]);
    // Both replicas of the scrape example become the one service of this machine.
    const [program = ''] = all(firstHour, /^sed '(.*)' docs/gm);
    const scrape = spawnSync('sed', [program, join(root, 'docs/deploy/prometheus/scrape.yml')], { encoding: 'utf8' });
    expect(all(scrape.stdout, /- (\S+:\d+)/g)).toEqual(['127.0.0.1:3000']);
  });

  it('name only real settings', () => {
    const words = all(operations, /`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g);
    expect(words).toContain('TRUSTED_PROXIES');
    const ofCompose = ['COMPOSE_PROFILES', 'TLS_DIR', 'STOP_GRACE_PERIOD'];
    const notSettings = [...ofCompose, 'OLDER_SCHEMA', 'NO_ROOM_TO_COPY', 'UNKNOWN_SCHEMA', 'SQLITE_TMPDIR'];
    expect(words.filter((word) => !settingsByKey.has(word)).toSorted()).toEqual(notSettings.toSorted());
  });

  it('name exactly the metrics that there are', async () => {
    const gateway = await startGateway({ env: { METRICS: 'on' } });
    const { text } = await gateway.b('GET', '/metrics');
    await gateway.close();
    const there = all(text, /^# TYPE (campus_\w+) /gm);
    expect(all(operations, /`(campus_\w+)(?:\{[^}]*\})?`/g).toSorted()).toEqual(there.toSorted());
    expect(text).toContain('# TYPE nodejs_eventloop_lag_p99_seconds ');
  });

  it('name only log lines that the sources write', () => {
    const sources = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');
    const table = operations.slice(operations.indexOf('| `msg` |'), operations.indexOf('All lines of a call'));
    const messages = table
      .split('\n')
      .slice(2)
      .flatMap((row) => all(row.split('|')[1] ?? '', /`([^`]+)`/g));
    expect(messages.length).toBeGreaterThan(8);
    expect(messages.filter((message) => !sources.includes(`'${message}'`))).toEqual([]);
  });
});
