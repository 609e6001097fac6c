import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newCode } from '../../../src/cli/commands/invites.ts';
import type { ReachResult } from '../../../src/cli/reach.ts';
import { commands, help } from '../../../src/cli/run.ts';
import { type World, worldOfProcess } from '../../../src/cli/world.ts';
import type { StudentRow } from '../../../src/domain/accounts/guard/row.ts';
import { silentLog } from '../../../src/domain/context.ts';
import { version } from '../../../src/lib/build.ts';
import { sha256 } from '../../../src/lib/hash.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { newest } from '../../../src/storage/migrations/migrate.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { campusCommand, typeCampus } from '../../support/campus-command.ts';
import { writeFormerFile } from '../../support/former-schema.ts';
import { readGuard, remember as rememberStored } from '../../support/guard-rows.ts';
import { writeMigratedDatabase } from '../../support/migrated-database.ts';
import { workingDirectory } from '../../support/service-process.ts';
import { createStorage } from '../../support/storage.ts';
import { wiring } from '../config/support.ts';

const now = Date.UTC(2026, 2, 18, 2, 0, 0);
const clock = { ...systemClock, now: () => now };
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const userid = '2023000101';
const elsewhere = { CAMPUS_VPN_URL: 'https://vpn.here.edu' };

let folder = '';
let env: Record<string, string> = {};
beforeEach(async () => {
  folder = workingDirectory();
  env = { CAMPUS: 'demo', DATABASE_URL: `sqlite:${folder}/campus.db`, SECRET_KEY: oldKey.toString('base64') };
  await writeMigratedDatabase(join(folder, 'campus.db'));
});

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

/** One command line on the morning of 18 March 2026. */
const campus = async (line: string, instead: Partial<World> = {}) => {
  const { code, out, err } = await campusCommand(line === '' ? [] : line.split(' '), env, { clock, ...instead });
  return { code, out: linesOf(out), err: linesOf(err) };
};

