import { beforeEach, expect, it } from 'vitest';
import { AccountsRig, failureOf } from '../../../support/accounts-rig.ts';
import { MemoryAccounts } from '../../../support/memory-accounts.ts';

let stores: MemoryAccounts;
let rig: AccountsRig;
beforeEach(() => {
  stores = new MemoryAccounts();
  rig = new AccountsRig(stores);
});

/** What storage is asked while the work runs. */
const callsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  stores.calls.length = 0;
  await work();
  return [...stores.calls];
};

it.each(['', 'X'.repeat(101)])('a code that cannot be one is not looked up: "%s"', async (code) => {
  expect(await callsOf(() => failureOf(rig.inviteToken(code)))).not.toContain('findCode');
});

it.each(['', 'x'.repeat(257)])('a token that cannot be one is not looked up: "%s"', async (token) => {
  expect(await callsOf(() => failureOf(rig.accounts.authenticate(token)))).toEqual([]);
});
