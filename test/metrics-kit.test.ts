import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildOf, version } from '../src/lib/build.ts';
import { startGateway } from './support/gateway-rig.ts';

const root = join(import.meta.dirname, '..');
const kit = (name: string): string => join(root, 'docs/deploy/prometheus', name);
const read = (name: string): string => readFileSync(kit(name), 'utf8');

/** Skipped where Prometheus is not installed: `apt-get install prometheus`. */
const promtool = (args: readonly string[], input = '') => spawnSync('promtool', args, { input, encoding: 'utf8' });
const isMissing = (): boolean => promtool(['--version']).status !== 0;

const metricsOf = async (): Promise<string> => {
  const gateway = await startGateway({ env: { METRICS: 'on' } });
  const { text } = await gateway.b('GET', '/metrics');
  await gateway.close();
  return text;
};

describe('the metrics kit', () => {
  it('has alert rules that Prometheus reads', ({ skip }) => {
    skip(isMissing(), 'needs promtool');
    const { status, stdout, stderr } = promtool(['check', 'rules', kit('alerts.yml')]);
    expect({ status, stdout: stdout.trim(), stderr }).toMatchObject({ status: 0, stderr: '' });
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('has alerts that fire when they should and say which page it is', ({ skip }) => {
    skip(isMissing(), 'needs promtool');
    const { status, stdout, stderr } = promtool(['test', 'rules', kit('alerts.test.yml')]);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  });

  it('has a scrape example that Prometheus reads', ({ skip }) => {
    skip(isMissing(), 'needs promtool');
    const folder = mkdtempSync(join(tmpdir(), 'campus-prometheus-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'prometheus.yml'), read('scrape.yml'));
    writeFileSync(join(folder, 'alerts.yml'), read('alerts.yml'));
    const { status, stdout } = promtool(['check', 'config', join(folder, 'prometheus.yml')]);
    expect({ status, stdout }).toMatchObject({ status: 0 });
  });

  it('leads from every alert to what is seen, what it means and what to do', () => {
    const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)[\s\S]*?runbook_url: (\S+)/g)];
    expect(alerts.map(([, name]) => name)).toEqual(
      [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
    );
    const document = readFileSync(join(root, 'docs/run/alerts.md'), 'utf8');
    const sections = new Map(
      document
        .split(/^## /m)
        .slice(1)
        .map((text) => [text.split('\n')[0], text]),
    );
    expect([...sections.keys()]).toEqual(alerts.map(([, name]) => name));
    for (const [, name = '', url] of alerts) {
      expect(url).toBe(`docs/run/alerts.md#${name.toLowerCase()}`);
      const text = sections.get(name) ?? '';
      expect(text).toMatch(/Seen:\s[\s\S]*\sMeans:\s[\s\S]*\sDo:\s/);
      expect([name, text.split(/\s+/).length > 120]).toEqual([name, false]);
    }
  });

  it('names only metrics and labels that there are', async () => {
    const text = await metricsOf();
    const there = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const used = [read('alerts.yml'), read('dashboard.json')]
      .flatMap((part) => [...part.matchAll(/\b((?:campus|nodejs|process)_\w+)/g)])
      .map(([, name = '']) => name.replace(/_(bucket|count)$/, ''));
    const names = new Set(used.filter((name) => name !== 'campus_gateway'));
    expect(names.size).toBeGreaterThan(9);
    expect([...names].filter((name) => !there.has(name))).toEqual([]);
    const build = /^campus_build_info\{version="(.*)",revision="(\w+)",date="([\w-]+)"\} 1$/m.exec(text);
    expect(build?.[1]).toBe(version);
  });

  it('shows the age of the last backup, red from when its alert fires', () => {
    const { panels } = JSON.parse(read('dashboard.json'));
    const age = panels.find(({ title }: { title: string }) => title === 'Age of the last backup');
    const red = age.fieldConfig.defaults.thresholds.steps.at(-1).value;
    expect(read('alerts.yml')).toContain(`expr: ${age.targets[0].expr} > ${red}\n`);
    // Without a backup the metric is 0, and so old a database is none.
    expect(age.fieldConfig.defaults.mappings[0].options.result.text).toBe('never');
  });

  it('follows the conventions for names, but for what the library names itself', async ({ skip }) => {
    skip(isMissing(), 'needs promtool');
    const { stderr, stdout } = promtool(['check', 'metrics'], await metricsOf());
    const found = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_active_'));
    expect(found).toEqual([]);
  });
});

describe('the build', () => {
  it('is what an image says of itself, else what its clone says', async ({ skip }) => {
    expect(await buildOf({ BUILD_REVISION: 'abc', BUILD_DATE: '2026-03-18' })).toEqual({
      version,
      revision: 'abc',
      date: '2026-03-18',
    });
    expect(await buildOf({ BUILD_REVISION: 'abc' })).toEqual({ version, revision: 'abc', date: 'unknown' });
    const said = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
    skip(said.status !== 0, 'no clone');
    const build = { version, revision: said.stdout.trim(), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(await buildOf({})).toEqual(build);
    // A clone that belongs to root, while the service runs as another user.
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await buildOf({})).toEqual(build);
  });
});