const stored = async <T>(work: (storage: Storage) => Promise<T>, key = oldKey): Promise<T> => {
  const storage = await createStorage({ url: env.DATABASE_URL ?? '', keys: [key], log: silentLog, clock });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

const register = (id = userid): Promise<unknown> =>
  stored(async ({ invites, accounts }) => {
    const code = `CODE-OF-${id}`;
    await invites.createCode({ code, maxUses: 1, expiresAt: null, now });
    const invite = { hash: sha256(`invite ${id}`), code, expiresAt: now + 60_000 };
    const ends = { tokenExpiresAt: now + 600_000, tokenEndsAt: now + 600_000, tokenNetwork: '192.0.2.0/24' };
    const pair = { password: 'a-password', vpnPassword: 'a-vpn-password' };
    return accounts.register({ userid: id, pair, invite, tokenHash: sha256(`token ${id}`), ...ends, now });
  });

const addFeed = (id: string, name = 'a name of the student'): Promise<unknown> => {
  const shown = { id, name, userid, parts: ['classes', 'exams'] as const, alarmMinutes: null };
  const secret = { secretHash: sha256(id), createdAt: now, polledAt: null };
  return stored(({ feeds }) => feeds.create({ ...shown, ...secret }, 10));
};

/** In what the login guard holds of the student. */
const remember = (more: Partial<StudentRow>): Promise<unknown> =>
  stored((storage) => rememberStored(storage, userid, () => more, now));

const breakGuard = (): void => {
  const database = new DatabaseSync(join(folder, 'campus.db'));
  database.exec(`insert into guard_rows (name, memory, expires_at) values ('gateway', 'no row', ${now + 1_000_000})`);
  database.close();
};

/** Every system of the campus answers well, but for those named. */
const answering =
  (others: Readonly<Record<string, Partial<ReachResult>>> = {}): World['reach'] =>
  async ({ name, url }) => {
    const good = { name, origin: new URL(url).origin, status: 200, detail: '', milliseconds: 12.4, serverTime: now };
    return { ...good, ...others[name] };
  };

describe('the command line', () => {
  it.each(['help', '--help', '-h', 'help nope'])('`%s` prints the help', async (line) => {
    expect(await campus(line)).toMatchObject({ code: 0, out: help.split('\n') });
  });

  it('lists every command of the table in the help, with its options and its argument', () => {
    for (const { usage, does } of commands) expect(help).toContain(`  campus ${usage}\n      ${does.split('\n')[0]}`);
    expect(help).toContain('campus user revoke [--keep feeds,hooks,tokens] USERID');
  });

  it.each([
    ['help invite', 3],
    ['invite --help', 3],
    ['user revoke -h', 1],
    ['help user revoke', 1],
  ])('`%s` is about these commands alone', async (line, count) => {
    const { code, out } = await campus(line);
    expect([code, out.filter((each) => /^ {2}campus /.test(each)).length]).toEqual([0, count]);
  });

  it('tells its version', async () => {
    expect(await campus('--version')).toMatchObject({ code: 0, out: [version] });
  });

  it.each([
    ['', 'a command is missing'],
    ['nope', "unknown command 'nope'"],
    ['invite', "'invite' needs a second word: create, list, revoke (`campus help invite`)"],
    ['move --to sqlite:./other.db', '--to takes postgres://user:password@host:port/database'],
    ['feeds 1 --revoke x --revoke-all', 'either --revoke ID or --revoke-all'],
    ['invite revoke', 'CODE is missing'],
    ['invite revoke A B', "unexpected argument 'B'"],
    ['invite create --uses 0', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 1e3', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 1000001', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 2 --unlimited', '--uses and --unlimited exclude each other'],
    ['invite create a,b', 'a code is 1 to 50 letters, digits, dots, dashes and underscores'],
    [`invite create ${'x'.repeat(51)}`, 'a code is 1 to 50 letters, digits, dots, dashes and underscores'],
    ['invite create --expires 2026-06-31', 'is no date'],
    ['invite create --expires 2026-09-01T12:00:00', 'is no date'],
    ['invite create --expires 2026-03-17', 'is not in the future'],
    ['invite create --expires 2026-03-18T02:00:00Z', 'is not in the future'],
    ['user revoke 1 --keep feed', "--keep takes feeds, hooks, tokens, not 'feed'"],
    ['unlock no-id', "'no-id' is no student id"],
    ['backup', 'FILE is missing'],
    ['backup a.db --done', 'either FILE or --done'],
    ['invite create --forever', "'--forever'"],
  ])('`%s` exits 2, says why first, and opens nothing', async (line, why) => {
    let opened = 0;
    const open = () => {
      opened += 1;
      return Promise.reject(new Error('opened'));
    };
    const { code, out, err } = await campus(line, { open });
    expect([code, out, opened]).toEqual([2, [], 0]);
    expect(err).toEqual([expect.stringContaining(why), '`campus help` lists all commands']);
  });

  it('reports what is wrong with the settings, or why the database cannot be opened', async () => {
    env.PORT = 'many';
    expect(await campus('invite list')).toMatchObject({ code: 1, out: [], err: [expect.stringMatching(/^PORT: /)] });
    delete env.PORT;
    env.DATABASE_URL = `sqlite:${folder}/none.db`;
    expect((await campus('invite list')).err).toEqual([expect.stringContaining('none.db does not exist yet; start')]);
  });

  it('reads a file .env where it runs, as the service does, and the environment wins', async () => {
    writeFileSync(join(folder, '.env'), 'DATABASE_URL=sqlite:named-in-env.db\nPORT=many\n');
    const { code } = await typeCampus(folder, ['invite', 'create', 'DESK-1'], { PORT: '0' }).ended;
    expect([code, existsSync(join(folder, 'named-in-env.db'))]).toEqual([0, true]);
    expect((await typeCampus(folder, ['invite'], {}).ended).code).toBe(2);
  });

  it('opens a database for reading where it only looks, and no command for more than the schema it finds', async () => {
    const accesses: string[] = [];
    const open: World['open'] = async (_, access) => {
      accesses.push(access);
      throw new Error('not today');
    };
    for (const line of ['doctor', `backup ${folder}/a.db`, 'user list', 'invite list', 'user delete 1', 'rotate-keys'])
      await campus(line, { open });
    expect(accesses).toEqual(['look', 'look', 'look', 'look', 'current', 'current']);
  });
});

describe('invite', () => {
  it('create makes one random code with one use; only the code goes to the output', async () => {
    const { code, out, err } = await campus('invite create');
    expect([code, err]).toEqual([0, ['created: 1 use, no expiry']]);
    expect(out).toEqual([expect.stringMatching(/^([A-HJKMNP-TV-Z2-9]{4}-){3}[A-HJKMNP-TV-Z2-9]{4}$/)]);
    expect(new Set(Array.from({ length: 100 }, newCode)).size).toBe(100);
  });

  it('create takes uses, a code and a day, which counts to its end in the campus time zone', async () => {
    expect((await campus('invite create --uses 30 --expires 2026-06-30 CLASS-7')).err).toEqual([
      'created: 30 uses, until 2026-06-30 23:59:59 (Asia/Shanghai)',
    ]);
    await campus('invite create OPEN --unlimited --expires 2026-09-01T12:00:00+02:00');
    env.CAMPUS_TIMEZONE = 'Europe/Berlin';
    // Summer time begins on 29 March: each day is read by the zone of that day.
    await campus('invite create WINTER --expires 2026-03-28');
    await campus('invite create SUMMER --expires 2026-03-29');
    const codes = new Map((await stored(({ invites }) => invites.listCodes())).map((code) => [code.code, code]));
    expect(codes.get('CLASS-7')).toMatchObject({ maxUses: 30, expiresAt: Date.parse('2026-07-01T00:00:00+08:00') - 1 });
    expect(codes.get('OPEN')).toMatchObject({ maxUses: null, expiresAt: Date.parse('2026-09-01T10:00:00Z') });
    expect(codes.get('WINTER')?.expiresAt).toBe(Date.parse('2026-03-29T00:00:00+01:00') - 1);
    expect(codes.get('SUMMER')?.expiresAt).toBe(Date.parse('2026-03-30T00:00:00+02:00') - 1);
    expect(await campus('invite create CLASS-7 --uses 9')).toMatchObject({
      code: 1,
      err: ['the code CLASS-7 exists already; nothing was changed'],
    });
  });

  it('list shows whether each code can still be used, and revoke ends one', async () => {
    expect((await campus('invite list')).out).toEqual(['no invite codes']);
    await register();
    await stored(async ({ invites }) => {
      const code = (name: string, maxUses: number | null, expiresAt: number | null) =>
        invites.createCode({ code: name, maxUses, expiresAt, now });
      await code('FREE', null, null);
      await code('GONE', 2, null);
      await code('LATE', 2, now);
    });
    expect(await campus('invite revoke GONE')).toMatchObject({ code: 0 });
    expect(await campus('invite revoke GONE')).toMatchObject({ code: 1, err: [expect.stringContaining('unknown or')] });
    const { out } = await campus('invite list');
    expect(out[0]).toBe('CODE                STATE    USED      EXPIRES              CREATED');
    expect(out.slice(1).toSorted()).toEqual([
      'CODE-OF-2023000101  used up  1 of 1    never                2026-03-18 10:00:00',
      'FREE                usable   0 of any  never                2026-03-18 10:00:00',
      'GONE                revoked  0 of 2    never                2026-03-18 10:00:00',
      'LATE                expired  0 of 2    2026-03-18 10:00:00  2026-03-18 10:00:00',
    ]);
    const [first = ''] = (await campus('invite list --json')).out;
    const members = ['code', 'createdAt', 'expiresAt', 'maxUses', 'revokedAt', 'state', 'used'];
    expect(Object.keys(JSON.parse(first)).toSorted()).toEqual(members);
  });
});

describe('user', () => {
  it('list reads page by page and prints one head', async () => {
    expect((await campus('user list')).out).toEqual(['no users']);
    const user = (at: number) => ({ userid: `${2023000000 + at}`, createdAt: now, lastLoginAt: null, tokens: at % 6 });
    const all = Array.from({ length: 501 }, (_, at) => user(at));
    const asked: string[] = [];
    const listUsers = async ({ after, limit }: { after: string; limit: number }) => {
      asked.push(after);
      return all.filter((one) => one.userid > after).slice(0, limit);
    };
    const open: World['open'] = async () => {
      const storage = await createStorage({ url: 'sqlite::memory:', keys: [oldKey], log: silentLog });
      vi.spyOn(storage.accounts, 'listUsers').mockImplementation(listUsers);
      return storage;
    };
    const { out } = await campus('user list', { open });
    expect([out.length, asked]).toEqual([502, ['', '2023000499']]);
    expect(out.slice(0, 2)).toEqual([
      'USERID                TOKENS  REGISTERED           LAST LOGIN',
      '2023000000                 0  2026-03-18 10:00:00  never',
    ]);
    expect(JSON.parse((await campus('user list --json', { open })).out[500] ?? '')).toEqual(user(500));
  });

  it('show says what a student has given out, without the words of the student', async () => {
    await register();
    const made = { hash: sha256('personal'), now, network: null, expiresAt: now + 86_400_000 };
    const grant = { name: 'words', scopes: ['exams:read' as const], copiesOnly: true };
    await stored(({ tokens }) => tokens.personal.make(userid, { ...made, grant }, 10));
    const { out } = await campus(`user show ${userid}`);
    expect(out).toEqual([
      `${userid}: registered 2026-03-18 10:00:00, last login 2026-03-18 10:00:00`,
      expect.stringMatching(/^TOKEN +CREATED +LAST USED +ENDS +MAY$/),
      expect.stringMatching(/^\w+ +2026-03-18 10:00:00 +2026-03-18 10:00:00 +login$/),
      expect.stringMatching(/^\w+ +.* 2026-03-19 10:00:00 +exams:read \(copies only\)$/),
    ]);
    expect(out.join()).not.toContain('words');
    const { tokens, hooks } = JSON.parse((await campus(`user show ${userid} --json`)).out.join());
    expect([tokens.length, hooks]).toEqual([2, []]);
    expect(await campus('user show 9')).toMatchObject({ code: 1, err: ['no user 9'] });
  });

  it('revoke ends what may be in the wrong hands: tokens prove nothing, networks are forgotten, feeds end unless kept', async () => {
    await register();
    await addFeed('feed-9');
    await remember({ networks: [{ network: 'home', at: now }] });
    const left = () =>
      stored(async ({ tokens, feeds, guards }) => ({
        bearer: await tokens.bearer(sha256(`token ${userid}`), now),
        feeds: (await feeds.list(userid)).length,
        networks: (await readGuard({ guards }, userid)).student.networks.length,
      }));
    expect(await left()).toEqual({ bearer: userid, feeds: 1, networks: 1 });
    expect((await campus(`user revoke ${userid} --keep feeds`)).out).toEqual([
      `${userid}: 1 token revoked, campus sessions dropped, known networks forgotten, 1 calendar feed kept`,
    ]);
    expect(await left()).toEqual({ bearer: null, feeds: 1, networks: 0 });
    expect((await campus(`user revoke ${userid} --keep=`)).out.join()).toContain('0 tokens revoked');
    expect(await left()).toEqual({ bearer: null, feeds: 0, networks: 0 });
    expect((await campus('user revoke 9')).code).toBe(1);
  });

  it('delete asks first, and without a terminal wants --yes', async () => {
    await register();
    const questions: string[] = [];
    const saying = (answer: boolean): Partial<World> => ({
      confirm: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    expect(await campus(`user delete ${userid}`)).toMatchObject({
      code: 1,
      err: ['nothing was changed; give --yes to erase the account'],
    });
    expect((await campus(`user delete ${userid}`, saying(false))).code).toBe(1);
    expect((await campus('user list --json')).out).toHaveLength(1);
    expect((await campus(`user delete ${userid}`, saying(true))).code).toBe(0);
    expect(questions[0]).toBe(`Erase the account ${userid} and everything stored of it?`);
    expect((await campus('user list')).out).toEqual(['no users']);
    expect(await campus(`user delete --yes ${userid}`)).toMatchObject({ code: 1, err: [`no user ${userid}`] });
  });
});

describe('feeds', () => {
  it('lists the feeds of a student without their names, and ends one of them or all', async () => {
    await register();
    expect((await campus(`feeds ${userid}`)).out).toEqual([`${userid}: no calendar feeds`]);
    await addFeed('7d1f0a94c2b85e36');
    await addFeed('00aa11bb22cc33dd');
    await addFeed('third');
    const { out } = await campus(`feeds ${userid}`);
    expect(out[0]).toBe('FEED              HOLDS          CREATED              LAST POLL');
    expect(out).toContain('7d1f0a94c2b85e36  classes,exams  2026-03-18 10:00:00  never');
    const members = ['createdAt', 'id', 'parts', 'polledAt'];
    expect(Object.keys(JSON.parse((await campus(`feeds ${userid} --json`)).out[0] ?? '')).toSorted()).toEqual(members);
    expect(await campus(`feeds ${userid} --revoke x`)).toMatchObject({
      code: 1,
      err: [`${userid}: no calendar feed x`],
    });
    expect((await campus(`feeds ${userid} --revoke third`)).out).toEqual([`${userid}: 1 calendar feed revoked`]);
    expect((await campus(`feeds ${userid} --revoke-all`)).out).toEqual([`${userid}: 2 calendar feeds revoked`]);
    expect(await stored(({ feeds }) => feeds.list(userid))).toEqual([]);
    expect(await campus('feeds 9')).toMatchObject({ code: 1, err: ['no user 9'] });
  });
});

describe('the login guard', () => {
  it('lets a student in again: budgets and waits are emptied, networks stay, and the id need not be registered', async () => {
    const guess = { at: now, kind: 'stranger', by: '', pair: 'p' } as const;
    const networks = [{ at: now, network: 'home' }];
    await remember({ guesses: [guess], networks });
    expect(await campus(`unlock ${userid}`)).toEqual({
      code: 0,
      out: [`${userid}: budgets and waits emptied`],
      err: [`${userid} is not registered`],
    });
    const { student } = await stored((storage) => readGuard(storage, userid));
    expect(student).toMatchObject({ guesses: [], networks });
  });

  it('has a row that cannot be understood named by the doctor and after a restore, and forgets it when told', async () => {
    await stored(({ campusIdentity }) => campusIdentity.claim({ CAMPUS: 'demo' }, 'DEMO-2026'));
    breakGuard();
    const why = 'the login guard cannot understand its row gateway; `campus guard reset gateway` lets it begin again';
    expect(await campus('doctor')).toMatchObject({
      code: 1,
      out: expect.arrayContaining([`FAILED   guard          ${why}`]),
    });
    await campus(`backup ${folder}/b.db`);
    const { DATABASE_URL } = env;
    env.DATABASE_URL = `sqlite:${folder}/restored.db`;
    expect(await campus(`restore ${folder}/b.db`)).toMatchObject({ code: 0, err: [why] });
    env.DATABASE_URL = DATABASE_URL ?? '';
    expect((await campus('guard reset gateway')).code).toBe(0);
    expect((await campus('guard reset gateway')).code).toBe(1);
    expect((await campus('doctor')).code).toBe(0);
  });

  it('prints the names of log lines', async () => {
    expect((await campus('tag 192.0.2.1')).out).toEqual([expect.stringMatching(/^network=[0-9a-f]{12}$/)]);
    expect((await campus(`tag ${userid}`)).out).toEqual([expect.stringMatching(/^student=[0-9a-f]{12}$/)]);
  });
});

describe('rotate-keys', () => {
  it('reseals with the first key, and fails while something is sealed by a key that is missing', async () => {
    await register();
    env.SECRET_KEY = newKey.toString('base64');
    const lost = await campus('rotate-keys');
    expect(lost).toMatchObject({ code: 1, err: [expect.stringMatching(/^[1-9]\d* opened by no key/)] });
    expect((await campus('doctor')).out).toContain(
      'FAILED   keys           none opens the passwords of 1 students; is a key missing in SECRET_KEY?',
    );
    env.SECRET_KEY = [newKey, oldKey].map((key) => key.toString('base64')).join(',');
    expect(await campus('rotate-keys')).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^[1-9]\d* resealed/), 'the other keys are not needed any more'],
    });
    const read = await stored(({ accounts }) => accounts.readPair(userid), newKey);
    expect(read?.pair).toEqual({ password: 'a-password', vpnPassword: 'a-vpn-password' });
  });
});

