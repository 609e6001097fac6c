import type { ChangeEvent } from './events.ts';

/** What a hook of the format `standard` is told. */
export interface HookMessage {
  /** The same for every attempt: drop one that was handled before. */
  readonly id: string;
  readonly type: ChangeEvent['type'];
  /** `detail`, what the reading says, where the hook is told in full. */
  readonly event: ChangeEvent & { readonly detail?: Readonly<Record<string, string | number | boolean | null>> };
}

export interface HookCall {
  /** As it was received, to the last byte: what was parsed and written again does not verify. */
  readonly body: string;
  /** Of the request: a `Headers`, or names in lower case as Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The message is not from the service, or is none that it sent just now: answer 400. */
export class HookRefused extends Error {
  constructor(why: string) {
    super(`hook refused: ${why}`);
    this.name = 'HookRefused';
  }
}

/** Beyond this the clocks differ too much, or an old message is sent again. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

const verifies = async (secret: string, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> => {
  const raw = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (raw === null || raw.length === 0) throw new HookRefused('the secret is none');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, new TextEncoder().encode(text));
};

/**
 * Checks the signature of what a hook was told (Standard Webhooks 1.0) and gives the message. @throws HookRefused
 * @param now of this machine, in milliseconds
 */
export const verifyHook = async (
  secret: string,
  { body, headers }: HookCall,
  now = Date.now(),
): Promise<HookMessage> => {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === 'string' ? value : '';
  };
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) throw new HookRefused('headers are missing');
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) throw new HookRefused('too old, or too new');
  // One for each valid secret; there are never many.
  for (const signature of header('webhook-signature').split(' ').slice(0, 8)) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? bytesOf(text) : null;
    if (bytes === null || !(await verifies(secret, bytes, `${id}.${timestamp}.${body}`))) continue;
    const { type, data } = JSON.parse(body);
    return { id, type, event: data };
  }
  throw new HookRefused('no signature fits');
};
