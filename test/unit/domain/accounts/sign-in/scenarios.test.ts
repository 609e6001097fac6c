import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { guardNumbers } from '../../../../../src/domain/accounts/guard/numbers.ts';
import { failures } from '../../../../../src/domain/errors.ts';
import { sha256 } from '../../../../../src/lib/hash.ts';
import { type AccountStores, openAccountStores } from '../../../../support/account-stores.ts';
import { AccountsRig, ann, ben, failureOf, renewed, right, TTL_MS, wrong } from '../../../../support/accounts-rig.ts';

let stores: AccountStores;
let rig: AccountsRig;
beforeEach(async () => {
  stores = await openAccountStores();
  rig = new AccountsRig(stores);
});

const register = (userid: string, inviteToken: string, pair = right) =>
  rig.accounts.register({ userid, pair, inviteToken }, rig.context());

describe('invitations', () => {
  it('issues a token for a usable code and counts the code only at registration', async () => {
    await rig.code('ONE-USE', 1);
    const first = await rig.inviteToken('ONE-USE');
    const second = await rig.inviteToken('ONE-USE');
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(await stores.invites.findCode('ONE-USE')).toMatchObject({ used: 0 });
  });

  it('refuses unknown, used-up, expired and revoked codes', async () => {
    const now = rig.clock.now();
    await rig.code('USED', 0);
    await stores.invites.createCode({ code: 'EXPIRED', maxUses: 1, expiresAt: now, now });
    await rig.code('REVOKED');
    await stores.invites.revokeCode('REVOKED', now);
    for (const code of ['UNKNOWN', 'USED', 'EXPIRED', 'REVOKED', '', 'X'.repeat(101)]) {
      expect(await failureOf(rig.inviteToken(code))).toBe('invite-code-invalid');
    }
  });
});

describe('registration', () => {
  it('creates user and token in one go; the token works at once', async () => {
    rig.campus.truth.set(ann, right);
    await rig.code('ONE-USE', 1);
    const { token } = await register(ann, await rig.inviteToken('ONE-USE'));
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    expect((await stores.accounts.readPair(ann))?.pair).toEqual(right);
    expect(await stores.invites.findCode('ONE-USE')).toMatchObject({ used: 1 });
    expect(rig.campus.asked).toHaveLength(1);
    expect(rig.campus.adoptions).toMatchObject([{ userid: ann }]);
  });

  it('an invite token ends after 30 minutes', async () => {
    rig.campus.truth.set(ann, right);
    await rig.code();
    const inviteToken = await rig.inviteToken();
    rig.clock.advance(30 * 60_000);
    expect(await failureOf(register(ann, inviteToken))).toBe('invite-token-invalid');
    expect(rig.campus.asked).toHaveLength(0);
  });

  it('two parallel registrations of one student id give one user and ask the campus once', async () => {
    rig.campus.truth.set(ann, right);
    await rig.code();
    const tokens = [await rig.inviteToken(), await rig.inviteToken()];
    const ends = await Promise.all(tokens.map((token) => failureOf(register(ann, token))));
    expect(ends.sort()).toEqual(['no failure', 'userid-taken']);
    expect(rig.campus.asked).toHaveLength(1);
  });

  it('a refused registration makes its student id wait 60 s and leaves the invite token usable', async () => {
    rig.campus.truth.set(ann, right);
    await rig.code();
    const inviteToken = await rig.inviteToken();
    expect(await failureOf(register(ann, inviteToken, wrong))).toBe('credentials-refused portal');
    expect(await failureOf(register(ann, inviteToken))).toBe('registration-cool-down 60s');
    rig.clock.advance(59_001);
    expect(await failureOf(register(ann, inviteToken))).toBe('registration-cool-down 1s');
    expect(rig.campus.asked).toHaveLength(1);
    rig.clock.advance(999);
    expect((await register(ann, inviteToken)).token).toHaveLength(43);
  });
});

