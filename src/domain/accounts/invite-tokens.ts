import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../../lib/hash.ts';
import type { KeyedNames } from '../../lib/keyed-names.ts';

/** What a signed invite token says. */
export interface SignedInvite {
  /** Of the invite code, as `InviteCode.id`. */
  readonly codeId: string;
  readonly expiresAt: number;
}

/**
 * Invite tokens that need no row until they are used: code id, end, random bytes and a MAC under a key derived from the
 * secret key. 43 characters, like those of the version before, which were stored.
 */
export interface InviteTokens {
  sign(invite: SignedInvite): string;
  /** Null for anything else; a token of any listed key is read. It says nothing of whether it was used or has ended. */
  read(token: string): SignedInvite | null;
}

/** Bytes of each part, in this order. */
const ID = 8;
const END = 6;
const RANDOM = 6;
const MAC = 12;
const SAID = ID + END + RANDOM;

/** As many hex digits as an id of an invite code has. */
export const inviteCodeIdLength = 2 * ID;

export const createInviteTokens = (names: KeyedNames): InviteTokens => {
  const purpose = 'invite token';
  const macOf = (name: string): string => name.slice(0, 2 * MAC);
  return {
    sign({ codeId, expiresAt }) {
      const said = Buffer.alloc(SAID);
      said.write(codeId, 'hex');
      said.writeUIntBE(expiresAt, ID, END);
      randomBytes(RANDOM).copy(said, ID + END);
      const mac = Buffer.from(macOf(names.one(purpose, said.toString('hex'))), 'hex');
      return Buffer.concat([said, mac]).toString('base64url');
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url');
      // One token has one spelling: used under another one it would be used twice.
      if (bytes.length !== SAID + MAC || bytes.toString('base64url') !== token) return null;
      const said = bytes.subarray(0, SAID);
      const mac = bytes.subarray(SAID).toString('hex');
      const macs = names.all(purpose, said.toString('hex')).map(macOf);
      if (!macs.some((each) => equalInConstantTime(each, mac))) return null;
      return { codeId: said.toString('hex', 0, ID), expiresAt: said.readUIntBE(ID, END) };
    },
  };
};
