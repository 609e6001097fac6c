import { beforeEach, describe, expect, it } from 'vitest';
import { erasureOf } from '../../../../../src/domain/accounts/guard/stored-rows.ts';
import { failures } from '../../../../../src/domain/errors.ts';
import { sha256 } from '../../../../../src/lib/hash.ts';
import { type AccountStores, openAccountStores } from '../../../../support/account-stores.ts';
import {
  AccountsRig,
  ann,
  ben,
  DAY_MS,
  failureOf,
  renewed,
  right,
  TTL_MS,
  wrong,
} from '../../../../support/accounts-rig.ts';
import { remember } from '../../../../support/guard-rows.ts';

const impossible = { password: '', vpnPassword: '' };
const longest = 'x'.repeat(256);
const tooLong = 'x'.repeat(257);

let stores: AccountStores;
let rig: AccountsRig;
beforeEach(async () => {
  stores = await openAccountStores();
  rig = new AccountsRig(stores);
});

const exhaustAddress = async () => {
  for (let i = 0; i < 60; i += 1) await failureOf(rig.login(right, `unknown${i}`));
};
/** With a good invite token, for student ids that are taken. */
const exhaustRegistrations = async () => {
  for (let i = 0; i < 6; i += 1) {
    await rig.registered(`taken${i}`);
    const entry = { userid: `taken${i}`, pair: right, inviteToken: await rig.inviteToken() };
    for (let j = 0; j < 10; j += 1) await failureOf(rig.accounts.register(entry, rig.context()));
  }
};

describe('registration answers the first of several failures', () => {
  const register = (over: { userid?: string; pair?: typeof right; inviteToken?: string } = {}) =>
    failureOf(rig.accounts.register({ userid: ann, pair: right, inviteToken: 'unknown', ...over }, rig.context()));
  const coolDown = async () => {
    const endedAt = rig.clock.now() - 55_000;
    const refused = {
      id: 'r',
      at: endedAt,
      kind: 'stranger',
      by: '',
      state: 'refused',
      endedAt,
      stored: false,
    } as const;
    await remember(stores, ann, () => ({ asks: [refused] }), rig.clock.now());
  };

  it('malformed student id before the limit of the address', async () => {
    await rig.code();
    await exhaustRegistrations();
    for (const userid of ['', 'a b', '学号', 'x'.repeat(21), '12-3', 'é1']) {
      expect(await register({ userid })).toBe('userid-malformed');
    }
  });

  it('the limit of the address before the cool-down', async () => {
    await rig.code();
    await exhaustRegistrations();
    await coolDown();
    expect(await register()).toBe('rate-limited 60s');
  });

  it('the invite token before the cool-down', async () => {
    await coolDown();
    expect(await register()).toBe('invite-token-invalid');
    await rig.code();
    expect(await register({ inviteToken: await rig.inviteToken() })).toBe('registration-cool-down 5s');
  });

  it('the invite token before the taken student id', async () => {
    await rig.registered();
    expect(await register()).toBe('invite-token-invalid');
  });

  it('the taken student id before the passwords', async () => {
    await rig.registered();
    expect(await register({ inviteToken: await rig.inviteToken(), pair: impossible })).toBe('userid-taken');
  });

  it('an erased account of that id of which rows remain before the passwords', async () => {
    await rig.registered();
    stores.execute('update users set erased_at = 1');
    const inviteToken = await rig.inviteToken();
    expect(await register({ inviteToken, pair: impossible })).toBe('userid-erasing 60s');
    expect(await register({ inviteToken })).toBe('userid-erasing 60s');
    expect(rig.campus.asked).toHaveLength(0);
  });

  it('impossible passwords before the cool-down, portal first, without campus and without cool-down', async () => {
    await rig.code();
    const inviteToken = await rig.inviteToken();
    await coolDown();
    expect(await register({ inviteToken, pair: impossible })).toBe('credentials-refused portal');
    expect(await register({ inviteToken, pair: { password: tooLong, vpnPassword: 'x'.repeat(117) } })).toBe(
      'credentials-refused unified-login',
    );
    expect(await register({ inviteToken })).toBe('registration-cool-down 5s');
    expect(rig.campus.asked).toHaveLength(0);
  });

  it.each([
    ['guarded', 'sign-in-guarded portal 60s'],
    ['unavailable', 'sign-in-unavailable portal'],
    ['timed-out', 'timed-out portal'],
  ] as const)('a campus that is %s starts no cool-down and keeps the invite token', async (mood, end) => {
    await rig.code();
    const inviteToken = await rig.inviteToken();
    rig.campus.truth.set(ann, right);
    rig.campus.mood = mood;
    expect(await register({ inviteToken })).toBe(end);
    rig.campus.mood = 'normal';
    rig.clock.advance(60_000);
    expect(await register({ inviteToken })).toBe('no failure');
  });

  it('a storage failure leaves no half-registered student behind', async () => {
    await rig.code();
    const inviteToken = await rig.inviteToken();
    rig.campus.truth.set(ann, right);
    stores.broken.add('accounts.register');
    expect(await register({ inviteToken })).toBe('storage-failed');
    expect([stores.rows('users'), stores.rows('tokens'), rig.campus.adoptions]).toEqual([[], [], []]);
    stores.broken.clear();
    expect(await register({ inviteToken })).toBe('no failure');
  });
});