describe('login', () => {
  it('of an unregistered student id is user-unknown and never asks the campus', async () => {
    for (const userid of [ben, '', 'a b', '学号', 'x'.repeat(21), '2023000101\n']) {
      expect(await failureOf(rig.login(right, userid))).toBe('user-unknown');
    }
    expect(rig.campus.asked).toHaveLength(0);
  });

  it('asks the campus once, issues a token and keeps the verified session', async () => {
    await rig.registered();
    rig.clock.advance(1000);
    const { token } = await rig.login(right);
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    expect(rig.campus.asked).toEqual([{ userid: ann, pair: right }]);
    expect(rig.campus.adoptions).toHaveLength(2);
    expect((await stores.accounts.findUser(ann))?.lastLoginAt).toBe(rig.clock.now());
  });

  it('a wrong unified-login password behind the right VPN password is refused as well', async () => {
    await rig.registered();
    await rig.login(right);
    expect(await failureOf(rig.login({ ...right, password: wrong.password }))).toBe(
      'credentials-refused unified-login',
    );
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('no failure');
  });

  it('a refused pair is never stored and leaves session and tokens alone', async () => {
    const token = await rig.registered();
    await failureOf(rig.login(wrong));
    expect(await stores.accounts.readPair(ann)).toMatchObject({ pair: right, refusedStep: null });
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    expect(rig.campus.adoptions).toHaveLength(1);
    expect(rig.campus.forgotten).toEqual([]);
  });

  it("a third party's guesses do not lock the owner out", async () => {
    const token = await rig.registered();
    const stranger = rig.context({ address: '203.0.113.9' });
    expect(await failureOf(rig.login(wrong, ann, stranger))).toBe('credentials-refused portal');
    expect((await rig.login(right)).token).toHaveLength(43);
    expect((await rig.credentials.forSignIn(ann)).pair).toEqual(right);
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    expect(rig.campus.queues).toEqual(['registration', 'stranger', 'owner']);
    // Her success clears nothing: the guesser still waits.
    expect(await failureOf(rig.login(renewed, ann, stranger))).toBe('login-cool-down 60s');
  });

  it.each([
    ['both passwords', renewed],
    ['the VPN password', { ...right, vpnPassword: renewed.vpnPassword }],
    ['the unified-login password', { ...right, password: renewed.password }],
  ])('%s changed: the accepted pair replaces the stored one and revokes the other tokens', async (_, changed) => {
    const old = await rig.registered();
    const before = (await stores.accounts.readPair(ann))?.version ?? 0;
    rig.campus.truth.set(ann, changed);
    const { token } = await rig.login(changed);
    expect(await stores.accounts.readPair(ann)).toEqual({ pair: changed, version: before + 1, refusedStep: null });
    expect(await failureOf(rig.accounts.authenticate(old))).toBe('token-unknown');
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    // The replaced secret is known to be wrong by now.
    const step = changed.vpnPassword === right.vpnPassword ? 'unified-login' : 'portal';
    expect(await failureOf(rig.login(right))).toBe(`credentials-refused ${step}`);
    expect(rig.campus.asked).toEqual([{ userid: ann, pair: changed }]);
  });

  it('keeps the five newest tokens, also those issued in the same millisecond', async () => {
    const issued = [await rig.registered()];
    for (let i = 0; i < 6; i += 1) issued.push((await rig.login(right)).token);
    const ends = await Promise.all(issued.map((token) => failureOf(rig.accounts.authenticate(token))));
    expect(ends).toEqual([...Array(2).fill('token-unknown'), ...Array(5).fill('no failure')]);
  });
});

describe('a stored pair that the campus refuses', () => {
  it('is set aside after a data call: the next one is refused without asking', async () => {
    await rig.registered();
    const { version } = await rig.credentials.forSignIn(ann);
    await rig.credentials.noteRefusal(ann, version, 'unified-login');
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('stored-credentials-refused unified-login');
  });

  it('is set aside when the student submits it at login', async () => {
    await rig.registered();
    rig.campus.truth.set(ann, renewed);
    expect(await failureOf(rig.login(right))).toBe('credentials-refused portal');
    expect(await failureOf(rig.credentials.forSignIn(ann))).toBe('stored-credentials-refused portal');
    // Set aside, it is no longer let through.
    rig.campus.healthyUsers.add(ann);
    expect(await failureOf(rig.login(right))).toBe('login-cool-down 60s');
  });

  it('is good again when the campus accepts it at a login, and other tokens stay', async () => {
    const old = await rig.registered();
    const { version } = await rig.credentials.forSignIn(ann);
    await rig.credentials.noteRefusal(ann, version, 'portal');
    expect(await failureOf(rig.login(right))).toBe('login-cool-down 60s');
    rig.clock.advance(60_000);
    await rig.login(right);
    expect((await rig.credentials.forSignIn(ann)).pair).toEqual(right);
    expect(await rig.accounts.authenticate(old)).toMatchObject({ userid: ann });
  });
});

