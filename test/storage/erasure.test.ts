import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { erasureOf } from '../../src/domain/accounts/guard/stored-rows.ts';
import { randomToken, sha256 } from '../../src/lib/hash.ts';
import { type Clock, systemClock } from '../../src/lib/time.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { remember } from '../support/guard-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { migratedPostgresUrl } from '../support/migrated-database.ts';
import { hookWish, keyA, keyB, login, openStorage, registered, registration, start } from './databases.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'campus-erasure-'));
  path = join(folder, 'campus.db');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const open = (at = path, clock: Clock = systemClock, keys = [keyA]): Promise<Storage> =>
  openStorage(`sqlite:${at}`, { clock, keys });

/** Marks that the database file or one of its side files holds, free pages included. */
const found = (marks: readonly string[], at = path): string[] => {
  const bytes = Buffer.concat(
    ['', '-wal', '-shm'].flatMap((end) => (existsSync(at + end) ? [readFileSync(at + end)] : [])),
  );
  return marks.filter((mark) => bytes.includes(mark));
};
const gone = (marks: readonly string[]) => vi.waitFor(() => expect(found(marks)).toEqual([]));

/** Holds the log of the file open. */
const reading = (): DatabaseSync => {
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('begin');
  reader.prepare('select * from users').all();
  return reader;
};

const sealedPair = (userid: string): string[] => {
  const reader = new DatabaseSync(path, { readOnly: true });
  const row = reader
    .prepare('select sealed_password, sealed_vpn_password from credentials where userid = ?')
    .get(userid);
  reader.close();
  return Object.values(row ?? {}).map(String);
};

/** A student with something in every table; gives everything by which the student could be recognised. */
const furnish = async (storage: Storage, userid: string): Promise<string[]> => {
  const { tokenHash } = await registered(storage, { userid });
  const text = (what: string) => `${what}-${userid}-${randomBytes(8).toString('hex')}`;
  const [nickname, slogan, course, room] = [text('nickname'), text('slogan'), text('course'), text('room')];
  const image = { id: randomUUID(), use: 'avatar', type: 'png', md5: 'm', tag: 't' } as const;
  const pixels = text('pixels');
  // Several pages of the file, as a photograph has.
  const bytes = Buffer.from(pixels.repeat(400));
  await storage.images.stage(userid, { ...image, bytes }, { now: start, expiresAt: start + 9 });
  const avatar = { action: 'confirm', id: image.id } as const;
  await storage.profiles.updateUserProfile(userid, { nickname, slogan, avatar }, start);
  await storage.evaluation.write({
    userid,
    revision: null,
    snapshot: course,
    owner: 'process',
    lives: true,
    now: start,
    expiresAt: null,
  });
  await storage.roomBindings.bind(userid, { roomCode: '1', roomName: room, displayText: '' }, start);
  const generation = (await storage.sessions.generation(userid)) ?? 0;
  await storage.sessions.save(userid, generation, [{ system: 'jwc', state: text('cookie') }], start);
  await storage.leases.acquire(`attempt:${userid}`, text('owner'), start, 1_000);
  return [userid, tokenHash, nickname, slogan, course, pixels, room, image.id, ...sealedPair(userid)];
};