describe('doctor', () => {
  it('says of the demo campus what a start would say, and what storage holds', async () => {
    await register();
    await stored(({ campusIdentity }) => campusIdentity.claim({ CAMPUS: 'demo' }, 'DEMO-2026'));
    expect(await campus('doctor')).toMatchObject({
      code: 0,
      out: [
        expect.stringMatching(
          /^ok {7}version {8}campus-gateway \d+\.\d+\.\d+(?:-dev)?, revision (unknown|[0-9a-f]{40}), \S+$/,
        ),
        'ok       configuration  complete',
        `ok       storage        SQLite ${folder}/campus.db answers, schema ${newest}`,
        'ok       database       belongs to the demo campus',
        'ok       last backup    never',
        'ok       students       1, with 1 valid tokens',
        'ok       evaluations    0 under way',
        'ok       copies         0 of reads, 0 calendar feeds',
        'ok       campus         demo campus, nothing to reach',
        'ok       clock          2026-03-18 10:00:00 (Asia/Shanghai); no upstream told the time to compare with',
      ],
    });
  });

  it('reports every upstream, and fails when one does not answer', async () => {
    env = { ...wiring, DATABASE_URL: env.DATABASE_URL ?? '', SECRET_KEY: env.SECRET_KEY ?? '' };
    const refused = { status: null, detail: 'connect ECONNREFUSED', serverTime: null };
    const reach = answering({ academics: refused, electricity: { status: 503 } });
    const { code, out } = await campus('doctor', { reach });
    expect([code, out.slice(-8)]).toEqual([
      1,
      [
        'ok       portal         https://127.0.0.1:8443 answers 200 in 12 ms',
        'ok       unified login  http://127.0.0.1:8101 answers 200 in 12 ms',
        'FAILED   academics      http://127.0.0.1:8102: connect ECONNREFUSED',
        'ok       activity score http://127.0.0.1:8103 answers 200 in 12 ms',
        'ok       labor club     http://127.0.0.1:8104 answers 200 in 12 ms',
        'warning  electricity    http://127.0.0.1:8105 answers 503 in 12 ms',
        'ok       competitions   http://127.0.0.1:8106 answers 200 in 12 ms',
        'ok       clock          2026-03-18 10:00:00 (Asia/Shanghai), 0 s ahead of the campus',
      ],
    ]);
    // Every host that gets a password is named, as by `--check-config`.
    expect(out.filter((row) => row.includes(' passwords '))).toEqual([
      'ok       passwords      go to https://127.0.0.1:8443',
      'ok       passwords      go to http://127.0.0.1:8101',
    ]);
    // Every product says what is known of it: a demo campus proves nothing.
    expect(out).toContain('ok       proven         no read yet, as no recording of a real campus is here');
    const ahead = { serverTime: now + 90_000 };
    const most = { portal: ahead, 'unified login': ahead, academics: ahead, electricity: ahead };
    expect((await campus('doctor', { reach: answering(most) })).out.at(-1)).toBe(
      'warning  clock          2026-03-18 10:00:00 (Asia/Shanghai), 90 s behind the campus',
    );
  });

  it('names each problem of the configuration and goes no further, and shows warnings without failing', async () => {
    env.METRICS_PORT = '9464';
    expect(await campus('doctor')).toMatchObject({
      code: 0,
      out: expect.arrayContaining([
        'warning  configuration  METRICS_PORT: set, while METRICS is off; set METRICS=on to serve metrics',
      ]),
    });
    env.PORT = 'many';
    env.METRICS_PORT = 'more';
    const { code, out } = await campus('doctor');
    expect([code, out.length]).toEqual([1, 3]);
    for (const line of out.slice(1)) expect(line).toMatch(/^FAILED {3}configuration {2}(METRICS_)?PORT: /);
  });

  it('fails for a database of another campus, and for one that cannot be opened, and still looks at the rest', async () => {
    await stored(({ campusIdentity }) => campusIdentity.claim(elsewhere, 'DEMO-2026'));
    const foreign = await campus('doctor');
    expect(foreign.code).toBe(1);
    expect(foreign.out[3]).toMatch(
      /^FAILED {3}database .* belongs to the campus at https:\/\/vpn\.here\.edu, and the settings name the demo campus/,
    );
    writeFileSync(join(folder, 'text.db'), 'no database at all, but long enough to be looked at');
    env.DATABASE_URL = `sqlite:${folder}/text.db`;
    const broken = await campus('doctor');
    expect([broken.code, broken.out.length]).toEqual([1, 5]);
    expect(broken.out[2]).toMatch(/^FAILED {3}storage {8}DATABASE_URL: SQLite .*text\.db cannot be opened/);
  });

  it('says what a start would do to the schema, and leaves an older or missing database as it is', async () => {
    const path = join(folder, 'campus.db');
    writeFormerFile(path, '0015');
    const bytes = readFileSync(path);
    expect(await campus('doctor')).toMatchObject({
      code: 0,
      out: expect.arrayContaining([
        expect.stringMatching(new RegExp(`a start brings it from 001\\d-\\S+ to ${newest}: `)),
      ]),
    });
    for (const line of [`backup ${folder}/backup.db`, 'invite create']) {
      const { code, out, err } = await campus(line);
      expect([code, out, err.join()]).toEqual([1, [], expect.stringMatching(/OLDER_SCHEMA 001\d-.*start the service/)]);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
    await stored(async () => undefined);
    expect((await campus('doctor')).out.join('\n')).toContain(`${path}.before-`);

    const nothing = workingDirectory();
    expect((await typeCampus(nothing, ['doctor'], {}).ended).out).toContain('a start makes it');
    expect(readdirSync(nothing)).toEqual([]);
  });
});

describe('status', () => {
  it('says what runs and what is stored, as lines or as one object', async () => {
    await stored(({ replicas }) => replicas.announce({ id: 'r', name: 'replica-a:7' }, now, 30_000));
    const { code, out } = await campus('status', { reach: answering() });
    expect([code, out]).toEqual([
      0,
      [
        'service      ready at http://127.0.0.1:3000',
        'replicas     replica-a:7',
        `storage      SQLite ${folder}/campus.db, schema ${newest}`,
        'last backup  never',
        'students     0, with 0 valid tokens',
        'evaluations  0 under way',
        'copies       0 of reads, 0 calendar feeds',
      ],
    ]);
    const dead = { service: { status: null, detail: 'ECONNREFUSED' } };
    const { out: json } = await campus('status --json', { reach: answering(dead) });
    const service = { service: 'no answer', replicas: ['replica-a:7'] };
    const storage = { storage: `SQLite ${folder}/campus.db`, schema: newest, lastBackup: null, upgradeCopies: [] };
    const counts = { students: 0, tokens: 0, evaluations: 0, copies: 0, feeds: 0 };
    expect(JSON.parse(json.join())).toEqual({ ...service, ...storage, ...counts });
  });

  it('fails where nothing runs', async () => {
    expect((await campus('status', { reach: answering({ service: { status: 404 } }) })).code).toBe(1);
  });
});

describe('backup and restore', () => {
  const lastBackup = () => stored((storage) => storage.lastBackup());
  beforeEach(() =>
    stored(async ({ campusIdentity, invites }) => {
      await campusIdentity.claim({ CAMPUS: 'demo' }, 'DEMO-2026');
      await invites.createCode({ code: 'KEPT-1', maxUses: 3, expiresAt: null, now });
    }),
  );

  it('give back what was there, from a file that no other user reads and nothing overwrites', async () => {
    const file = join(folder, 'b.db');
    expect(await campus(`backup ${file}`)).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/b\.db: \d+ rows of \d+ tables of SQLite .*campus\.db$/)],
      err: ['it is of no use without SECRET_KEY, which is not in it'],
    });
    expect([statSync(file).mode & 0o777, await lastBackup()]).toEqual([0o600, now]);
    const bytes = readFileSync(file);
    expect(await campus(`backup ${file}`)).toMatchObject({
      code: 1,
      err: [expect.stringContaining('exists already; nothing was changed')],
    });
    env.DATABASE_URL = `sqlite:${folder}/restored.db`;
    expect(await campus(`restore ${file}`)).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/restored\.db: \d+ rows of \d+ tables restored, for the demo campus$/)],
      err: [],
    });
    expect((await campus('invite list')).out.join()).toContain('KEPT-1');
    expect(await campus(`restore ${file}`)).toMatchObject({
      code: 1,
      err: [expect.stringContaining('holds data already; name an empty database'), 'nothing was changed'],
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('b.db'))).toEqual(['b.db']);
  });

  it('note no backup that failed, and one that was made by other means', async () => {
    expect((await campus(`backup ${folder}/no/such/folder/b.db`)).code).toBe(1);
    expect(await lastBackup()).toBeNull();
    expect((await campus('backup --done')).code).toBe(0);
    expect(await lastBackup()).toBe(now);
  });

  it('refuse a backup of another campus, what is no backup, and passwords that no key opens unless told', async () => {
    await register();
    await campus(`backup ${folder}/b.db`);
    mkdirSync(join(folder, 'new'));
    env.DATABASE_URL = `sqlite:${folder}/new/campus.db`;
    const refused = async (line: string): Promise<string | undefined> => {
      const { code, out, err } = await campus(line);
      expect([code, out, err[1], readdirSync(join(folder, 'new'))]).toEqual([1, [], 'nothing was changed', []]);
      return err[0];
    };
    await writeMigratedDatabase(join(folder, 'empty.db'));
    expect(await refused(`restore ${folder}/empty.db`)).toContain('is no backup: it belongs to no campus');
    env.SECRET_KEY = newKey.toString('base64');
    expect(await refused(`restore ${folder}/b.db`)).toContain('none of the keys opens the passwords of 1 students');
    env = { ...wiring, DATABASE_URL: env.DATABASE_URL ?? '', SECRET_KEY: oldKey.toString('base64') };
    expect(await refused(`restore ${folder}/b.db`)).toContain('b.db belongs to the demo campus');
    env = { CAMPUS: 'demo', DATABASE_URL: env.DATABASE_URL ?? '', SECRET_KEY: newKey.toString('base64') };
    expect((await campus(`restore --any-key ${folder}/b.db`)).code).toBe(0);
  });

  it('leave no half database behind where the copying fails', async () => {
    await campus(`backup ${folder}/b.db`);
    mkdirSync(join(folder, 'new'));
    env.DATABASE_URL = `sqlite:${folder}/new/campus.db`;
    const open: World['open'] = async (...opening) => {
      const storage = await worldOfProcess().open(...opening);
      const copyTo = storage.copyTo.bind(storage);
      vi.spyOn(storage, 'copyTo').mockImplementation(async (url) => {
        await copyTo(url);
        throw new Error('the disk is full');
      });
      return storage;
    };
    expect(await campus(`restore ${folder}/b.db`, { open })).toMatchObject({
      code: 1,
      err: ['campus: the disk is full'],
    });
    expect(readdirSync(join(folder, 'new'))).toEqual([]);
  });
});