describe('tokens', () => {
  it('live for the configured time after their last use', async () => {
    const token = await rig.registered();
    rig.clock.advance(TTL_MS - 1);
    await rig.accounts.authenticate(token);
    rig.clock.advance(TTL_MS - 1);
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
    rig.clock.advance(TTL_MS);
    expect(await failureOf(rig.accounts.authenticate(token))).toBe('token-unknown');
  });

  it('logout ends this token; the last one takes the campus session with it', async () => {
    const first = await rig.registered();
    const { token: second } = await rig.login(right);
    await rig.accounts.logout({ userid: ann, tokenHash: sha256(first) });
    expect(rig.campus.forgotten).toEqual([]);
    expect(await failureOf(rig.accounts.authenticate(first))).toBe('token-unknown');
    await rig.accounts.logout({ userid: ann, tokenHash: sha256(second) });
    expect(rig.campus.forgotten).toEqual([ann]);
  });

  it('the last network of a token in use is told with its session', async () => {
    const token = await rig.registered();
    for (const address of ['192.0.2.1', '203.0.113.1', '192.0.2.1']) await rig.accounts.authenticate(token, address);
    rig.clock.advance(3_600_000);
    await rig.accounts.authenticate(token, '203.0.113.1');
    expect(await rig.accounts.sessions({ userid: ann })).toMatchObject([{ network: '203.0.113.0/24' }]);
    rig.clock.advance(3_600_000);
    await rig.accounts.authenticate(token);
    expect(await rig.accounts.sessions({ userid: ann })).toMatchObject([{ network: '203.0.113.0/24' }]);
  });

  it('a session ended by its id is as a logout: the last one takes the campus session with it', async () => {
    const first = await rig.registered();
    const { token: second } = await rig.login(right);
    const student = { userid: ann, tokenHash: sha256(second) };
    const [newest, oldest] = await rig.accounts.sessions(student);
    if (!newest || !oldest) throw new Error('two sessions expected');
    expect([newest.current, oldest.current]).toEqual([true, false]);
    expect(await rig.accounts.endSession(student, oldest.id)).not.toBeNull();
    expect(rig.campus.forgotten).toEqual([]);
    expect(await failureOf(rig.accounts.authenticate(first))).toBe('token-unknown');
    expect(await rig.accounts.endSession(student, oldest.id)).toBeNull();
    expect(rig.campus.forgotten).toEqual([]);
    expect(await rig.accounts.endSession(student, newest.id)).not.toBeNull();
    expect(rig.campus.forgotten).toEqual([ann]);
  });

  it('logout everywhere ends all tokens of this student only', async () => {
    const tokens = [await rig.registered(), (await rig.login(right)).token];
    const other = await rig.registered(ben);
    await rig.accounts.logoutAll({ userid: ann });
    for (const token of tokens) expect(await failureOf(rig.accounts.authenticate(token))).toBe('token-unknown');
    expect(await rig.accounts.authenticate(other)).toMatchObject({ userid: ben });
    expect(rig.campus.forgotten).toEqual([ann]);
  });
});

