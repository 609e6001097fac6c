import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import { keyFiles } from '../../../src/config/process-files.ts';
import { withoutCreating } from '../../../src/config/secrets.ts';
import { findings, key, load, memoryFiles, otherKey, problems, unreadable, wiring } from './support.ts';

const production = { ...wiring, NODE_ENV: 'production' };

describe('SECRET_KEY', () => {
  it('gives several keys in order for rotation', () => {
    expect(load({ SECRET_KEY: `${otherKey}, ${key}` }).secretKeys).toEqual([
      Buffer.from(otherKey, 'base64'),
      Buffer.from(key, 'base64'),
    ]);
  });

  it('is required in production even where a key file lies', () => {
    const { files } = memoryFiles({ 'data/secret.key': key });
    expect(problems(production, files).map(findingLine)).toEqual([
      expect.stringMatching(/^SECRET_KEY: not set in production; .*openssl rand -base64 32/),
    ]);
  });

  it('is required with PostgreSQL', () => {
    const [problem, ...more] = problems({ DATABASE_URL: 'postgres://db/campus' });
    expect(more).toEqual([]);
    expect(problem && findingLine(problem)).toContain('SECRET_KEY: not set with postgres://');
  });

  it.each([
    ['hunter2-marker', '14 characters'],
    [`${key},hunter2-marker`, 'key 2 of 2'],
    [key.slice(0, 40), 'base64 of 30 bytes'],
  ])('is described, never printed, when it is wrong: %#', (text, shape) => {
    const error = findings({ SECRET_KEY: text });
    const printed = [error.message, ...error.problems.map(findingLine)].join('\n');
    expect(printed).toContain(shape);
    expect(printed).toContain('openssl rand -base64 32');
    for (const part of text.split(',')) expect(printed).not.toContain(part);
  });
});

describe('other secrets', () => {
  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/campus'],
    ['DATABASE_URL', 'postgres://root:hunter2@/'],
    ['DATABASE_URL', 'sqlite:'],
    ['INVITE_CODES', 'FINE,hunter2:0'],
    ['INVITE_CODES', 'hunter2:many'],
    ['ADMIN_USER_IDS', 'hunter2!'],
    ['PUBLIC_URL', 'https://root:hunter2@example.edu'],
    ['CAMPUS_VPN_URL', 'root:hunter2@vpn.example.edu'],
    ['CAMPUS_JWC_URL', 'http://user:hunter2@127.0.0.1:8102'],
  ])('%s is described, never printed, when it is wrong: %#', (name, text) => {
    const refused = problems({ ...wiring, SECRET_KEY: key, [name]: text });
    expect(refused.map((problem) => problem.key)).toEqual([name]);
    expect(refused.map(findingLine).join('\n')).not.toContain('hunter2');
  });

  it('refuses a database that forgets everything in production', () => {
    const refused = problems({ ...production, SECRET_KEY: key, DATABASE_URL: 'sqlite::memory:' });
    expect(refused.map((problem) => problem.key)).toEqual(['DATABASE_URL']);
  });
});

describe('the key file', () => {
  it('lies beside the database and is created once', () => {
    const { files, created, held } = memoryFiles();
    const first = load({}, files);
    expect(created).toEqual(['data/secret.key']);
    held.set('data/secret.key', `${otherKey}\n`);
    const second = load({}, files);
    expect(created).toHaveLength(1);
    expect(first.secretKeys).toEqual([Buffer.from(key, 'base64')]);
    expect(second.secretKeys).toEqual([Buffer.from(otherKey, 'base64')]);
  });

  it('is neither read nor created when SECRET_KEY is set', () => {
    const { files, created } = memoryFiles({ 'data/secret.key': 'broken' });
    expect(load({ SECRET_KEY: key }, files).secretKeys).toHaveLength(1);
    expect(created).toEqual([]);
  });

  it('is not created for a database in memory', () => {
    const { files, created } = memoryFiles();
    expect(load({ DATABASE_URL: 'sqlite::memory:' }, files).secretKeys).toHaveLength(1);
    expect(created).toEqual([]);
  });

  it('is never replaced when it is broken, and its content is not printed', () => {
    const { files, created } = memoryFiles({ 'data/secret.key': 'hunter2' });
    const text = problems({ PORT: 'x' }, files).map(findingLine).join('\n');
    expect(text).toContain('PORT');
    expect(text).toContain('data/secret.key is unusable');
    expect(text).not.toContain('hunter2');
    expect(created).toEqual([]);
  });

  it('that cannot be created is a problem of the folder of the database, with its reason', () => {
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const files = {
      ...memoryFiles().files,
      createOnce: () => {
        throw denied;
      },
    };
    const hint = 'make it writable for this user, or name a file elsewhere';
    expect(problems({}, files).map(findingLine)).toEqual([
      `DATABASE_URL: not set, and data cannot be written to (EACCES); ${hint}`,
    ]);
    expect(problems({ DATABASE_URL: 'sqlite:/var/lib/campus/c.db' }, files).map(findingLine)).toEqual([
      `DATABASE_URL: /var/lib/campus cannot be written to (EACCES); ${hint}`,
    ]);
  });

  it('that cannot be read is a problem of SECRET_KEY', () => {
    expect(problems({}, unreadable('denied', { 'data/secret.key': 'x' })).map(findingLine)).toEqual([
      'SECRET_KEY: not set, and data/secret.key cannot be read (EACCES); make it readable for this user, or set SECRET_KEY',
    ]);
  });
});

describe('the key file on disk', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'campus-config-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('belongs to its owner alone, and a second start reads the same key', () => {
    const env = { DATABASE_URL: `sqlite:${directory}/deep/er/campus.db` };
    const first = load(env, keyFiles);
    const path = join(directory, 'deep/er/secret.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const folder of ['deep', 'deep/er']) expect(statSync(join(directory, folder)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(directory, 'deep/er'))).toEqual(['secret.key']);
    expect(load(env, keyFiles).secretKeys).toEqual(first.secretKeys);
    expect(load({ DATABASE_URL: `sqlite:${directory}/campus.db` }, keyFiles).secretKeys).not.toEqual(first.secretKeys);
  });

  it('keeps what another start has written in between', () => {
    const path = join(directory, 'secret.key');
    writeFileSync(path, `${otherKey}\n`);
    expect(keyFiles.createOnce(path, key).trim()).toBe(otherKey);
    expect(readFileSync(path, 'utf8').trim()).toBe(otherKey);
  });

  it('is not created by a mere check', () => {
    load({ DATABASE_URL: `sqlite:${directory}/campus.db` }, withoutCreating(keyFiles));
    expect(readdirSync(directory)).toEqual([]);
  });
});