describe('login answers the first of several failures', () => {
  it('the limit of the address before the unknown student id', async () => {
    await exhaustAddress();
    expect(await failureOf(rig.login(right, ben))).toBe('rate-limited 60s');
    expect(await failureOf(rig.login(right, 'no id'))).toBe('rate-limited 60s');
    const elsewhere = rig.context({ address: '203.0.113.9' });
    expect(await failureOf(rig.login(right, ben, elsewhere))).toBe('user-unknown');
  });

  it('impossible passwords before the wait after a refusal', async () => {
    await rig.registered();
    await failureOf(rig.login(wrong));
    expect(await failureOf(rig.login(impossible))).toBe('credentials-refused portal');
    expect(await failureOf(rig.login(renewed))).toBe('login-cool-down 60s');
  });

  it('impossible passwords are the refusal of their step, without campus and without cool-down', async () => {
    await rig.registered();
    expect(await failureOf(rig.login(impossible))).toBe('credentials-refused portal');
    expect(await failureOf(rig.login({ ...right, vpnPassword: tooLong }))).toBe('credentials-refused portal');
    expect(await failureOf(rig.login({ ...right, password: '' }))).toBe('credentials-refused unified-login');
    expect(rig.campus.asked).toHaveLength(0);
    expect(await failureOf(rig.login(right))).toBe('no failure');
  });

  it('the longest passwords are asked about', async () => {
    const pair = { password: longest, vpnPassword: longest };
    rig.campus.longest = 256;
    await rig.registered(ann, pair);
    expect(await failureOf(rig.login(pair))).toBe('no failure');
  });

  it.each(['accounts.findUser', 'accounts.readPair', 'guards.read', 'accounts.recordLogin', 'leases.acquire'])(
    'a storage failure in %s is no refusal',
    async (name) => {
      await rig.registered();
      stores.broken.add(name);
      expect(await failureOf(rig.login(right))).toBe('storage-failed');
      stores.broken.clear();
      expect(await failureOf(rig.login(right))).toBe('no failure');
    },
  );

  it('a student who is erased during his login is unknown', async () => {
    await rig.registered();
    rig.campus.mood = 'held';
    const asked = rig.campus.nextQuestion();
    const login = failureOf(rig.login(right));
    await asked;
    await stores.accounts.deleteUser(ann, erasureOf(ann, rig.clock.now()));
    rig.campus.release();
    expect(await login).toBe('user-unknown');
    expect(rig.campus.adoptions).toHaveLength(1);
  });

  it('a lease that cannot be released does not spoil the login', async () => {
    await rig.registered();
    stores.broken.add('leases.release');
    expect(await failureOf(rig.login(right))).toBe('no failure');
  });

  it('an unreadable stored pair is replaced by the one the campus accepts, and the tokens of its time end', async () => {
    const old = await rig.registered();
    stores.execute("update credentials set sealed_password = 'damaged'");
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('stored-credentials-unreadable');
    await rig.login(right);
    expect((await rig.credentials.forSignIn(ann)).pair).toEqual(right);
    expect(await failureOf(rig.accounts.authenticate(old))).toBe('token-unknown');
  });
});

