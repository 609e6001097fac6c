import { beforeEach, describe, expect, it } from 'vitest';
import { newCode } from '../../../src/cli/commands/invite.ts';
import { runCampus } from '../../../src/cli/run.ts';
import { help } from '../../../src/cli/usage.ts';
import { grantKinds } from '../../../src/domain/accounts/grants.ts';
import type { CampusIdentity } from '../../../src/lib/campus-identity.ts';
import { CliWorld, now } from '../../support/cli-world.ts';
import { wiring } from '../config/support.ts';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
const campus = (line: string) => runCampus(line === '' ? [] : line.split(' '), world);

describe('usage', () => {
  it('names in the help what `user revoke` ends, and everything of it that may be kept', () => {
    const text = help.slice(help.indexOf('campus user revoke'), help.indexOf('campus user delete'));
    expect(text).toContain(`--keep ${grantKinds.join(',')}`);
    for (const kind of grantKinds) expect(text).toMatch(new RegExp(`his [^;]*${kind}[^;]* unless`, 's'));
  });

  it.each(['help', '--help', '-h', 'invite --help', 'user revoke -h'])('`%s` prints the help', async (line) => {
    expect(await campus(line)).toBe(0);
    expect(world.printed).toEqual([help]);
    expect(world.opened).toBe(0);
  });

  it.each([
    ['', 'a command is missing'],
    ['nope', "unknown command 'nope'"],
    ['invite', "'invite' needs a subcommand"],
    ['invite nope', "unknown command 'invite nope'"],
    ['user', "'user' needs a subcommand"],
    ['invite revoke', 'CODE is missing'],
    ['invite revoke A B', "unexpected argument 'B'"],
    ['invite list extra', "unexpected argument 'extra'"],
    ['invite create --uses 0', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 1.5', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 1e3', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 1000001', '--uses takes a whole number from 1 to 1000000'],
    ['invite create --uses 2 --unlimited', '--uses and --unlimited exclude each other'],
    ['invite create a,b', 'a code is 1 to 50 letters, digits, dots, dashes and underscores'],
    [`invite create ${'x'.repeat(51)}`, 'a code is 1 to 50 letters, digits, dots, dashes and underscores'],
    ['user revoke', 'USERID is missing'],
    ['user revoke 1 --keep feed', "--keep takes feeds, hooks, tokens, not 'feed'"],
    ['user delete', 'USERID is missing'],
    ['unlock', 'USERID is missing'],
    ['tag', 'USERID or ADDRESS is missing'],
    ['backup', 'FILE is missing'],
    ['restore', 'FILE is missing'],
    ['move', '--to takes postgres://user:password@host:port/database'],
    ['move --to sqlite:./other.db', '--to takes postgres://user:password@host:port/database'],
    ['rotate-keys now', "unexpected argument 'now'"],
    ['doctor please', "unexpected argument 'please'"],
  ])('`%s` exits 2, says why first and in two lines, and touches nothing', async (line, why) => {
    expect(await campus(line)).toBe(2);
    expect(world.complained).toEqual([`campus: ${why}`, '`campus help` lists all commands']);
    expect(world.printed).toEqual([]);
    expect(world.opened).toBe(0);
  });

  it('`version` says what runs, without settings or storage', async () => {
    expect(await campus('version')).toBe(0);
    expect(world.printed).toEqual([
      expect.stringMatching(/^campus-gateway \d+\.\d+\.\d+, revision (unknown|[0-9a-f]{40}), \S+$/),
    ]);
    expect(world.opened).toBe(0);
  });

  it.each([
    ['invite list --json', ['code', 'maxUses', 'used', 'expiresAt', 'createdAt', 'revokedAt', 'state']],
    ['user list --json', ['userid', 'createdAt', 'lastLoginAt', 'tokens']],
    ['feeds 2023000001 --json', ['id', 'parts', 'createdAt', 'polledAt']],
  ])('`%s` prints one object per line and nothing else', async (line, members) => {
    await campus('invite create');
    world.printed.length = 0;
    world.users = [{ userid: '2023000001', createdAt: now, lastLoginAt: null, tokens: 1 }];
    world.feeds = [{ id: '7d1f0a94c2b85e36', parts: ['classes'], createdAt: now, polledAt: null }];
    expect(await campus(line)).toBe(0);
    expect(world.printed.length).toBeGreaterThan(0);
    for (const text of world.printed) expect(Object.keys(JSON.parse(text)).sort()).toEqual([...members].sort());
  });

  it('an unknown option is wrong usage', async () => {
    expect(await campus('invite create --forever')).toBe(2);
    expect(world.complained[0]).toContain("'--forever'");
  });

  it('an incomplete configuration is reported and nothing is opened', async () => {
    world.problems = [{ key: 'SECRET_KEY', problem: 'not set', hint: 'give 32 bytes in base64' }];
    expect(await campus('invite list')).toBe(1);
    expect(world.complained).toEqual(['SECRET_KEY: not set; give 32 bytes in base64']);
    expect(world.opened).toBe(0);
  });

  it('a storage that cannot be opened is reported with its reason', async () => {
    world.storageError = new Error('storage-failed: open', { cause: new Error('disk full') });
    expect(await campus('invite list')).toBe(1);
    expect(world.complained).toEqual(['campus: storage-failed: open (disk full)']);
  });

  it('the storage is closed after success, refusal and failure', async () => {
    await campus('invite create A');
    await campus('invite create A');
    await campus('invite create --expires yesterday');
    expect([world.opened, world.closed]).toEqual([2, 2]);
  });
});

describe('invite', () => {
  it('create without anything makes one random code with one use; only the code goes to the output', async () => {
    expect(await campus('invite create')).toBe(0);
    const [code = ''] = world.printed;
    expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    expect(world.complained).toEqual(['created: 1 use, no expiry']);
    expect(world.invites).toMatchObject([{ code, maxUses: 1, expiresAt: null }]);
  });

  it('create takes uses, code and a day, which counts to its end in the campus time zone', async () => {
    expect(await campus('invite create --uses 30 --expires 2026-06-30 CLASS-7')).toBe(0);
    expect(world.invites).toMatchObject([
      { code: 'CLASS-7', maxUses: 30, expiresAt: Date.parse('2026-07-01T00:00:00+08:00') - 1 },
    ]);
    expect(world.complained).toEqual(['created: 30 uses, until 2026-06-30 23:59:59 (Asia/Shanghai)']);
  });

  it('create without a limit, until a moment', async () => {
    expect(await campus('invite create OPEN --unlimited --expires 2026-09-01T12:00:00+02:00')).toBe(0);
    expect(world.invites).toMatchObject([{ maxUses: null, expiresAt: Date.parse('2026-09-01T10:00:00Z') }]);
  });

  it('a day is read by the zone of that day, summer time included', async () => {
    world.env.CAMPUS_TIMEZONE = 'Europe/Berlin';
    await campus('invite create A --expires 2026-03-28');
    await campus('invite create B --expires 2026-03-29');
    expect(world.invites.map(({ expiresAt }) => expiresAt)).toEqual([
      Date.parse('2026-03-29T00:00:00+01:00') - 1,
      Date.parse('2026-03-30T00:00:00+02:00') - 1,
    ]);
  });

  it.each([
    ['tomorrow', 'is no date'],
    ['2026-06-31', 'is no date'],
    ['2026-13-01', 'is no date'],
    ['2026-09-01T12:00:00', 'is no date'],
    ['2026-03-17', 'is not in the future'],
    ['2026-03-18T02:00:00Z', 'is not in the future'],
  ])('create --expires %s %s', async (date, why) => {
    expect(await campus(`invite create --expires ${date}`)).toBe(2);
    expect(world.complained[0]).toContain(why);
    expect(world.invites).toEqual([]);
  });

  it('create never changes a code that exists', async () => {
    await campus('invite create A');
    expect(await campus('invite create A --uses 9')).toBe(1);
    expect(world.invites).toMatchObject([{ code: 'A', maxUses: 1 }]);
  });

  it('list shows what each code is good for', async () => {
    const plain = { maxUses: 2, used: 1, expiresAt: null, createdAt: now, revokedAt: null };
    world.invites = [
      { ...plain, code: 'GOOD' },
      { ...plain, code: 'FREE', maxUses: null },
      { ...plain, code: 'EMPTY', used: 2 },
      { ...plain, code: 'LATE', expiresAt: now },
      { ...plain, code: 'GONE', revokedAt: now },
    ];
    expect(await campus('invite list')).toBe(0);
    expect(world.printed).toEqual([
      'CODE   STATE    USED      EXPIRES              CREATED',
      'GOOD   usable   1 of 2    never                2026-03-18 10:00:00',
      'FREE   usable   1 of any  never                2026-03-18 10:00:00',
      'EMPTY  used up  2 of 2    never                2026-03-18 10:00:00',
      'LATE   expired  1 of 2    2026-03-18 10:00:00  2026-03-18 10:00:00',
      'GONE   revoked  1 of 2    never                2026-03-18 10:00:00',
    ]);
  });

  it('list of nothing says so', async () => {
    await campus('invite list');
    expect(world.printed).toEqual(['no invite codes']);
  });

  it('revoke names the code, and fails for an unknown one', async () => {
    await campus('invite create A');
    expect(await campus('invite revoke A')).toBe(0);
    expect(await campus('invite revoke B')).toBe(1);
    expect(world.calls).toEqual(['revoke invite A', 'revoke invite B']);
    expect(world.complained.at(-1)).toBe('the code B is unknown or revoked already');
  });

  it('random codes are long, readable and different', () => {
    const codes = new Set(Array.from({ length: 100 }, newCode));
    expect(codes.size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-TV-Z2-9]{4}(-[A-HJKMNP-TV-Z2-9]{4}){3}$/);
  });
});