describe('a SQLite file', () => {
  it('holds nothing of an account that was deleted, and everything of the others', async () => {
    const storage = await open();
    const marks = new Map<string, string[]>();
    for (let each = 0; each < 40; each += 1) marks.set(`2023${each}0001`, await furnish(storage, `2023${each}0001`));
    const erased = [...marks.keys()].filter((_, at) => at % 2 === 0);
    const all = erased.flatMap((userid) => marks.get(userid) ?? []);
    expect(found(all)).toEqual(all);
    for (const userid of erased) {
      await storage.accounts.deleteUser(userid);
      marks.delete(userid);
    }
    await gone(all);
    const kept = [...marks.values()].flat();
    expect(found(kept)).toEqual(kept);
    await storage.close();
    expect([found(all), found(kept)]).toEqual([[], kept]);
  });

  it('holds what was asked at the campus for an erased id a day longer, without its name, and then nothing', async () => {
    const storage = await open();
    const userid = 'Asked4711';
    await registered(storage, { userid });
    const [ask, secret] = ['ASK-MARK', 'SECRET-MARK'];
    const student = {
      guesses: [{ at: start, kind: 'home', by: 'WHO-MARK', pair: 'COMPARED-MARK' }],
      networks: [{ at: start, network: 'HOME-MARK' }],
      asks: [{ id: ask, at: start, kind: 'stranger', by: '', state: 'refused', endedAt: start, stored: false }],
      refused: [{ print: secret, step: 'portal', at: start }],
    } as const;
    await remember(storage, userid, () => student);
    await storage.accounts.deleteUser(userid, erasureOf(userid, start));
    await gone([userid, userid.toLowerCase(), 'WHO-MARK', 'COMPARED-MARK', 'HOME-MARK']);
    expect(found([ask, secret])).toEqual([ask, secret]);
    await storage.sweep(Date.now() + 86_400_001);
    await gone([ask, secret]);
  });

  it('holds nothing of a pair that was replaced', async () => {
    const storage = await open();
    const { userid } = await registered(storage);
    const before = sealedPair(userid);
    expect(found(before)).toEqual(before);
    await login(storage, userid, { newPair: { password: 'second-unified', vpnPassword: 'second-portal' } });
    await gone(before);
    const after = sealedPair(userid);
    expect(found(after)).toEqual(after);
  });

  it('holds nothing of a hook that was deleted', async () => {
    const storage = await open();
    const { userid } = await registered(storage);
    const id = 'HOOK-MARK';
    await storage.hooks.make(userid, { ...hookWish, id, now: start, secret: 's', madeBy: 'session' }, 5);
    expect(found([id])).toEqual([id]);
    await storage.hooks.delete(userid, id);
    await gone([id]);
  });

  it('holds nothing that a key no longer listed had sealed, once keys were rotated', async () => {
    const first = await open();
    const { userid } = await registered(first);
    const before = sealedPair(userid);
    await first.close();
    const second = await open(path, undefined, [keyB, keyA]);
    await second.rotate();
    await gone(before);
  });

  it('is cleaned up once no reader needs its log', async () => {
    const clock = new ManualClock();
    const storage = await open(path, clock);
    const marks = await furnish(storage, '2023000077');
    const reader = reading();
    await storage.accounts.deleteUser('2023000077');
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    expect(found(marks)).not.toEqual([]);
    reader.close();
    clock.advance(20);
    await gone(marks);
  });

  it('is cleaned up at the end at the latest', async () => {
    const storage = await open(path, new ManualClock());
    const marks = await furnish(storage, '2023000077');
    const reader = reading();
    await storage.accounts.deleteUser('2023000077');
    expect(found(marks)).not.toEqual([]);
    reader.close();
    // Another process has the file open, so that SQLite itself would keep the log.
    const other = new DatabaseSync(path);
    other.prepare('select * from users').all();
    await storage.close();
    expect(found(marks)).toEqual([]);
    other.close();
  });

  it('is cleaned up at the next start when the process was killed before', async () => {
    const storage = await open(path, new ManualClock());
    const marks = await furnish(storage, '2023000077');
    const reader = reading();
    await storage.accounts.deleteUser('2023000077');
    const left = join(folder, 'left.db');
    for (const end of ['', '-wal']) cpSync(path + end, left + end);
    reader.close();
    expect(found(marks, left)).not.toEqual([]);
    await open(left);
    expect(found(marks, left)).toEqual([]);
  });

  /** Leaves a mark in unused pages, as a version without `secure_delete` did. */
  const litter = (then = ''): string => {
    const mark = `litter-${randomBytes(8).toString('hex')}`;
    const database = new DatabaseSync(path);
    database.exec('pragma secure_delete = off');
    database.prepare(`insert into guard_rows values (?, '', 0)`).run(mark.repeat(300));
    database.exec(`delete from guard_rows; ${then}`);
    database.close();
    return mark;
  };

  it('of a former version is rewritten once', async () => {
    await (await open()).close();
    const old = litter('pragma user_version = 0');
    expect(found([old])).toEqual([old]);
    await (await open()).close();
    expect(found([old])).toEqual([]);
    const later = litter();
    await (await open()).close();
    expect(found([later])).toEqual([later]);
  });
});

