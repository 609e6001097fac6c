import type { AccountStore } from '../accounts/ports.ts';
import type { NewEvent } from '../events/ports.ts';
import type { Journal } from './journal.ts';

const passwordRefused: NewEvent = { type: 'account.password_refused', readAt: null, about: {}, ask: null, detail: {} };

/** The accounts, where the first refusal of a stored pair is an event. */
export const tellRefusedPairs = (
  stored: Omit<AccountStore, 'markPairRefused'>,
  journal: Pick<Journal, 'change'>,
): AccountStore => ({
  findUser: (userid) => stored.findUser(userid),
  standing: (userid) => stored.standing(userid),
  readPair: (userid) => stored.readPair(userid),
  register: (entry) => stored.register(entry),
  recordLogin: (entry) => stored.recordLogin(entry),
  deleteUser: (userid, erasing) => stored.deleteUser(userid, erasing),
  async markPairRefused(userid, version, step) {
    await journal.change({ operation: 'mark credentials refused', userid, lock: {} }, async (rows) =>
      (await rows.refusePair(version, step)) ? [passwordRefused] : [],
    );
  },
});
