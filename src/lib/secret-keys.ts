/** Bytes of one key: AES-256. */
export const secretKeyBytes = 32;

const base64 = /^[A-Za-z0-9+/]{43}=?$/;
const base64url = /^[A-Za-z0-9_-]{43}=?$/;

/**
 * Reads a comma list of keys: the first one encrypts, all of them decrypt, so a key is replaced without a pause by
 * putting the new one in front. Each is base64 (or base64url) of 32 bytes, padding optional.
 * @returns the keys in order, or the first problem in words that repeat nothing of the text but lengths
 */
export const parseSecretKeys = (text: string): { keys: Buffer[] } | { problem: string } => {
  const parts = text.split(',').map((part) => part.trim());
  const keys: Buffer[] = [];
  for (const [index, part] of parts.entries()) {
    const name = parts.length === 1 ? '' : `key ${index + 1} of ${parts.length}: `;
    if (!base64.test(part) && !base64url.test(part)) {
      return { problem: `${name}${part.length} characters, not base64 of ${secretKeyBytes} bytes` };
    }
    const key = Buffer.from(part, 'base64');
    if (key.every((byte) => byte === key[0])) return { problem: `${name}one byte repeated, not a random key` };
    keys.push(key);
  }
  return { keys };
};
