import { beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createPersonalTokens,
  type PersonalTokens,
  storedHashOf,
} from '../../src/domain/accounts/tokens/personal-tokens.ts';
import type { CallContext, Student } from '../../src/domain/context.ts';
import { sha256 } from '../../src/lib/hash.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { day, login, onBothDatabases, registered, start } from './databases.ts';

const grant = { name: '小组件', scopes: ['schedule:read', 'exams:read'], copiesOnly: true } as const;
const wish = { ...grant, days: 7 } as const;
const context = { address: '203.0.113.9' } as CallContext;

onBothDatabases('personal tokens', (database) => {
  let storage: Storage;
  let replica: Storage;
  let clock: ManualClock;
  let tokens: PersonalTokens;
  let student: Student;
  let forgotten: string[];

  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });
  beforeEach(async () => {
    clock = new ManualClock(start);
    forgotten = [];
    const forget = async (userid: string) => void forgotten.push(userid);
    tokens = createPersonalTokens({ tokens: storage.tokens, forget, clock });
    const { userid } = await registered(storage);
    student = { userid, issuedAt: start };
  });

  const find = (secret: string, now = clock.now()) => replica.tokens.find(storedHashOf(secret) ?? '', now);

  it('works without a scope that no longer exists', async () => {
    const former = ['schedule:read', 'calendar'] as unknown as typeof wish.scopes;
    const { secret } = await tokens.make(student, { ...wish, scopes: former }, context);
    expect((await find(secret))?.personal?.scopes).toEqual(['schedule:read']);
  });

  it('is valid for its days and no longer, however it is used', async () => {
    const { secret, token } = await tokens.make(student, wish, context);
    expect(token).toMatchObject({ ...grant, createdAt: start, expiresAt: start + 7 * day, network: '203.0.113.0/24' });
    expect(await find(secret)).toMatchObject({ personal: grant, issuedAt: start, endsAt: start + 7 * day });
    const use = { userid: student.userid, expiresAt: null, usedAt: start + 3 * day, network: '192.0.2.0/24' };
    await storage.tokens.slide(storedHashOf(secret) ?? '', use);
    clock.advance(7 * day - 1);
    expect(await tokens.list(student)).toMatchObject([{ lastUsedAt: start + 3 * day, network: '192.0.2.0/24' }]);
    clock.advance(1);
    expect(await find(secret)).toBeNull();
    expect(await tokens.list(student)).toEqual([]);
    await storage.sweep(clock.now());
    expect(await storage.tokens.bearer(storedHashOf(secret) ?? '', start)).toBeNull();
  });

  it('twenty of them are allowed, none is a session, and five logins leave them alone', async () => {
    const made = [];
    for (let at = 0; at < 20; at += 1) made.push(await tokens.make(student, wish, context));
    await expect(tokens.make(student, wish, context)).rejects.toMatchObject({ kind: 'token-limit' });
    for (let at = 0; at < 6; at += 1) await login(storage, student.userid);
    expect(await tokens.list(student)).toHaveLength(20);
    expect(await storage.tokens.list(student.userid, start)).toHaveLength(5);
    const id = made[0]?.token.id ?? '';
    expect(await storage.tokens.endLogin(student.userid, id, [], start)).toBeNull();
    await tokens.end(student, id);
    await tokens.make(student, wish, context);
  });

  it('where several are made at once, none is made beyond the twentieth', async () => {
    for (let at = 0; at < 19; at += 1) await tokens.make(student, wish, context);
    const both = await Promise.allSettled([1, 2, 3].map(() => tokens.make(student, wish, context)));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await tokens.list(student)).toHaveLength(20);
  });

  it('a rotation leaves the old one a day, ends the one before, and gives the new one as many days', async () => {
    const first = await tokens.make(student, { ...wish, days: 30 }, context);
    clock.advance(day / 2);
    const second = await tokens.rotate(student, first.token.id, false, context);
    expect(second.token).toMatchObject({ ...grant, expiresAt: start + day / 2 + 30 * day, replacedBy: null });
    expect(await tokens.list(student)).toMatchObject([
      { id: second.token.id },
      { id: first.token.id, replacedBy: second.token.id, expiresAt: start + day / 2 + day },
    ]);
    await expect(tokens.rotate(student, first.token.id, false, context)).rejects.toMatchObject({
      kind: 'token-replaced',
    });
    const third = await tokens.rotate(student, second.token.id, true, context);
    expect(await find(first.secret)).toBeNull();
    expect(await find(second.secret)).toBeNull();
    expect(await find(third.secret)).not.toBeNull();
    const fourth = await tokens.rotate({ ...student, issuedAt: clock.now() }, third.token.id, false, context);
    clock.advance(day - 1);
    expect(await find(third.secret)).not.toBeNull();
    clock.advance(1);
    expect(await find(third.secret)).toBeNull();
    expect(await find(fourth.secret)).not.toBeNull();
  });

  it('of two rotations at once one wins', async () => {
    const { token } = await tokens.make(student, wish, context);
    const both = await Promise.allSettled([1, 2].map(() => tokens.rotate(student, token.id, false, context)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await tokens.list(student)).toHaveLength(2);
  });

  it('only a login of this day makes or rotates one', async () => {
    const { token } = await tokens.make(student, wish, context);
    const late = { ...student, issuedAt: start - day };
    const own = { ...student, personal: grant };
    for (const who of [late, own]) {
      await expect(tokens.make(who, wish, context)).rejects.toMatchObject({ kind: 'login-again' });
      await expect(tokens.rotate(who, token.id, false, context)).rejects.toMatchObject({ kind: 'login-again' });
    }
    await tokens.rename(late, token.id, 'renamed');
    expect(await tokens.list(late)).toMatchObject([{ name: 'renamed' }]);
  });

  it("another student's is unknown to every operation", async () => {
    const { token } = await tokens.make(student, wish, context);
    const other = { userid: (await registered(storage)).userid, issuedAt: start };
    await expect(tokens.rename(other, token.id, 'mine')).rejects.toMatchObject({ kind: 'session-unknown' });
    await expect(tokens.rotate(other, token.id, true, context)).rejects.toMatchObject({ kind: 'session-unknown' });
    await expect(tokens.end(other, token.id)).rejects.toMatchObject({ kind: 'session-unknown' });
    expect(await tokens.list(student)).toMatchObject([{ name: grant.name }]);
  });

  it('never identifies its student to the guard, under either hash', async () => {
    const { secret, token } = await tokens.make(student, wish, context);
    expect(await storage.tokens.bearer(sha256(secret), start)).toBeNull();
    expect(await storage.tokens.find(sha256(secret), start)).toBeNull();
    await tokens.end(student, token.id);
    for (const hash of [sha256(secret), storedHashOf(secret) ?? '']) {
      expect(await storage.tokens.bearer(hash, start)).toBeNull();
    }
  });

  it('the last token of all takes the campus sessions with it, a personal one as any other', async () => {
    const { token } = await tokens.make(student, wish, context);
    await storage.tokens.endAll(student.userid, ['tokens'], start);
    expect(forgotten).toEqual([]);
    await tokens.end(student, token.id);
    expect(forgotten).toEqual([student.userid]);
  });
});