describe('user', () => {
  const user = (n: number) => ({
    userid: `2023${String(n).padStart(6, '0')}`,
    createdAt: now,
    lastLoginAt: n % 2 === 0 ? null : now,
    tokens: n % 6,
  });

  it('list shows ids, tokens and times, and asks page by page', async () => {
    world.users = Array.from({ length: 501 }, (_, n) => user(n));
    expect(await campus('user list')).toBe(0);
    expect(world.printed).toHaveLength(502);
    expect(world.printed.slice(0, 3)).toEqual([
      'USERID                TOKENS  REGISTERED           LAST LOGIN',
      '2023000000                 0  2026-03-18 10:00:00  never',
      '2023000001                 1  2026-03-18 10:00:00  2026-03-18 10:00:00',
    ]);
    expect(world.calls).toEqual(["list users after ''", "list users after '2023000499'"]);
  });

  it('list of nobody says so', async () => {
    await campus('user list');
    expect(world.printed).toEqual(['no users']);
  });

  it('show lists the tokens, what each may do and until when, and not what its owner calls it', async () => {
    world.users = [user(1)];
    const times = { createdAt: now, lastUsedAt: now };
    world.tokens = [
      { id: 'aaaa', scopes: null, copiesOnly: false, expiresAt: null, ...times },
      { id: 'bbbb', scopes: ['schedule:read', 'exams:read'], copiesOnly: true, expiresAt: now + 86_400_000, ...times },
    ];
    expect(await campus('user show 2023000001')).toBe(0);
    expect(world.printed).toEqual([
      '2023000001: registered 2026-03-18 10:00:00, last login 2026-03-18 10:00:00',
      'TOKEN  CREATED              LAST USED            ENDS                 MAY',
      'aaaa   2026-03-18 10:00:00  2026-03-18 10:00:00                       login',
      'bbbb   2026-03-18 10:00:00  2026-03-18 10:00:00  2026-03-19 10:00:00  schedule:read exams:read (copies only)',
    ]);
    expect(await campus('user show 9')).toBe(1);

    world.printed.length = 0;
    const made = { format: 'bark', createdAt: now } as const;
    world.hooks = [
      { id: 'cccc', state: 'on', deliveredAt: now, failingSince: null, ...made },
      { id: 'dddd', state: 'failed', deliveredAt: null, failingSince: now, ...made },
    ];
    expect(await campus('user show 2023000001')).toBe(0);
    expect(world.printed.slice(4, 7)).toEqual([
      'HOOK  STATE   FORMAT  CREATED              DELIVERED            FAILING SINCE',
      'cccc  on      bark    2026-03-18 10:00:00  2026-03-18 10:00:00',
      'dddd  failed  bark    2026-03-18 10:00:00  never                2026-03-18 10:00:00',
    ]);
  });

  it('revoke says how many tokens ended', async () => {
    world.users = [user(1), user(2), user(6)];
    for (const n of [1, 2, 6]) expect(await campus(`user revoke ${user(n).userid}`)).toBe(0);
    expect(world.printed).toEqual([
      '2023000001: 1 token revoked, campus sessions dropped, known networks forgotten',
      '2023000002: 2 tokens revoked, campus sessions dropped, known networks forgotten',
      '2023000006: 0 tokens revoked, campus sessions dropped, known networks forgotten',
    ]);
    expect(await campus('user revoke 9')).toBe(1);
  });

  it.each([
    ['', 'ended'],
    [' --keep feeds', 'kept'],
    [' --keep=', 'ended'],
  ])('revoke%s: the calendar feeds are %s', async (option, what) => {
    world.users = [user(1)];
    const feed = { parts: ['exams' as const], createdAt: now, polledAt: null };
    world.feeds = [{ ...feed, id: 'a' }];
    await campus(`user revoke 2023000001${option}`);
    world.feeds = [...world.feeds, { ...feed, id: 'b' }];
    await campus(`user revoke 2023000001${option}`);
    const said = '2023000001: 1 token revoked, campus sessions dropped, known networks forgotten';
    expect(world.printed).toEqual([`${said}, 1 calendar feed ${what}`, `${said}, 2 calendar feeds ${what}`]);
  });

  it('delete asks first, and without a terminal wants --yes', async () => {
    world.users = [user(1), user(2)];
    const there = world.users.length;
    expect(await campus('user delete 2023000001')).toBe(1);
    expect(world.complained).toEqual(['nothing was changed; give --yes to erase the account']);
    world.answer = false;
    expect(await campus('user delete 2023000001')).toBe(1);
    expect([world.users.length, world.questions.at(-1)]).toEqual([
      there,
      'Erase the account 2023000001 and everything stored of it?',
    ]);
    world.answer = true;
    expect(await campus('user delete 2023000001')).toBe(0);
    expect(world.users).toHaveLength(there - 1);
  });

  it('delete erases one user and fails for an unknown one', async () => {
    world.users = [user(1), user(2)];
    expect(await campus('user delete --yes 2023000001')).toBe(0);
    expect(await campus('user delete --yes 2023000001')).toBe(1);
    expect(world.users).toEqual([user(2)]);
  });
});