describe('account deletion', () => {
  const remove = (pair = right, userid = ann, tokenHash?: string) =>
    rig.accounts.deleteAccount({ userid, ...(tokenHash === undefined ? {} : { tokenHash }) }, pair, rig.context());

  it('erases everything after comparing with the stored pair, without asking the campus', async () => {
    const token = await rig.registered();
    await remove();
    expect(await stores.accounts.findUser(ann)).toBeNull();
    expect(await stores.accounts.readPair(ann)).toBeNull();
    expect(await failureOf(rig.accounts.authenticate(token))).toBe('token-unknown');
    expect(rig.campus.forgotten).toEqual([ann]);
    expect(rig.campus.asked).toHaveLength(0);
    expect(await failureOf(rig.login(right))).toBe('user-unknown');
  });

  it('with other pairs is refused as often an hour as it is compared, and makes no other login wait', async () => {
    const hash = sha256(await rig.registered());
    for (let i = 0; i < guardNumbers.comparing.owner[0].most; i += 1) {
      const other = { ...right, password: `${wrong.password} ${i}` };
      expect(await failureOf(remove(other, ann, hash))).toBe('account-proof-refused');
    }
    expect(await failureOf(remove(right, ann, hash))).toBe('login-cool-down 3600s');
    const elsewhere = rig.context({ address: '203.0.113.9' });
    expect(await failureOf(rig.login(wrong, ann, elsewhere))).toBe('credentials-refused portal');
    rig.clock.advance(3_600_000);
    expect(await stores.accounts.findUser(ann)).not.toBeNull();
    await remove(right, ann, hash);
    expect(await stores.accounts.findUser(ann)).toBeNull();
  });

  it('frees the student id for a new registration', async () => {
    await rig.registered();
    await remove();
    const { token } = await register(ann, await rig.inviteToken());
    expect(await rig.accounts.authenticate(token)).toMatchObject({ userid: ann });
  });
});

it('two replicas ask the campus one after the other for one student id', async () => {
  await rig.registered();
  const other = rig.replica();
  rig.campus.mood = 'held';
  const asked = rig.campus.nextQuestion();
  const first = failureOf(rig.login(wrong));
  await asked;
  const second = failureOf(other.accounts.login({ userid: ann, pair: renewed }, rig.context()));
  while (rig.clock.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
  rig.campus.release();
  expect(await first).toBe('credentials-refused portal');
  rig.clock.advance(200);
  expect(await second).toBe('login-cool-down 60s');
  expect(rig.campus.asked).toHaveLength(1);
});

it('two students at once never get each other’s account', async () => {
  await rig.registered(ann, right);
  await rig.registered(ben, renewed);
  const logins = await Promise.all([
    rig.login(right, ann),
    rig.login(renewed, ben),
    rig.login(right, ann),
    rig.login(renewed, ben),
  ]);
  const owners = await Promise.all(logins.map(({ token }) => rig.accounts.authenticate(token)));
  expect(owners.map(({ userid }) => userid)).toEqual([ann, ben, ann, ben]);
  expect(await failureOf(rig.login(right, ben))).toBe('credentials-refused portal');
});

/** Begins an attempt that reaches the campus, leaves, and lets the campus answer. */
const leaveDuring = async (attempt: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
  rig.campus.mood = 'held';
  const caller = new AbortController();
  const asked = rig.campus.nextQuestion();
  const ended = failureOf(attempt(caller.signal));
  await asked;
  caller.abort(failures.clientGone());
  expect(await ended).toBe('client-gone');
  rig.campus.release();
};

it('a caller who leaves during an accepted login takes no place among the five tokens', async () => {
  await rig.registered();
  await leaveDuring((signal) => rig.login(right, ann, rig.context({ signal })));
  // Attempts run one after the other, so this one ends after what was left behind.
  await rig.login(right);
  expect(await rig.accounts.sessions({ userid: ann })).toHaveLength(2);
});

it('a caller who leaves during an accepted registration leaves no account behind', async () => {
  rig.campus.truth.set(ann, right);
  await rig.code();
  const inviteToken = await rig.inviteToken();
  await leaveDuring((signal) =>
    rig.accounts.register({ userid: ann, pair: right, inviteToken }, rig.context({ signal })),
  );
  expect(await failureOf(rig.login(right))).toBe('user-unknown');
  expect((await register(ann, inviteToken)).token).toMatch(/^[\w-]{43}$/);
});

it('a caller who leaves gets no account, but the refusal he caused counts', async () => {
  await rig.registered();
  await leaveDuring((signal) => rig.login(wrong, ann, rig.context({ signal })));
  expect(await failureOf(rig.login(renewed))).toBe('login-cool-down 60s');
  expect(rig.campus.asked).toHaveLength(1);
});
