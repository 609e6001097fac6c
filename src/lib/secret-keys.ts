const keyPattern = /^[A-Za-z0-9+/]{43}=$/;

/** How a bad key looks, without showing any of it. */
const shapeOf = (text: string): string => {
  if (text === '') return 'empty';
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return `base64 of ${Buffer.from(text, 'base64').length} bytes`;
  return `${text.length} characters that are not all standard base64`;
};

/**
 * Parses the comma list of secret keys, each 32 bytes in standard base64 (44 characters). The first key encrypts,
 * all of them decrypt.
 * @throws Error whose message names the position and the shape of a bad key, never its content
 */
export const parseSecretKeys = (text: string): Buffer[] => {
  const entries = text.split(',').map((entry) => entry.trim());
  const seen = new Set<string>();
  return entries.map((entry, at) => {
    const key = Buffer.from(entry, 'base64');
    // Comparing with the re-encoded bytes also refuses stray bits behind the last byte.
    if (!keyPattern.test(entry) || key.toString('base64') !== entry)
      throw new Error(
        `secret key ${at + 1} of ${entries.length} must be 32 bytes in base64 (44 characters), got ${shapeOf(entry)}`,
      );
    if (seen.has(entry)) throw new Error(`secret key ${at + 1} of ${entries.length} is given twice`);
    seen.add(entry);
    return key;
  });
};
