import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/domain/context.ts';
import { sha256 } from '../../../src/lib/hash.ts';
import { newest } from '../../../src/storage/migrations/migrate.ts';
import { createStorage } from '../../../src/storage/storage.ts';
import { campusCommand, type EndedCommand, typeCampus } from '../../support/campus-command.ts';
import { undo } from '../../support/former-schema.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
let folder: string;
let database: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'campus-cli-'));
  database = `sqlite:${join(folder, 'campus.db')}`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (): Readonly<Record<string, string>> => ({
  DATABASE_URL: database,
  SECRET_KEY: oldKey.toString('base64'),
});

const campus = (args: string[], env: Record<string, string> = {}): Promise<EndedCommand> =>
  campusCommand(args, { ...here(), ...env });

/** In a process of its own, where it is about files found from its folder, or about its exit code. */
const typed = (cwd: string, args: string[], env: Record<string, string>): Promise<EndedCommand> =>
  typeCampus(cwd, args, env).ended;

const withStorage = async <T>(
  key: Buffer,
  work: (storage: Awaited<ReturnType<typeof createStorage>>) => Promise<T>,
) => {
  const storage = await createStorage({ url: database, keys: [key], log: silentLog });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

describe('the campus command over a real database', () => {
  it('creates a code that registers a student, lists both, rotates keys, ends tokens and erases the student', async () => {
    const created = await campus(['invite', 'create', '--uses', '2', 'CLASS-7']);
    expect(created).toEqual({ code: 0, out: 'CLASS-7\n', err: 'created: 2 uses, no expiry\n' });

    const now = Date.now();
    const pair = { password: 'a-password', vpnPassword: 'a-vpn-password' };
    const registered = await withStorage(oldKey, async ({ accounts }) => {
      const tokens = {
        invite: { hash: sha256('invite'), code: 'CLASS-7', expiresAt: now + 60_000 },
        tokenHash: sha256('token'),
        tokenExpiresAt: now + 600_000,
        tokenEndsAt: now + 600_000,
        tokenNetwork: '192.0.2.0/24',
      };
      return accounts.register({ userid: '2023000101', pair, ...tokens, now });
    });
    expect(registered).toMatchObject({ generation: expect.any(Number) });
    expect((await campus(['invite', 'list'])).out).toMatch(/CLASS-7 +usable +1 of 2 +never/);
    expect((await campus(['user', 'list'])).out).toMatch(/2023000101 +1 /);

    const keys = [newKey, oldKey].map((key) => key.toString('base64')).join(',');
    const rotated = await campus(['rotate-keys'], { SECRET_KEY: keys });
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^[1-9]\d* resealed/) });
    expect((await withStorage(newKey, ({ accounts }) => accounts.readPair('2023000101')))?.pair).toEqual(pair);

    expect((await campus(['user', 'revoke', '2023000101'])).out).toContain('1 token revoked');
    expect((await campus(['user', 'delete', '--yes', '2023000101'])).code).toBe(0);
    expect((await campus(['user', 'list'])).out).toBe('no users\n');
  });

  it('empties budgets and waits of a student, and prints the name of a network in the log', async () => {
    const now = Date.now();
    await withStorage(oldKey, async ({ invites, accounts }) => {
      await invites.createCode({ code: 'CLASS-8', maxUses: null, expiresAt: null, now });
      return accounts.register({
        userid: '2023000108',
        pair: { password: 'a', vpnPassword: 'b' },
        invite: { hash: sha256('invite-8'), code: 'CLASS-8', expiresAt: now + 60_000 },
        tokenHash: sha256('token-8'),
        tokenExpiresAt: now + 600_000,
        tokenEndsAt: now + 600_000,
        tokenNetwork: '192.0.2.0/24',
        now,
      });
    });
    const guess = { at: now, kind: 'stranger', by: '', pair: 'p' } as const;
    const homes = [{ at: now, network: 'home' }];
    await withStorage(oldKey, ({ guards }) =>
      guards.change('2023000108', ['student'], null, ({ student }) => ({
        result: null,
        write: { student: { ...student, guesses: [guess], networks: homes } },
      })),
    );
    expect((await campus(['unlock', '2023000108'])).out).toBe('2023000108: budgets and waits emptied\n');
    const { student } = await withStorage(oldKey, ({ guards }) => guards.read('2023000108'));
    expect(student).toMatchObject({ guesses: [], networks: homes });
    expect((await campus(['tag', '192.0.2.1'])).out).toMatch(/^network=[0-9a-f]{12}\n$/);
  });

  it('revokes what may be in the wrong hands: tokens prove nothing, networks are forgotten, feeds end unless kept', async () => {
    const now = Date.now();
    const userid = '2023000109';
    await withStorage(oldKey, async ({ invites, accounts, feeds, guards }) => {
      await invites.createCode({ code: 'CLASS-9', maxUses: null, expiresAt: null, now });
      const invite = { hash: sha256('invite-9'), code: 'CLASS-9', expiresAt: now + 60_000 };
      const pair = { password: 'a', vpnPassword: 'b' };
      const token = { tokenHash: sha256('token-9'), tokenExpiresAt: now + 600_000, tokenEndsAt: now + 600_000 };
      await accounts.register({ userid, pair, invite, ...token, tokenNetwork: 'n', now });
      const feed = { id: 'feed-9', name: 'f', alarmMinutes: null, createdAt: now, polledAt: null };
      await feeds.create({ ...feed, parts: ['exams'], userid, secretHash: sha256('secret-9') }, 10);
      await guards.change(userid, ['student'], null, ({ student }) => ({
        result: null,
        write: { student: { ...student, networks: [{ network: 'home', at: now }] } },
      }));
    });
    const left = () =>
      withStorage(oldKey, async ({ tokens, feeds, guards }) => ({
        bearer: await tokens.bearer(sha256('token-9'), now),
        feeds: (await feeds.list(userid)).length,
        networks: (await guards.read(userid)).student.networks.length,
      }));
    expect(await left()).toEqual({ bearer: userid, feeds: 1, networks: 1 });
    expect((await campus(['user', 'revoke', userid, '--keep', 'feeds'])).out).toContain('1 calendar feed kept');
    expect(await left()).toEqual({ bearer: null, feeds: 1, networks: 0 });
    expect((await campus(['user', 'revoke', userid])).out).toContain('1 calendar feed ended');
    expect(await left()).toEqual({ bearer: null, feeds: 0, networks: 0 });
    expect((await campus(['user', 'show', userid])).out).toMatch(/registered .*\nno tokens/);
  });

  it('reads the configuration from the environment and names what is wrong with it', async () => {
    const ended = await typed(folder, ['invite', 'list'], { ...here(), PORT: 'many' });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/^PORT: /);
  });

  it('works on the database that a file .env names to the service, and the environment wins', async () => {
    const place = join(folder, 'desk');
    mkdirSync(place);
    writeFileSync(join(place, '.env'), 'DATABASE_URL=sqlite:named-in-env.db\nPORT=many\n');
    expect((await typed(place, ['invite', 'create', 'DESK-1'], { PORT: '0' })).code).toBe(0);
    expect(existsSync(join(place, 'named-in-env.db'))).toBe(true);
    expect(existsSync(join(place, 'data'))).toBe(false);
  });

  it('says with exit code 2 that the command line is wrong', async () => {
    expect(await typed(folder, ['invite'], here())).toMatchObject({ code: 2, out: '' });
  });

  it('finds a healthy installation with the demo campus', async () => {
    const { code, out } = await campus(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain('demo campus, nothing to reach');
  });
});