describe('PostgreSQL', () => {
  const openThere = async (clock: Clock = systemClock): Promise<{ storage: Storage; client: pg.Client }> => {
    const url = await migratedPostgresUrl();
    const storage = await openStorage(url, { clock });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return { storage, client };
  };

  /** Marks in the files of all tables and in the log before them. */
  const foundThere = async (client: pg.Client, marks: readonly string[]): Promise<string[]> => {
    await client.query('checkpoint');
    const { rows } = await client.query('show data_directory');
    const hits = new Set<string>();
    for (const part of ['base', 'pg_wal']) {
      const at = join(rows[0].data_directory, part);
      for (const name of readdirSync(at, { recursive: true, encoding: 'utf8' })) {
        let bytes: Buffer;
        try {
          bytes = readFileSync(join(at, name));
        } catch (error) {
          // A folder, or a file that another test's database has just given back.
          if (error instanceof Error && 'code' in error && ['EISDIR', 'ENOENT'].includes(String(error.code))) continue;
          throw error;
        }
        for (const mark of marks) if (bytes.includes(mark)) hits.add(mark);
      }
    }
    return [...hits];
  };

  it('never holds a password, session, ticket or token in clear, neither in tables nor in its log', async () => {
    const { storage, client } = await openThere();
    const secret = () => `SECRET-${randomBytes(12).toString('hex')}`;
    const [password, vpnPassword, second, cookie] = [secret(), secret(), secret(), secret()];
    const [token, invite] = [randomToken(), randomToken()];
    const userid = `S${randomBytes(6).toString('hex')}`;
    await storage.invites.createCode({ code: 'there', maxUses: null, expiresAt: null, now: start });
    const used = { hash: sha256(invite), code: 'there', expiresAt: start + 9 };
    const entry = registration(userid, used, { pair: { password, vpnPassword }, tokenHash: sha256(token) });
    await storage.accounts.register(entry);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: `JSESSIONID=${cookie}` }], start);
    await login(storage, userid, { newPair: { password: second, vpnPassword } });
    const secrets = [password, vpnPassword, second, cookie, token, invite];
    expect(await foundThere(client, [...secrets, userid])).toEqual([userid]);
    await storage.accounts.deleteUser(userid);
    expect(await foundThere(client, secrets)).toEqual([]);
  });

  it('cleans its tables half a minute after deletions, which share it', async () => {
    const clock = new ManualClock();
    const { storage, client } = await openThere(clock);
    const cleanings = async (table: string): Promise<number> => {
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query('select vacuum_count from pg_stat_user_tables where relname = $1', [table]);
      return Number(rows[0]?.vacuum_count ?? 0);
    };
    for (const { userid } of [await registered(storage), await registered(storage)]) {
      await storage.accounts.deleteUser(userid);
    }
    expect(await cleanings('credentials')).toBe(0);
    clock.advance(30_000);
    await vi.waitFor(async () => expect(await cleanings('credentials')).toBe(1), { timeout: 10_000 });
    for (const table of ['users', 'images', 'image_bytes', 'upstream_sessions', 'room_bindings']) {
      await vi.waitFor(async () => expect(await cleanings(table)).toBe(1), { timeout: 10_000 });
    }
  });
});