describe('rotate-keys', () => {
  it('succeeds when everything is sealed by the first key', async () => {
    world.rotation = { resealed: 12, unreadable: 0, unsettled: 0 };
    expect(await campus('rotate-keys')).toBe(0);
    expect(world.printed).toEqual(['12 resealed with the first key', 'the other keys are not needed any more']);
  });

  it.each([{ unreadable: 1 }, { unsettled: 1 }])('fails while something is left: %o', async (left) => {
    world.rotation = { resealed: 12, unreadable: 0, unsettled: 0, ...left };
    expect(await campus('rotate-keys')).toBe(1);
    expect(world.printed).toEqual(['12 resealed with the first key']);
    expect(world.complained).toHaveLength(1);
  });
});

describe('doctor', () => {
  it('fails for a database of another campus, and names both', async () => {
    world.owner = { CAMPUS_VPN_URL: 'https://vpn.here.edu' };
    expect(await campus('doctor')).toBe(1);
    expect(world.printed[2]).toMatch(
      /^FAILED {3}database .* belongs to the campus at https:\/\/vpn\.here\.edu, and the settings name the demo campus/,
    );
  });

  it('of the demo campus needs nobody', async () => {
    expect(await campus('doctor')).toBe(0);
    expect(world.printed).toEqual([
      'ok       configuration  complete',
      'ok       storage        SQLite ./data/campus.db answers',
      'ok       database       belongs to the demo campus',
      'ok       campus         demo campus, nothing to reach',
      'ok       clock          2026-03-18 10:00:00 (Asia/Shanghai); no upstream told the time to compare with',
    ]);
    expect(world.closed).toBe(1);
  });

  it('reports every upstream, and fails when one does not answer', async () => {
    world.env = { ...world.env, ...wiring };
    world.owner = null;
    world.reaches.set('academics', { status: null, detail: 'connect ECONNREFUSED', serverTime: null });
    world.reaches.set('electricity', { status: 503 });
    expect(await campus('doctor')).toBe(1);
    expect(world.printed.slice(3)).toEqual([
      'ok       portal         https://127.0.0.1:8443 answers 200 in 12 ms',
      'ok       unified login  http://127.0.0.1:8101 answers 200 in 12 ms',
      'FAILED   academics      http://127.0.0.1:8102: connect ECONNREFUSED',
      'ok       activity score http://127.0.0.1:8103 answers 200 in 12 ms',
      'ok       labor club     http://127.0.0.1:8104 answers 200 in 12 ms',
      'warning  electricity    http://127.0.0.1:8105 answers 503 in 12 ms',
      'ok       competitions   http://127.0.0.1:8106 answers 200 in 12 ms',
      'ok       clock          2026-03-18 10:00:00 (Asia/Shanghai), 0 s ahead of the campus',
    ]);
  });

  it('warns of a clock that differs from most of the campus', async () => {
    world.env = { ...world.env, ...wiring };
    world.owner = null;
    const most = ['portal', 'unified login', 'academics', 'electricity'];
    for (const [at, name] of most.entries()) world.reaches.set(name, { serverTime: now + 90_000 + at });
    expect(await campus('doctor')).toBe(0);
    expect(world.printed.at(-1)).toBe(
      'warning  clock          2026-03-18 10:00:00 (Asia/Shanghai), 90 s behind the campus',
    );
  });

  it('names each problem of the configuration and goes no further', async () => {
    world.problems = [
      { key: 'PORT', problem: '99999', hint: 'give a whole number' },
      { key: 'CAMPUS_CAS_URL', problem: 'not set', hint: 'set it' },
    ];
    expect(await campus('doctor')).toBe(1);
    expect(world.printed).toEqual([
      'FAILED   configuration  PORT: 99999; give a whole number',
      'FAILED   configuration  CAMPUS_CAS_URL: not set; set it',
    ]);
    expect(world.opened).toBe(0);
  });

  it('shows warnings of the configuration without failing', async () => {
    world.env.METRICS_PORT = '9464';
    expect(await campus('doctor')).toBe(0);
    expect(world.printed).toContain(
      'warning  configuration  METRICS_PORT: set, while METRICS is off; set METRICS=on to serve metrics',
    );
  });

  it('fails when the storage cannot be opened, and still looks at the rest', async () => {
    world.storageError = new Error('DATABASE_URL: SQLite ./data/campus.db cannot be opened (EACCES)');
    expect(await campus('doctor')).toBe(1);
    expect(world.printed[1]).toBe(
      'FAILED   storage        DATABASE_URL: SQLite ./data/campus.db cannot be opened (EACCES)',
    );
    expect(world.printed).toHaveLength(4);
  });

  it('fails when the storage opens and does not answer, and closes it', async () => {
    world.brokenStorage = new Error('storage-failed: check keys');
    expect(await campus('doctor')).toBe(1);
    expect(world.printed[1]).toBe('FAILED   storage        SQLite ./data/campus.db: storage-failed: check keys');
    expect(world.closed).toBe(1);
  });

  it('fails when there are passwords that none of the keys opens', async () => {
    world.foreign = 2;
    expect(await campus('doctor')).toBe(1);
    expect(world.printed).toContain(
      'FAILED   keys           none opens the passwords of 2 students; is a key missing in SECRET_KEY?',
    );
  });
});