it('looks at a database of the version before without touching it, names its schema, and migrates it when told to', async () => {
  const own = mkdtempSync(join(folder, 'older-'));
  const path = join(own, 'older.db');
  const env = { CAMPUS: 'demo', SECRET_KEY: oldKey.toString('base64'), DATABASE_URL: `sqlite:${path}` };
  await (await createStorage({ url: env.DATABASE_URL, keys: [oldKey], log: silentLog })).close();
  const older = new DatabaseSync(path);
  older.exec(undo);
  older.close();
  const bytes = readFileSync(path);
  for (const line of [['doctor'], ['backup', join(own, 'backup.db')], ['invite', 'create']]) {
    const { code, out, err } = await campusCommand(line, env);
    expect([code, out + err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`OLDER_SCHEMA 001\\d-[\\w-]+, not ${newest}`)),
    ]);
  }
  expect((await campusCommand(['migrate', '--dry-run'], env)).out).toMatch(
    new RegExp(`would go from 001\\d-\\S+ to ${newest}`),
  );
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(own).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['older.db']);
  const nothing = mkdtempSync(join(folder, 'nothing-'));
  expect((await typed(nothing, ['doctor'], {})).out).toContain('does not exist yet');
  expect(readdirSync(nothing)).toEqual([]);
  const migrated = await campusCommand(['migrate'], env);
  expect(migrated).toMatchObject({ code: 0, err: expect.stringContaining(`${path}.before-`) });
  expect(await campusCommand(['doctor'], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${path}.before-`),
  });
});

describe('backup and restore over real databases', () => {
  const demo = { CAMPUS: 'demo', SECRET_KEY: oldKey.toString('base64') };
  const at = (name: string) => `sqlite:${join(folder, name)}`;

  it('gives back what was there, from a file that nobody else reads and nothing overwrites', async () => {
    const first = { ...demo, DATABASE_URL: at('first.db') };
    const second = { ...demo, DATABASE_URL: at('second.db') };
    const storage = await createStorage({ url: at('first.db'), keys: [oldKey], log: silentLog });
    await storage.campusIdentity.claim({ CAMPUS: 'demo' }, 'DEMO-2026');
    await storage.invites.createCode({ code: 'KEPT-1', maxUses: 3, expiresAt: null, now: Date.now() });
    await storage.close();

    const file = join(folder, 'backup.db');
    expect(await campusCommand(['backup', file], first)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('backup.db'))).toEqual(['backup.db']);
    const bytes = readFileSync(file);
    expect(await campusCommand(['backup', file], first)).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    });

    expect(await campusCommand(['restore', file], second)).toMatchObject({ code: 0, err: '' });
    expect((await campusCommand(['invite', 'list'], second)).out).toContain('KEPT-1');
    expect(await campusCommand(['restore', file], second)).toMatchObject({
      code: 1,
      err: expect.stringContaining('holds data already'),
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('says what cannot be reached, read or written, and leaves nothing behind', async () => {
    const env = { ...demo, DATABASE_URL: at('first.db') };
    const moved = await campusCommand(['move', '--to', 'postgres://campus:secret@127.0.0.1:1/campus'], env);
    expect(moved).toMatchObject({ code: 1, out: '' });
    expect(moved.err).toContain('PostgreSQL 127.0.0.1:1/campus cannot be opened (ECONNREFUSED)');
    expect(moved.err).not.toContain('secret');
    expect(await campusCommand(['restore', join(folder, 'nowhere.db')], env)).toMatchObject({ code: 1, out: '' });
    writeFileSync(join(folder, 'text.db'), 'no database at all, but long enough to be looked at');
    expect(await campusCommand(['restore', 'text.db'], env)).toMatchObject({ code: 1, out: '' });
    expect(await campusCommand(['backup', join(folder, 'no/such/folder/backup.db')], env)).toMatchObject({
      code: 1,
      out: '',
    });
  });
});
