import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { CopyKey } from '../domain/reads/ports.ts';

const sealVersion = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** Names the place of a sealed text. A text sealed for one place does not open at another. */
export interface SealedPlace {
  readonly userid: string;
  readonly field: string;
}

declare const isSealed: unique symbol;
/** A text made by the sealer: no other text fits a sealed column. */
export type Sealed = string & { readonly [isSealed]: true };

export type SealFault = 'malformed' | 'unknown-key' | 'not-authentic';

/** A sealed text that cannot be opened: damaged, moved to another user or field, or its key is missing. */
export class SealBroken extends Error {
  readonly fault: SealFault;

  constructor(fault: SealFault) {
    super(`sealed text refused: ${fault}`);
    this.name = 'SealBroken';
    this.fault = fault;
  }
}

const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** JSON keeps the parts apart, so that no student id and field make another pair. */
const boundTo = ({ userid, field }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify([sealVersion, userid, field]), 'utf8');

/** Buffer.from() skips characters that are not base64url: a text that fails the round trip was altered. */
const decode = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SealBroken('malformed');
  return bytes;
};

const keysById = (keys: readonly Buffer[]): Map<string, KeyObject> => {
  const byId = new Map<string, KeyObject>();
  for (const key of keys) {
    if (key.length !== 32) throw new Error(`secret keys have 32 bytes, got ${key.length}`);
    const id = keyIdOf(key);
    if (byId.has(id)) throw new Error('two secret keys have the same key id; replace one of them');
    byId.set(id, createSecretKey(key));
  }
  return byId;
};

/** Seals by AES-256-GCM with random nonces and keys of 32 bytes. The first key seals, all keys open. */
export class Sealer {
  /** Texts sealed by the first key begin with this. */
  readonly currentPrefix: string;
  /** The same for all keys. */
  readonly prefixes: readonly string[];
  readonly #currentKey: KeyObject;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  constructor(keys: readonly Buffer[]) {
    this.#keys = keysById(keys);
    this.prefixes = [...this.#keys.keys()].map((id) => `${sealVersion}.${id}.`);
    const [currentKey] = this.#keys.values();
    const [currentPrefix] = this.prefixes;
    if (currentKey === undefined || currentPrefix === undefined) throw new Error('at least one secret key is needed');
    this.#currentKey = currentKey;
    this.currentPrefix = currentPrefix;
  }

  /** Returns `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. */
  seal(text: string, place: SealedPlace): Sealed {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#currentKey, nonce, { authTagLength: tagBytes });
    cipher.setAAD(boundTo(place));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.currentPrefix}${nonce.toString('base64url')}.${body.toString('base64url')}` as Sealed;
  }

  /** @throws SealBroken */
  open(sealed: string, place: SealedPlace): string {
    const [ofVersion, keyId = '', nonceText = '', bodyText = '', ...rest] = sealed.split('.');
    if (ofVersion !== sealVersion || rest.length > 0) throw new SealBroken('malformed');
    const nonce = decode(nonceText);
    const body = decode(bodyText);
    if (nonce.length !== nonceBytes || body.length < tagBytes) throw new SealBroken('malformed');
    const key = this.#keys.get(keyId);
    if (key === undefined) throw new SealBroken('unknown-key');
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(body.subarray(-tagBytes));
    try {
      return decipher.update(body.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SealBroken('not-authentic');
    }
  }
}

export const sealOrNull = (sealer: Sealer, text: string | null | undefined, place: SealedPlace): Sealed | null =>
  text == null ? null : sealer.seal(text, place);

/** Returns the plain value; null where a key is missing or the content is damaged. */
export const openOrNull = (
  sealer: Sealer,
  sealed: string | null,
  place: SealedPlace,
  broken?: (fault: SealFault) => void,
): string | null => {
  try {
    return sealed === null ? null : sealer.open(sealed, place);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    broken?.(error.fault);
    return null;
  }
};

const of =
  <Row extends object>(fieldOf: (row: Row) => string) =>
  (row: Row & { readonly userid: string }): SealedPlace => ({ userid: row.userid, field: fieldOf(row) });

/** The places to which the values of sealed columns are bound. */
export const sealedPlaces = {
  password: of(() => 'password'),
  vpnPassword: of(() => 'vpn-password'),
  network: of(() => 'token-network'),
  client: of(() => 'token-client'),
  session: of(({ system }: { readonly system: string }) => `session:${system}`),
  trust: of(({ system }: { readonly system: string }) => JSON.stringify(['device-trust', system])),
  copy: of(({ read, params, shape }: Omit<CopyKey, 'userid'>) => JSON.stringify(['copy', read, params, shape])),
  challenge: of(({ id_hash }: { readonly id_hash: string }) => JSON.stringify(['challenge', id_hash])),
  sources: of(({ id }: { readonly id: string }) => JSON.stringify(['feed', id, 'sources'])),
  event: of(({ id }: { readonly id: string }) => JSON.stringify(['event', id])),
  hookUrl: of(({ id }: { readonly id: string }) => JSON.stringify(['hook', id, 'url'])),
  hookSecret: of(({ id }: { readonly id: string }) => JSON.stringify(['hook', id, 'secret'])),
  delivery: of(({ id }: { readonly id: string }) => JSON.stringify(['hook-delivery', id])),
  known: of(({ scope }: { readonly scope: string }) => JSON.stringify(['known', scope])),
};