describe('status', () => {
  it('says what runs, what is stored, and when it was last backed up', async () => {
    world.usedBy = ['replica-a:7'];
    expect(await campus('status')).toBe(0);
    expect(world.printed).toEqual([
      'service      ready at http://127.0.0.1:3000',
      'replicas     replica-a:7',
      'storage      SQLite ./data/campus.db, schema 0003-c',
      'last backup  never',
      'students     2, with 3 valid tokens',
      'evaluations  1 under way',
      'copies       40 of reads, 1 calendar feeds',
    ]);
    expect(world.accesses).toEqual(['look']);
  });

  it('is one object with --json, and exit code 1 where nothing runs', async () => {
    world.reaches.set('service', { status: null, detail: 'ECONNREFUSED' });
    world.lastBackup = now;
    expect(await campus('status --json')).toBe(1);
    expect(JSON.parse(world.printed.join())).toMatchObject({
      service: 'no answer',
      replicas: [],
      schema: '0003-c',
      lastBackup: now,
      students: 2,
      upgradeCopies: [],
    });
    world.usedBy = ['elsewhere:1'];
    expect(await campus('status')).toBe(0);
  });
});

describe('unlock and tag', () => {
  it('says that budgets and waits of a known student are empty', async () => {
    world.users = [{ userid: '2023000101', createdAt: now, lastLoginAt: null, tokens: 0 }];
    expect(await campus('unlock 2023000101')).toBe(0);
    expect(world.printed.at(-1)).toContain('budgets and waits emptied');
  });

  it('unlocks an id that is not registered, and says so', async () => {
    expect(await campus('unlock 2023000102')).toBe(0);
    expect(world.complained).toEqual(['2023000102 is not registered']);
    expect(world.printed.at(-1)).toContain('budgets and waits emptied');
    expect(await campus('unlock no-id')).toBe(2);
  });

  it('prints the names of log lines', async () => {
    expect(await campus('tag 2023000101')).toBe(0);
    expect(world.printed).toEqual(['student=tag of 2023000101']);
  });
});

