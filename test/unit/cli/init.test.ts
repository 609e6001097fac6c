import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { keyFiles } from '../../../src/config/process-files.ts';
import { withoutCreating } from '../../../src/config/secrets.ts';
import { campusCommand, type EndedCommand } from '../../support/campus-command.ts';
import { workingDirectory } from '../../support/service-process.ts';

let folder = '';
beforeEach(() => {
  folder = workingDirectory();
});
/** Settings that no start would take: `init` needs none. */
const init = (...args: string[]): Promise<EndedCommand> => campusCommand(['init', ...args, folder], { PORT: 'many' });
const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
const secrets = ['secret_key', 'postgres_password', 'database_password', 'database_url'].map(
  (name) => `secrets/${name}`,
);

describe('init', () => {
  it('makes secrets that no other user gets at, and settings with which production starts', async () => {
    expect((await init()).code).toBe(0);
    expect(modeOf('secrets')).toBe(0o700);
    expect(modeOf('.env')).toBe(0o600);
    expect(statSync(join(folder, 'config')).isDirectory()).toBe(true);
    for (const name of secrets) expect(modeOf(name)).toBe(0o444);
    expect(read('secrets/database_url')).toBe(
      `postgres://campus:${read('secrets/database_password')}@postgres:5432/campus_demo`,
    );
    const { COMPOSE_PROFILES, ...settings } = parseEnv(read('.env'));
    expect([COMPOSE_PROFILES, settings]).toEqual(['single', { CAMPUS: 'demo', PUBLIC_URL: 'http://127.0.0.1:3000' }]);
    const env = { ...settings, NODE_ENV: 'production', SECRET_KEY_FILE: join(folder, 'secrets/secret_key') };
    const config = loadConfig(env, withoutCreating(keyFiles));
    expect(config.secretKeys[0]?.toString('base64')).toBe(read('secrets/secret_key'));
    expect(config.warnings).toEqual([]);
    // Every other setting stands there to be uncommented, described.
    expect(read('.env')).toMatch(/^# \S.*\n# Value: .*\n# INVITE_CODES=/m);
  });

  it('overwrites nothing, and makes what is missing fit what is there', async () => {
    await init();
    const before = [...secrets, '.env'].map(read);
    rmSync(join(folder, 'secrets/database_url'));
    expect(await init('--profile', 'scale')).toMatchObject({
      code: 0,
      out: `made  ${join(folder, 'secrets/database_url')}\n`,
    });
    expect([...secrets, '.env'].map(read)).toEqual(before);
    writeFileSync(join(folder, '.env'), 'MINE=1\n');
    await init();
    expect(read('.env')).toBe('MINE=1');
  });

  it.each([
    ['single', ['gateway']],
    ['scale', ['tls', 'replica-a']],
  ])('says what comes next with the profile %s', async (profile, named) => {
    const { err } = await init('--profile', profile);
    const next = err.split('\n').filter((line) => line.startsWith('next: '));
    for (const name of named) expect(next.join()).toMatch(new RegExp(`\\b${name}\\b`));
    if (profile === 'scale') expect(next.join()).not.toContain('gateway');
    expect(parseEnv(read('.env')).PUBLIC_URL).toMatch(/^https?:/);
  });
});
