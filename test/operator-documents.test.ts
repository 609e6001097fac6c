import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsByKey } from '../src/config/schema.ts';
import { startGateway } from './support/gateway-rig.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const operations = read('docs/run/operations.md');
const documents = [
  'docs/run/operations.md',
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

  it('name only real settings', () => {
    const words = all(operations, /`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g);
    expect(words).toContain('TRUSTED_PROXIES');
    const ofCompose = ['COMPOSE_PROFILES', 'TLS_DIR', 'STOP_GRACE_PERIOD'];
    const notSettings = [...ofCompose, 'OLDER_SCHEMA', 'NO_ROOM_TO_COPY', 'UNKNOWN_SCHEMA', 'SQLITE_TMPDIR'];
    expect(words.filter((word) => !settingsByKey.has(word))).toEqual(notSettings);
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
