import { expect, it } from 'vitest';
import { createCallers } from '../../../../../src/domain/accounts/guard/callers.ts';
import { queueOf } from '../../../../../src/domain/accounts/sign-in/ask.ts';
import { KeyedNames } from '../../../../../src/lib/hash.ts';
import { openAccountStores } from '../../../../support/account-stores.ts';
import { AccountsRig, ann, failureOf, renewed, right } from '../../../../support/accounts-rig.ts';

/** Everything that can continue without time passing has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ['of this version', `attempt:${ann}`],
  ['of the version before, which signs in for a data call', `campus-login:${ann}`],
])('logins with one new pair that wait for a replica %s ask the campus once', async (_, lease) => {
  const stores = await openAccountStores();
  const rig = new AccountsRig(stores);
  await rig.registered();
  rig.campus.truth.set(ann, renewed);
  stores.calls.length = 0;
  const other = rig.replica().accounts;
  // Another replica is asking for this student: all of them have made up their mind before the first one's turn comes.
  await stores.leases.acquire(lease, 'another replica', rig.clock.now(), 60_000);
  const entry = { userid: ann, pair: renewed };
  const logins = [rig.accounts, rig.accounts, other, other].map((accounts) => accounts.login(entry, rig.context()));
  const outcomes = Promise.allSettled(logins);
  for (let round = 0; round < 20; round += 1) await settled();
  expect([stores.calls.filter((call) => call === 'guards.change').length, rig.campus.asked]).toEqual([1, []]);
  await stores.leases.release(lease, 'another replica');
  for (let round = 0; round < 60; round += 1) {
    rig.clock.advance(150);
    await settled();
  }
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
  expect(rig.campus.asked).toEqual([entry]);
});

it('a refusal of a pair that has been replaced since says nothing about the newer one', async () => {
  const stores = await openAccountStores();
  const rig = new AccountsRig(stores);
  await rig.registered(ann, right);
  const older = await rig.credentials.forSignIn(ann);
  rig.campus.truth.set(ann, renewed);
  await rig.login(renewed);
  await rig.credentials.noteRefusal(ann, older.version, 'portal');
  expect(await rig.credentials.forSignIn(ann)).toMatchObject({ pair: renewed });
  // Where the stored pair cannot be opened any more, a login with it is an ask like any other.
  stores.execute("update credentials set sealed_password = 'damaged'");
  rig.campus.healthyUsers.delete(ann);
  expect(await failureOf(rig.login(renewed))).toBe('no failure');
});

it('a network gets a part of a queue, a trusted caller all of it', () => {
  const caller = { network: 'n', trusted: false, home: [], token: [] };
  expect(queueOf('stranger', caller)).toEqual({ queue: 'stranger', network: 'n' });
  expect(queueOf('registration', { ...caller, trusted: true })).toEqual({ queue: 'registration' });
});

it('the home network of an IPv6 address is its /64, not the /48 of its neighbours', () => {
  const callers = createCallers(new KeyedNames([Buffer.alloc(32, 7)]), { trustedCallers: [], trustedProxies: [] });
  const home = (address: string) => callers.callerOf(ann, address, null).home;
  expect(home('2001:db8:1:2::1')).toHaveLength(1);
  expect(home('2001:db8:1:2:ffff::9')).toEqual(home('2001:db8:1:2::1'));
  expect(home('2001:db8:1:3::1')).not.toEqual(home('2001:db8:1:2::1'));
});