it('a campus that says it is closed: the stored pair gets a token for a day, another one waits', async () => {
  await rig.registered();
  rig.campus.mood = 'closed';
  expect(await failureOf(rig.login(right))).toBe('no failure');
  expect(await failureOf(rig.login(renewed))).toBe('sign-in-unavailable unified-login');
  rig.clock.advance(DAY_MS);
  expect(await failureOf(rig.login(right))).toBe('sign-in-unavailable unified-login');
});

it('a clock that was set back: waits pass all the same, because a row is written as it counts', async () => {
  await rig.registered();
  for (let at = 0; at < 5; at += 1) await failureOf(rig.login({ ...wrong, password: `guess ${at}` }));
  rig.clock.advance(-DAY_MS);
  expect(await failureOf(rig.login(wrong))).toBe('login-cool-down 3600s');
  rig.clock.advance(3_600_000);
  expect(await failureOf(rig.login(wrong))).not.toContain('cool-down 3600s');
});

describe('limits per address', () => {
  const elsewhere = () => rig.context({ address: '203.0.113.9' });

  it('ten refusals a minute for one student id and sixty for all, which hold up home, and nobody who brings a token', async () => {
    const bearer = await rig.registered();
    const ends: string[] = [];
    for (let i = 0; i < 11; i += 1) ends.push(await failureOf(rig.login(right, ben, elsewhere())));
    expect(ends).toEqual([...Array(10).fill('user-unknown'), 'rate-limited 60s']);
    for (let i = 0; i < 50; i += 1) await failureOf(rig.login(right, `other${i}`, elsewhere()));
    expect(await failureOf(rig.login(wrong, ann, elsewhere()))).toBe('rate-limited 60s');
    await exhaustAddress();
    expect(await failureOf(rig.login(right, ben))).toBe('rate-limited 60s');
    // A neighbour may have spent it: the address is home to both.
    expect(await failureOf(rig.login(right))).toBe('rate-limited 60s');
    expect(await failureOf(rig.login(right, ann, rig.context({ bearer })))).toBe('no failure');
    rig.clock.advance(60_000);
    expect(await failureOf(rig.login(right, ann, elsewhere()))).toBe('no failure');
  });

  it('login, registration and wrong invite codes are counted apart', async () => {
    await exhaustAddress();
    await rig.code();
    const inviteToken = await rig.inviteToken();
    rig.campus.truth.set(ann, right);
    const entry = { userid: ann, pair: right, inviteToken };
    expect(await failureOf(rig.accounts.register(entry, rig.context()))).toBe('no failure');
  });

  it('a bad invite token tells nothing and counts nowhere', async () => {
    await rig.code();
    for (let i = 0; i < 100; i += 1) {
      const entry = { userid: ann, pair: right, inviteToken: `made up ${i}` };
      expect(await failureOf(rig.accounts.register(entry, rig.context()))).toBe('invite-token-invalid');
    }
  });

  it('an address where a student has registered gets a hundred wrong codes answered, not ten', async () => {
    await rig.registered();
    for (let i = 0; i < 100; i += 1) expect(await failureOf(rig.inviteToken(`G-${i}`))).toBe('invite-code-invalid');
    expect(await failureOf(rig.inviteToken('G'))).toBe('rate-limited 900s');
    const guessElsewhere = (at: number) => failureOf(rig.inviteTokenFrom('203.0.113.9', `G-${at}`));
    for (let at = 0; at < 10; at += 1) expect(await guessElsewhere(at)).toBe('invite-code-invalid');
    expect(await guessElsewhere(10)).toBe('rate-limited 900s');
  });

  it('one IPv6 /48 gets a hundred wrong codes answered in a quarter of an hour, however its addresses are rotated', async () => {
    const ends = [];
    for (let at = 0; at < 300; at += 1) {
      ends.push(await failureOf(rig.inviteTokenFrom(`2001:db8:9:${at.toString(16)}::1`, `G-${at}`)));
    }
    expect(ends.filter((end) => end === 'invite-code-invalid')).toHaveLength(100);
    expect(await failureOf(rig.inviteTokenFrom('2001:db8:a::1', 'G'))).toBe('invite-code-invalid');
  });

  it('a campus that is down costs the callers nothing', async () => {
    await rig.registered();
    rig.campus.mood = 'unavailable';
    for (let i = 0; i < 15; i += 1) expect(await failureOf(rig.login(right))).toBe('sign-in-unavailable portal');
  });
});

