import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/domain/context.ts';
import { Failure } from '../../../../src/domain/errors.ts';
import { sha256 } from '../../../../src/lib/hash.ts';
import { createStorage } from '../../../../src/storage/storage.ts';
import {
  AccountsDesk,
  ann,
  ben,
  DAY_MS,
  failureOf,
  renewed,
  right,
  type Stores,
  TTL_MS,
  wrong,
} from '../../../support/accounts-desk.ts';
import { MemoryAccounts } from '../../../support/memory-accounts.ts';

interface OpenStores extends Stores {
  close(): Promise<void>;
}

const kinds: Array<{ name: string; open: () => Promise<OpenStores> }> = [
  { name: 'stores in memory', open: async () => Object.assign(new MemoryAccounts(), { close: async () => {} }) },
  {
    name: 'SQLite',
    open: () => createStorage({ url: 'sqlite::memory:', keys: [randomBytes(32)], log: silentLog }),
  },
];

describe.each(kinds)('accounts over $name', ({ open }) => {
  let stores: OpenStores;
  let desk: AccountsDesk;

  beforeEach(async () => {
    stores = await open();
    desk = new AccountsDesk(stores);
  });
  afterEach(() => stores.close());

  const register = (userid: string, inviteToken: string, pair = right) =>
    desk.accounts.register({ userid, pair, inviteToken }, desk.context());

  describe('invitations', () => {
    it('issues a token for a usable code and counts the code only at registration', async () => {
      await desk.code('ONE-USE', 1);
      const first = await desk.inviteToken('ONE-USE');
      const second = await desk.inviteToken('ONE-USE');
      expect(first).toMatch(/^[\w-]{43}$/);
      expect(second).not.toBe(first);
      expect(await stores.invites.findCode('ONE-USE')).toMatchObject({ used: 0 });
    });

    it('refuses unknown, used-up, expired and revoked codes', async () => {
      const now = desk.clock.now();
      await desk.code('USED', 0);
      await stores.invites.createCode({ code: 'EXPIRED', maxUses: 1, expiresAt: now, now });
      await desk.code('REVOKED');
      await stores.invites.revokeCode('REVOKED', now);
      for (const code of ['UNKNOWN', 'USED', 'EXPIRED', 'REVOKED', '', 'X'.repeat(101)]) {
        expect(await failureOf(desk.inviteToken(code))).toBe('invite-code-invalid');
      }
    });

    it('limits wrong codes per address, not right ones', async () => {
      await desk.code();
      for (let i = 0; i < 10; i += 1) {
        await desk.inviteToken();
        expect(await failureOf(desk.inviteToken(`GUESS-${i}`))).toBe('invite-code-invalid');
      }
      expect(await failureOf(desk.inviteToken())).toBe('rate-limited 900s');
      desk.clock.advance(15 * 60_000);
      expect(await desk.inviteToken()).toHaveLength(43);
    });
  });

  describe('registration', () => {
    it('creates user and token in one go; the token works at once', async () => {
      desk.campus.truth.set(ann, right);
      await desk.code('ONE-USE', 1);
      const { token } = await register(ann, await desk.inviteToken('ONE-USE'));
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
      expect((await stores.accounts.readPair(ann))?.pair).toEqual(right);
      expect(await stores.invites.findCode('ONE-USE')).toMatchObject({ used: 1 });
      expect(desk.campus.asked).toHaveLength(1);
      expect(desk.campus.adopted).toEqual([{ userid: ann }]);
    });

    it('a code with one use registers one student, however many tokens it gave', async () => {
      desk.campus.truth.set(ann, right).set(ben, right);
      await desk.code('ONE-USE', 1);
      const tokens = [await desk.inviteToken('ONE-USE'), await desk.inviteToken('ONE-USE')];
      await register(ann, tokens[0] ?? '');
      expect(await failureOf(register(ben, tokens[1] ?? ''))).toBe('invite-token-invalid');
      expect(await failureOf(desk.inviteToken('ONE-USE'))).toBe('invite-code-invalid');
    });

    it('an invite token ends after 30 minutes', async () => {
      desk.campus.truth.set(ann, right);
      await desk.code();
      const inviteToken = await desk.inviteToken();
      desk.clock.advance(30 * 60_000);
      expect(await failureOf(register(ann, inviteToken))).toBe('invite-token-invalid');
      expect(desk.campus.asked).toHaveLength(0);
    });

    it('two parallel registrations with one invite token give one user', async () => {
      desk.campus.truth.set(ann, right).set(ben, right);
      await desk.code();
      const inviteToken = await desk.inviteToken();
      const ends = await Promise.all([register(ann, inviteToken), register(ben, inviteToken)].map(failureOf));
      expect(ends.sort()).toEqual(['invite-token-invalid', 'no failure']);
      const users = await stores.accounts.listUsers({ after: '', limit: 10 });
      expect(users).toHaveLength(1);
      expect(desk.campus.adopted).toEqual([{ userid: users[0]?.userid }]);
    });

    it('two parallel registrations of one student id give one user and ask the campus once', async () => {
      desk.campus.truth.set(ann, right);
      await desk.code();
      const tokens = [await desk.inviteToken(), await desk.inviteToken()];
      const ends = await Promise.all(tokens.map((token) => failureOf(register(ann, token))));
      expect(ends.sort()).toEqual(['no failure', 'userid-taken']);
      expect(desk.campus.asked).toHaveLength(1);
    });

    it('a refused registration makes its student id wait 60 s and leaves the invite token usable', async () => {
      desk.campus.truth.set(ann, right);
      await desk.code();
      const inviteToken = await desk.inviteToken();
      expect(await failureOf(register(ann, inviteToken, wrong))).toBe('credentials-refused portal');
      expect(await failureOf(register(ann, inviteToken))).toBe('registration-cool-down 60s');
      desk.clock.advance(59_001);
      expect(await failureOf(register(ann, inviteToken))).toBe('registration-cool-down 1s');
      expect(desk.campus.asked).toHaveLength(1);
      desk.clock.advance(999);
      expect((await register(ann, inviteToken)).token).toHaveLength(43);
    });

    it('names the unified login when only that password is wrong', async () => {
      desk.campus.truth.set(ann, right);
      await desk.code();
      const pair = { ...right, password: wrong.password };
      expect(await failureOf(register(ann, await desk.inviteToken(), pair))).toBe('credentials-refused unified-login');
    });
  });

  describe('login', () => {
    it('of an unregistered student id is user-unknown and never asks the campus', async () => {
      for (const userid of [ben, '', 'a b', '学号', 'x'.repeat(21), '2023000101\n']) {
        expect(await failureOf(desk.login(right, userid))).toBe('user-unknown');
      }
      expect(desk.campus.asked).toHaveLength(0);
    });

    it('asks the campus once, issues a token and keeps the proven session', async () => {
      await desk.registered();
      desk.clock.advance(1000);
      const { token } = await desk.login(right);
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
      expect(desk.campus.asked).toEqual([{ userid: ann, pair: right }]);
      expect(desk.campus.adopted).toHaveLength(2);
      expect((await stores.accounts.findUser(ann))?.lastLoginAt).toBe(desk.clock.now());
    });

    it('with the stored pair and a healthy session needs no campus', async () => {
      await desk.registered();
      await desk.login(right);
      await desk.login(right);
      expect(desk.campus.asked).toHaveLength(1);
    });

    it('a wrong password one second after a right login is refused', async () => {
      await desk.registered();
      await desk.login(right);
      desk.clock.advance(1000);
      expect(await failureOf(desk.login(wrong))).toBe('credentials-refused portal');
      expect(await failureOf(desk.login({ ...right, password: wrong.password }))).toBe('login-cool-down 60s');
    });

    it('a wrong unified-login password behind the right VPN password is refused as well', async () => {
      await desk.registered();
      await desk.login(right);
      expect(await failureOf(desk.login({ ...right, password: wrong.password }))).toBe(
        'credentials-refused unified-login',
      );
      expect(await failureOf(desk.credentials.forSignIn(ann))).toBe('no failure');
    });

    it('a refused pair is never stored and leaves session and tokens alone', async () => {
      const token = await desk.registered();
      await failureOf(desk.login(wrong));
      expect(await stores.accounts.readPair(ann)).toMatchObject({ pair: right, refusedStep: null });
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
      expect(desk.campus.adopted).toHaveLength(1);
      expect(desk.campus.forgotten).toEqual([]);
    });

    it('a refusal starts 60 s, in which another pair is refused without asking the campus', async () => {
      await desk.registered();
      await failureOf(desk.login(wrong));
      desk.clock.advance(59_001);
      expect(await failureOf(desk.login(renewed))).toBe('login-cool-down 1s');
      expect(desk.campus.asked).toHaveLength(1);
      desk.clock.advance(999);
      expect(await failureOf(desk.login(renewed))).toBe('credentials-refused portal');
      expect(desk.campus.asked).toHaveLength(2);
    });

    it("a third party's guesses do not lock the owner out", async () => {
      const token = await desk.registered();
      const stranger = desk.context({ address: '203.0.113.9' });
      expect(await failureOf(desk.login(wrong, ann, stranger))).toBe('credentials-refused portal');
      expect((await desk.login(right)).token).toHaveLength(43);
      expect((await desk.credentials.forSignIn(ann)).pair).toEqual(right);
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
      expect(desk.campus.lines).toEqual(['registration', 'stranger', 'owner']);
      // Her success clears nothing: the guesser still waits.
      expect(await failureOf(desk.login(renewed, ann, stranger))).toBe('login-cool-down 60s');
    });

    it('a campus that is down or too slow starts no cool-down', async () => {
      await desk.registered();
      desk.campus.mood = 'unavailable';
      expect(await failureOf(desk.login(right))).toBe('sign-in-unavailable portal');
      desk.campus.mood = 'timed-out';
      expect(await failureOf(desk.login(right))).toBe('timed-out portal');
      desk.campus.mood = 'normal';
      expect((await desk.login(right)).token).toHaveLength(43);
    });

    it('a captcha pauses that student id for 60 s, then longer, and never starts a cool-down', async () => {
      await desk.registered();
      desk.campus.mood = 'guarded';
      desk.campus.moodStep = 'unified-login';
      expect(await failureOf(desk.login(right))).toBe('sign-in-guarded unified-login 60s');
      desk.campus.mood = 'normal';
      expect(await failureOf(desk.login(renewed))).toBe('sign-in-guarded 60s');
      expect(await failureOf(desk.credentials.forSignIn(ann))).toBe('sign-in-guarded 60s');
      // The campus has accepted this pair today: its owner gets a token, and the campus is left alone.
      expect((await desk.login(right)).token).toHaveLength(43);
      expect(desk.campus.asked).toHaveLength(1);
      desk.clock.advance(60_000);
      desk.campus.mood = 'guarded';
      expect(await failureOf(desk.login(right))).toBe('sign-in-guarded unified-login 120s');
      desk.campus.mood = 'normal';
      desk.clock.advance(120_000);
      await desk.login(right);
      expect(await desk.credentials.guarded(ann)).toBe(60);
    });

    it.each([
      ['both passwords', renewed],
      ['the VPN password', { ...right, vpnPassword: renewed.vpnPassword }],
      ['the unified-login password', { ...right, password: renewed.password }],
    ])('%s changed: the accepted pair replaces the stored one and revokes the other tokens', async (_, changed) => {
      const old = await desk.registered();
      const before = (await stores.accounts.readPair(ann))?.version ?? 0;
      desk.campus.truth.set(ann, changed);
      const { token } = await desk.login(changed);
      expect(await stores.accounts.readPair(ann)).toEqual({ pair: changed, version: before + 1, refusedStep: null });
      expect(await failureOf(desk.accounts.authenticate(old))).toBe('token-unknown');
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
    });

    it('an unchanged pair leaves the other tokens alone', async () => {
      const old = await desk.registered();
      await desk.login(right);
      expect(await desk.accounts.authenticate(old)).toMatchObject({ userid: ann });
    });

    it('keeps the five newest tokens, also those issued in the same millisecond', async () => {
      const issued = [await desk.registered()];
      for (let i = 0; i < 6; i += 1) issued.push((await desk.login(right)).token);
      const ends = await Promise.all(issued.map((token) => failureOf(desk.accounts.authenticate(token))));
      expect(ends).toEqual([...Array(2).fill('token-unknown'), ...Array(5).fill('no failure')]);
    });

    it('a right login returns no budget to whoever guesses', async () => {
      await desk.registered();
      const stranger = desk.context({ address: '203.0.113.9' });
      const guess = (at: number) => ({ ...wrong, vpnPassword: `guess-${at}` });
      expect(await failureOf(desk.login(guess(1), ann, stranger))).toBe('credentials-refused portal');
      desk.clock.advance(60_000);
      await desk.login(right);
      expect(await failureOf(desk.login(guess(2), ann, stranger))).toBe('credentials-refused portal');
      desk.clock.advance(300_000);
      await desk.login(right);
      expect(await failureOf(desk.login(guess(3), ann, stranger))).toBe('login-cool-down 86040s');
    });

    it('a password that the campus refused is refused again without asking', async () => {
      await desk.registered();
      await failureOf(desk.login(wrong));
      expect(await failureOf(desk.login({ ...renewed, vpnPassword: wrong.vpnPassword }))).toBe(
        'credentials-refused portal',
      );
      expect(desk.campus.asked).toHaveLength(1);
    });

    it('parallel guesses give one campus attempt and then a wait', async () => {
      await desk.registered();
      const guesses = Array.from({ length: 5 }, (_, i) => ({ ...wrong, vpnPassword: `guess-${i}` }));
      const ends = await Promise.all(guesses.map((pair) => failureOf(desk.login(pair))));
      expect(ends).toEqual(['credentials-refused portal', ...Array(4).fill('login-cool-down 60s')]);
      expect(desk.campus.asked).toHaveLength(1);
    });
  });

  describe('a stored pair that the campus refuses', () => {
    it('is set aside after a data call: the next one is refused without asking', async () => {
      await desk.registered();
      const { version } = await desk.credentials.forSignIn(ann);
      await desk.credentials.refused(ann, version, 'unified-login');
      expect(await failureOf(desk.credentials.forSignIn(ann))).toBe('stored-credentials-refused unified-login');
    });

    it('a refusal of an older pair does not touch the newer one', async () => {
      await desk.registered();
      const { version } = await desk.credentials.forSignIn(ann);
      desk.campus.truth.set(ann, renewed);
      await desk.login(renewed);
      await desk.credentials.refused(ann, version, 'portal');
      expect((await desk.credentials.forSignIn(ann)).pair).toEqual(renewed);
    });

    it('is set aside when the student submits it at login', async () => {
      await desk.registered();
      desk.campus.truth.set(ann, renewed);
      expect(await failureOf(desk.login(right))).toBe('credentials-refused portal');
      expect(await failureOf(desk.credentials.forSignIn(ann))).toBe('stored-credentials-refused portal');
      // Set aside, it is no longer let through.
      desk.campus.healthyUsers.add(ann);
      expect(await failureOf(desk.login(right))).toBe('login-cool-down 60s');
    });

    it('does not keep the student from logging in anew at once with the new pair', async () => {
      await desk.registered();
      const { version } = await desk.credentials.forSignIn(ann);
      await desk.credentials.refused(ann, version, 'portal');
      desk.campus.truth.set(ann, renewed);
      await desk.login(renewed);
      expect((await desk.credentials.forSignIn(ann)).pair).toEqual(renewed);
    });

    it('is good again when the campus accepts it at a login, and other tokens stay', async () => {
      const old = await desk.registered();
      const { version } = await desk.credentials.forSignIn(ann);
      await desk.credentials.refused(ann, version, 'portal');
      expect(await failureOf(desk.login(right))).toBe('login-cool-down 60s');
      desk.clock.advance(60_000);
      await desk.login(right);
      expect((await desk.credentials.forSignIn(ann)).pair).toEqual(right);
      expect(await desk.accounts.authenticate(old)).toMatchObject({ userid: ann });
    });
  });

  describe('tokens', () => {
    it('unknown, empty and over-long tokens are unknown', async () => {
      for (const token of ['x'.repeat(43), '', 'x'.repeat(257)]) {
        expect(await failureOf(desk.accounts.authenticate(token))).toBe('token-unknown');
      }
    });

    it('live for the configured time after their last use', async () => {
      const token = await desk.registered();
      desk.clock.advance(TTL_MS - 1);
      await desk.accounts.authenticate(token);
      desk.clock.advance(TTL_MS - 1);
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
      desk.clock.advance(TTL_MS);
      expect(await failureOf(desk.accounts.authenticate(token))).toBe('token-unknown');
    });

    it('logout ends this token; the last one takes the campus session with it', async () => {
      const first = await desk.registered();
      const { token: second } = await desk.login(right);
      await desk.accounts.logout(first, { userid: ann });
      expect(desk.campus.forgotten).toEqual([]);
      expect(await failureOf(desk.accounts.authenticate(first))).toBe('token-unknown');
      await desk.accounts.logout(second, { userid: ann });
      expect(desk.campus.forgotten).toEqual([ann]);
    });

    it('logout everywhere ends all tokens of this student only', async () => {
      const tokens = [await desk.registered(), (await desk.login(right)).token];
      const other = await desk.registered(ben);
      await desk.accounts.logoutAll({ userid: ann });
      for (const token of tokens) expect(await failureOf(desk.accounts.authenticate(token))).toBe('token-unknown');
      expect(await desk.accounts.authenticate(other)).toMatchObject({ userid: ben });
      expect(desk.campus.forgotten).toEqual([ann]);
    });
  });

  describe('account deletion', () => {
    const remove = (pair = right, userid = ann) => desk.accounts.deleteAccount({ userid }, pair, desk.context());

    it('erases everything after comparing with the stored pair, without asking the campus', async () => {
      const token = await desk.registered();
      await remove();
      expect(await stores.accounts.findUser(ann)).toBeNull();
      expect(await stores.accounts.readPair(ann)).toBeNull();
      expect(await failureOf(desk.accounts.authenticate(token))).toBe('token-unknown');
      expect(desk.campus.forgotten).toEqual([ann]);
      expect(desk.campus.asked).toHaveLength(0);
      expect(await failureOf(desk.login(right))).toBe('user-unknown');
    });

    it('with another pair is refused five times an hour, for which no login waits', async () => {
      await desk.registered();
      for (let i = 0; i < 5; i += 1) {
        expect(await failureOf(remove({ ...right, password: wrong.password }))).toBe('account-proof-refused');
      }
      expect(await failureOf(remove())).toBe('login-cool-down 3600s');
      expect(await failureOf(desk.login(wrong))).toBe('credentials-refused portal');
      desk.clock.advance(3_600_000);
      expect(await stores.accounts.findUser(ann)).not.toBeNull();
      await remove();
      expect(await stores.accounts.findUser(ann)).toBeNull();
    });

    it('frees the student id for a new registration', async () => {
      await desk.registered();
      await remove();
      const { token } = await register(ann, await desk.inviteToken());
      expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
    });
  });

  it('two replicas ask the campus one after the other for one student id', async () => {
    await desk.registered();
    const other = desk.replica();
    desk.campus.mood = 'held';
    const asked = desk.campus.nextQuestion();
    const first = failureOf(desk.login(wrong));
    await asked;
    const second = failureOf(other.accounts.login({ userid: ann, pair: renewed }, desk.context()));
    while (desk.clock.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
    desk.campus.release();
    expect(await first).toBe('credentials-refused portal');
    desk.clock.advance(200);
    expect(await second).toBe('login-cool-down 60s');
    expect(desk.campus.asked).toHaveLength(1);
  });

  it('two students at once never get each other’s account', async () => {
    await desk.registered(ann, right);
    await desk.registered(ben, renewed);
    const logins = await Promise.all([
      desk.login(right, ann),
      desk.login(renewed, ben),
      desk.login(right, ann),
      desk.login(renewed, ben),
    ]);
    const owners = await Promise.all(logins.map(({ token }) => desk.accounts.authenticate(token)));
    expect(owners.map(({ userid }) => userid)).toEqual([ann, ben, ann, ben]);
    expect(await failureOf(desk.login(right, ben))).toBe('credentials-refused portal');
  });

  /** Begins an attempt that reaches the campus, leaves, and lets the campus answer. */
  const leaveDuring = async (attempt: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    desk.campus.mood = 'held';
    const caller = new AbortController();
    const asked = desk.campus.nextQuestion();
    const ended = failureOf(attempt(caller.signal));
    await asked;
    caller.abort(new Failure('client-gone'));
    expect(await ended).toBe('client-gone');
    desk.campus.release();
  };

  it('a caller who leaves during an accepted login takes no place among the five tokens', async () => {
    await desk.registered();
    await leaveDuring((signal) => desk.login(right, ann, desk.context({ signal })));
    // Attempts run one after the other, so this one ends after what was left behind.
    await desk.login(right);
    expect(await stores.accounts.listUsers({ after: '', limit: 1 })).toMatchObject([{ tokens: 2 }]);
  });

  it('a caller who leaves during an accepted registration leaves no account behind', async () => {
    desk.campus.truth.set(ann, right);
    await desk.code();
    const inviteToken = await desk.inviteToken();
    await leaveDuring((signal) =>
      desk.accounts.register({ userid: ann, pair: right, inviteToken }, desk.context({ signal })),
    );
    expect(await failureOf(desk.login(right))).toBe('user-unknown');
    expect((await register(ann, inviteToken)).token).toMatch(/^[\w-]{43}$/);
  });

  it('a caller who leaves gets no account, but the refusal he caused counts', async () => {
    await desk.registered();
    await leaveDuring((signal) => desk.login(wrong, ann, desk.context({ signal })));
    expect(await failureOf(desk.login(renewed))).toBe('login-cool-down 60s');
    expect(desk.campus.asked).toHaveLength(1);
  });

  it('keeps no secret in any log line and names students by hash only', async () => {
    const token = await desk.registered();
    await desk.login(right);
    await failureOf(desk.login(wrong));
    await failureOf(desk.inviteToken('GUESSED-CODE'));
    await failureOf(desk.accounts.deleteAccount({ userid: ann }, wrong, desk.context()));
    await desk.accounts.deleteAccount({ userid: ann }, right, desk.context());
    const text = desk.lines.join('\n');
    expect(desk.lines.filter((line) => line.startsWith('login '))).toHaveLength(2);
    const secrets = [...Object.values(right), ...Object.values(wrong), token, sha256(token), ann, 'GUESSED-CODE'];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('a day without use does not end a token of 30 days', async () => {
    const token = await desk.registered();
    desk.clock.advance(DAY_MS);
    expect(await desk.accounts.authenticate(token)).toMatchObject({ userid: ann });
  });
});
