// Counted blanks: two unbounded runs side by side would be quadratic.
const charset = /charset\s{0,8}=\s{0,8}["']?\s{0,8}([A-Za-z0-9_-]{1,40})/i;
const metaCharset = new RegExp(`<meta[^>]{0,200}${charset.source}`, 'i');

const decoderOf = (label: string): InstanceType<typeof TextDecoder> | null => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

/** Text of an upstream body: charset of the header, else of a meta element near its start, else UTF-8. */
export const decodeBody = (bytes: Uint8Array, contentType: string | undefined): string => {
  const header = charset.exec(contentType ?? '')?.[1];
  const named = header ?? metaCharset.exec(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'))?.[1];
  const decoder = (named && decoderOf(named)) || new TextDecoder('utf-8');
  return decoder.decode(bytes);
};