describe('copies', () => {
  const elsewhere: CampusIdentity = { CAMPUS_VPN_URL: 'https://vpn.example.edu' };

  it('a backup says what it holds, and that it is nothing without the keys', async () => {
    expect(await campus('backup a.db')).toBe(0);
    expect(world.printed).toEqual(['a.db: 70 rows of 17 tables of SQLite ./data/campus.db']);
    expect(world.complained).toEqual(['it is of no use without SECRET_KEY, which is not in it']);
  });

  it('a backup is noted in the database, also one made by other means; none that failed is', async () => {
    world.copied = null;
    await campus('backup a.db');
    expect(world.lastBackup).toBeNull();
    expect(await campus('backup --done')).toBe(0);
    expect([world.lastBackup, world.calls]).toEqual([now, ['backup a.db']]);
    world.lastBackup = null;
    world.copied = { rows: 1, tables: 1 };
    await campus('backup b.db');
    expect(world.lastBackup).toBe(now);
    expect(await campus('backup c.db --done')).toBe(2);
  });

  it('a backup never replaces a file', async () => {
    world.copied = null;
    expect(await campus('backup a.db')).toBe(1);
    expect(world.complained).toEqual(['a.db exists already; nothing was changed']);
  });

  it('a restore names the campus it is for', async () => {
    expect(await campus('restore a.db')).toBe(0);
    expect(world.printed).toEqual(['SQLite ./data/campus.db: 70 rows of 17 tables restored, for the demo campus']);
  });

  it.each([
    [
      'a database that is not empty',
      () => {
        world.copied = null;
      },
      'SQLite ./data/campus.db holds data already; restore into an empty one',
    ],
    [
      'what is no backup',
      () => {
        world.backupOwner = null;
      },
      'a.db is no backup: it belongs to no campus',
    ],
    [
      'a backup of another campus',
      () => {
        world.backupOwner = elsewhere;
      },
      'vpn.example.edu',
    ],
    [
      'passwords that no key opens',
      () => {
        world.foreign = 2;
      },
      'none of the keys opens the passwords of 2 students in a.db',
    ],
  ])('a restore refuses %s', async (_name, given, why) => {
    given();
    expect(await campus('restore a.db')).toBe(1);
    expect(world.complained[0]).toContain(why);
    expect(world.complained[1]).toBe('nothing was changed');
    expect(world.printed).toEqual([]);
  });

  it('a restore and a move name the services that have to end first', async () => {
    world.usedBy = ['replica-a:7', 'replica-b:7'];
    for (const line of ['restore a.db', 'move --to postgres://campus@db:5432/campus']) {
      world.complained.length = 0;
      expect(await campus(line)).toBe(1);
      expect(world.complained).toEqual([
        'the service runs on the database (replica-a:7, replica-b:7); end it first. One that was killed counts for 30 s more',
        'nothing was changed',
      ]);
    }
    expect(world.printed).toEqual([]);
  });

  it('a restore opens no database before the backup is known to be good', async () => {
    world.backupOwner = null;
    expect([await campus('restore a.db'), world.opened]).toEqual([1, 0]);
  });

  it('a restore without the keys is possible when it is wanted', async () => {
    world.foreign = 2;
    expect(await campus('restore --any-key a.db')).toBe(0);
  });

  it('a move goes from SQLite to an empty PostgreSQL, and its messages hold no password', async () => {
    const line = 'move --to postgres://campus:pa55word@db:5432/campus';
    expect(await campus(line)).toBe(0);
    world.copied = null;
    expect(await campus(line)).toBe(1);
    world.env.DATABASE_URL = 'postgres://campus@db:5432/campus';
    expect(await campus(line)).toBe(1);
    expect(world.calls).toHaveLength(2);
    expect(world.printed[0]).toBe(
      'PostgreSQL db:5432/campus: 70 rows of 17 tables, as many as in SQLite ./data/campus.db',
    );
    expect([...world.printed, ...world.complained].join()).not.toContain('pa55word');
  });
});

describe('rows of the login guard that cannot be understood', () => {
  beforeEach(() => {
    world.unreadableGuards = ['student:2023000101', 'gateway'];
  });

  it('are named by the doctor, who fails', async () => {
    expect(await campus('doctor')).toBe(1);
    expect(world.printed).toContain(
      'FAILED   guard          the login guard cannot understand its row gateway; `campus guard reset gateway` lets it begin again',
    );
    expect(world.printed.filter((line) => line.startsWith('FAILED   guard'))).toHaveLength(2);
  });

  it('are named after a restore, which succeeds', async () => {
    expect(await campus('restore there.db')).toBe(0);
    expect(world.complained.filter((line) => line.includes('campus guard reset'))).toHaveLength(2);
  });

  it('are reset one by one', async () => {
    expect(await campus('guard reset gateway')).toBe(0);
    expect(world.calls).toContain('reset guard gateway');
    expect(await campus('guard reset nothing')).toBe(1);
    expect(await campus('guard reset')).toBe(2);
    expect(await campus('guard')).toBe(2);
  });
});
