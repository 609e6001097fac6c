import { beforeEach, describe, expect, it } from 'vitest';
import { AccountsRig, ann, DAY_MS, failureOf } from '../../../support/accounts-rig.ts';
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

describe('the network of a token in use', () => {
  const networks = () => stores.guardMemory.students.get(ann)?.networks.length ?? 0;
  const [home, library] = ['192.0.2.1', '203.0.113.1'];

  it('is noted at its first use, wherever the last one was, and again after a day', async () => {
    const token = await rig.registered();
    const known = networks();
    await rig.accounts.authenticate(token);
    expect(networks(), 'a call without an address').toBe(known);
    expect(await callsOf(() => rig.accounts.authenticate(token, home))).toContain('writeGuard');
    expect(networks()).toBe(known + 1);
    await rig.accounts.authenticate(token, library);
    expect(networks()).toBe(known + 2);
    for (const address of [home, library, home]) {
      expect(await callsOf(() => rig.accounts.authenticate(token, address))).toEqual(['findToken']);
    }
    rig.clock.advance(DAY_MS);
    expect(await callsOf(() => rig.accounts.authenticate(token, home))).toContain('writeGuard');
  });
});