describe('what an IPv6 network is told', () => {
  const told = async (address: (at: number) => string, calls: number): Promise<number> => {
    let count = 0;
    for (let at = 0; at < calls; at += 1) {
      const end = await failureOf(rig.login(right, `id${at}`, rig.context({ address: address(at) })));
      if (end === 'user-unknown') count += 1;
      else expect(end).toMatch(/^rate-limited \d+s$/);
    }
    return count;
  };

  it('one /48, however its addresses are rotated: 120 student ids a minute', async () => {
    const rotated = (at: number) => `2001:db8:9:${at.toString(16)}::1`;
    expect(await told(rotated, 3_000)).toBe(120);
    rig.clock.advance(60_000);
    expect(await told(rotated, 500)).toBe(120);
  });
});

it('a login with the stored pair writes once about the guard, and takes no lease', async () => {
  await rig.registered();
  rig.campus.healthyUsers.add(ann);
  stores.calls.length = 0;
  await rig.login(right);
  expect(stores.calls.toSorted()).toEqual(
    ['accounts.findUser', 'accounts.readPair', 'guards.read', 'guards.change', 'accounts.recordLogin'].toSorted(),
  );
});

it('a token check is one look-up, from any network', async () => {
  const token = await rig.registered();
  stores.calls.length = 0;
  for (let at = 0; at < 5; at += 1) await rig.accounts.authenticate(token, `203.0.113.${at}`);
  expect(stores.calls).toEqual(Array(5).fill('tokens.find'));
});

it.each(['', 'X'.repeat(101)])('a code that cannot be one is not looked up: "%s"', async (code) => {
  await failureOf(rig.inviteToken(code));
  expect(stores.calls).not.toContain('invites.findCode');
});

it.each(['', 'x'.repeat(257)])('a token that cannot be one is not looked up: "%s"', async (token) => {
  expect(await failureOf(rig.accounts.authenticate(token))).toBe('token-unknown');
  expect(stores.calls).toEqual([]);
});

