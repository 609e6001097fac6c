import { randomBytes } from 'node:crypto';
import { equalInConstantTime, type KeyedNames } from '../../lib/hash.ts';

export interface InviteCode {
  readonly code: string;
  /** null: no limit. */
  readonly maxUses: number | null;
  readonly used: number;
  /** Epoch ms, null: never. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export interface Invite {
  readonly hash: string;
  readonly code: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export interface InviteStore {
  /** `id`: 16 random hex digits, by which invite tokens name the code; a hash would let their bearers guess short codes. */
  findCode(code: string): Promise<(InviteCode & { readonly id: string }) | null>;
  /** The code with that id, while it is usable at `now` and no registration has used the token with that hash. */
  codeFor(token: { readonly hash: string; readonly codeId: string }, now: number): Promise<string | null>;
  /** A token that the previous version has stored: unexpired, unused, and its code still usable at `now`; else null. */
  storedInvite(hash: string, now: number): Promise<Invite | null>;
}

interface SignedInvite {
  /** Of the invite code, as `InviteCode.id`. */
  readonly codeId: string;
  readonly expiresAt: number;
}

/** Bytes of each part, in this order. */
const ID = 8;
const END = 6;
const RANDOM = 6;
const MAC = 12;
const SAID = ID + END + RANDOM;

/** In hex digits. */
export const inviteCodeIdLength = 2 * ID;

export type InviteTokens = ReturnType<typeof createInviteTokens>;

/**
 * Invite tokens that need no row until they are used: code id, end, random bytes and a MAC under a key derived from the
 * secret key. 43 characters, like those of the previous version, which were stored.
 */
export const createInviteTokens = (names: KeyedNames) => {
  const purpose = 'invite token';
  const macOf = (name: string): string => name.slice(0, 2 * MAC);
  return {
    sign({ codeId, expiresAt }: SignedInvite): string {
      const said = Buffer.alloc(SAID);
      said.write(codeId, 'hex');
      said.writeUIntBE(expiresAt, ID, END);
      randomBytes(RANDOM).copy(said, ID + END);
      const mac = Buffer.from(macOf(names.one(purpose, said.toString('hex'))), 'hex');
      return Buffer.concat([said, mac]).toString('base64url');
    },
    /** Null for anything else; a token of any listed key is read. It says nothing of whether it was used or has ended. */
    read(token: string): SignedInvite | null {
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