describe('waiting', () => {
  it('a caller who leaves while another attempt runs never reaches the campus', async () => {
    await rig.registered();
    rig.campus.mood = 'held';
    const asked = rig.campus.nextQuestion();
    const first = failureOf(rig.login(right));
    await asked;
    const leaver = new AbortController();
    const second = failureOf(rig.login(renewed, ann, rig.context({ signal: leaver.signal })));
    leaver.abort(failures.clientGone());
    expect(await second).toBe('client-gone');
    rig.campus.release();
    expect(await first).toBe('no failure');
    expect(rig.campus.asked).toHaveLength(1);
  });

  it('a lease that another replica never gives back ends by itself', async () => {
    await rig.registered();
    await stores.leases.acquire(`attempt:${ann}`, 'a dead replica', rig.clock.now(), 1000);
    const login = failureOf(rig.login(right));
    for (let i = 0; i < 5; i += 1) {
      while (rig.clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(rig.campus.asked).toHaveLength(0);
      rig.clock.advance(200);
    }
    expect(await login).toBe('no failure');
  });

  it('leaves no lease and no timer behind', async () => {
    await rig.registered();
    await rig.login(right);
    await failureOf(rig.login(wrong));
    expect(stores.rows('leases')).toEqual([]);
    expect(rig.clock.waiting).toBe(0);
  });
});

describe('tokens', () => {
  it('are stored as hashes only, with the passwords nowhere in clear beside them', async () => {
    const token = await rig.registered();
    const told = JSON.stringify([stores.rows('tokens'), stores.rows('credentials')]);
    for (const secret of [token, right.password, right.vpnPassword]) expect(told).not.toContain(secret);
    expect(stores.rows('tokens')[0]?.hash).toBe(sha256(token));
    expect(stores.rows('invite_tokens')).toMatchObject([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it('a token whose user is gone is told apart from an unknown one', async () => {
    const token = await rig.registered();
    stores.execute('pragma foreign_keys = off; delete from users');
    expect(await failureOf(rig.accounts.authenticate(token))).toBe('token-user-gone');
  });

  it('a database outage is no bad token', async () => {
    const token = await rig.registered();
    stores.broken.add('tokens.find');
    expect(await failureOf(rig.accounts.authenticate(token))).toBe('storage-failed');
  });

  it('expiry is written once an hour, not at every call, and needs no campus', async () => {
    const token = await rig.registered();
    for (let minute = 0; minute < 120; minute += 1) {
      await rig.accounts.authenticate(token);
      rig.clock.advance(60_000);
    }
    await rig.accounts.authenticate(token);
    expect(stores.calls.filter((name) => name === 'tokens.slide')).toHaveLength(2);
    expect(stores.rows('tokens')[0]?.expires_at).toBe(rig.clock.now() + TTL_MS);
    expect(rig.campus.asked).toHaveLength(0);
  });
});

describe('account deletion', () => {
  const remove = () => failureOf(rig.accounts.deleteAccount({ userid: ann }, right, rig.context()));

  it('of a student who is gone already', async () => {
    expect(await remove()).toBe('token-user-gone');
  });

  it('has succeeded although the session in memory could not be dropped', async () => {
    await rig.registered();
    rig.campus.forgetFails = true;
    expect(await remove()).toBe('no failure');
    expect(stores.rows('users')).toEqual([]);
  });

  it('keeps the session when the account could not be erased', async () => {
    await rig.registered();
    stores.broken.add('accounts.deleteUser');
    expect(await remove()).toBe('storage-failed');
    expect(rig.campus.forgotten).toEqual([]);
  });
});

describe('stored credentials', () => {
  it('of a student who is gone', async () => {
    expect(await failureOf(rig.credentials.forSignIn(ben))).toBe('token-user-gone');
  });

  it('a pause that a data call starts while a login runs survives the end of that login', async () => {
    await rig.registered();
    rig.campus.mood = 'held';
    const asked = rig.campus.nextQuestion();
    const guess = failureOf(rig.login(wrong));
    await asked;
    expect(await rig.credentials.noteTrouble(ann, 'marker')).toBe(60);
    rig.campus.release();
    expect(await guess).toBe('credentials-refused portal');
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('sign-in-guarded 60s');
  });

  it('that met an attack marker unattended rest their student again from the beginning once a session of after it has held', async () => {
    await rig.registered();
    expect(await rig.credentials.noteTrouble(ann, 'marker')).toBe(60);
    const before = rig.clock.now();
    rig.clock.advance(60_000);
    await rig.credentials.forSignIn(ann, { heldFrom: before });
    expect(await rig.credentials.noteTrouble(ann, 'marker')).toBe(300);
    rig.clock.advance(300_000);
    await rig.credentials.forSignIn(ann, { heldFrom: rig.clock.now() });
    expect(await rig.credentials.noteTrouble(ann, 'marker')).toBe(60);
  });

  it('that met a captcha unattended rest the student for a minute; after a code, only an attended sign-in helps', async () => {
    await rig.registered();
    await rig.credentials.notePersonNeeded(ann, 'captcha', 'portal');
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('sign-in-guarded 60s');
    rig.clock.advance(60_000);
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('no failure');
    expect(rig.told).toEqual([]);
    await rig.credentials.notePersonNeeded(ann, 'sms', 'portal');
    expect(rig.told).toEqual(['account.person_needed']);
    rig.clock.advance(86_400_000);
    expect(await failureOf(rig.credentials.forSignIn(ann))).toContain('person-needed');
  });

  it('accepted by the campus, they leave the cool-down of a guesser', async () => {
    await rig.registered();
    await failureOf(rig.login(wrong));
    rig.clock.advance(59_000);
    await rig.credentials.noteAcceptance(ann);
    expect(await failureOf(rig.login(renewed))).toBe('login-cool-down 1s');
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('no failure');
  });
});
