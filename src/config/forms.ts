import { isIP } from 'node:net';
import { MOST_INVITE_USES, parseDatabaseUrl, parseInviteSeed, readSecretKeys } from './structured.ts';

/** What a text must look like, beyond being a text. */
export interface Form {
  /** Completes "give …" and the column "value" of the document. */
  readonly expects: string;
  /** The text in its normal spelling, or null when it is not of this form. */
  normalize(text: string): string | null;
  /** What is wrong, in words that repeat nothing of the text; `not <expects>` when left out. */
  fault?(text: string): string;
}

const httpUrl = (text: string): URL | null => {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // User information in an address ends up in logs and Location headers; no upstream of ours asks for it.
  return url.username === '' && url.password === '' && !text.includes('#') ? url : null;
};

const baseUrl = (text: string): string | null => {
  const url = httpUrl(text);
  if (url === null || text.includes('?')) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
};

const network = (text: string): string | null => {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return null;
  if (bits === undefined) return text;
  // A network of everybody would let any client choose the address it is counted under.
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? text : null;
};

const timeZone = (text: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;

export const forms = {
  host: { expects: 'an address or host name to listen on', normalize: matching(/^[A-Za-z0-9.:_-]{1,253}$/) },
  'base-url': { expects: 'an http:// or https:// address without query or user information', normalize: baseUrl },
  'web-url': {
    expects: 'an http:// or https:// address without user information',
    normalize: (text) => (httpUrl(text) ? text : null),
  },
  'path-or-url': {
    expects: 'a path beginning with one / or an http(s):// address',
    normalize: (text) => (/^\/(?![/\\])\S*$/.test(text) || httpUrl(text) ? text : null),
  },
  domain: {
    expects: 'a bare domain or IPv4 address, without scheme, port or path',
    normalize: (text) => (/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text.toLowerCase() : null),
  },
  network: { expects: 'an IP address or a network such as 10.0.0.0/8, but not /0', normalize: network },
  'cors-origin': {
    expects: '* or an origin such as https://app.example.edu',
    normalize: (text) => (/^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+)$/i.test(text) ? text.toLowerCase() : null),
  },
  'time-zone': { expects: 'an IANA time zone such as Asia/Shanghai', normalize: timeZone },
  userid: { expects: 'a student id of 1 to 20 letters and digits', normalize: matching(/^[A-Za-z0-9]{1,20}$/) },
  invite: {
    expects: `an invite code, or code:uses with 1 to ${MOST_INVITE_USES} uses`,
    normalize: (text) => (parseInviteSeed(text) ? text : null),
  },
  database: {
    expects: 'sqlite:<file> or postgres://user:password@host:port/database',
    normalize: (text) => (parseDatabaseUrl(text) ? text : null),
    fault: () => 'neither sqlite:<file> nor postgres://<host>/<database>',
  },
  'secret-keys': {
    expects: '32 random bytes as base64, such as `openssl rand -base64 32` prints',
    normalize: (text) => ('keys' in readSecretKeys(text) ? text : null),
    fault: (text) => {
      const read = readSecretKeys(text);
      return 'problem' in read ? read.problem : 'usable';
    },
  },
  file: { expects: 'the path of a file', normalize: (text) => (text.includes('\0') ? null : text) },
} as const satisfies Record<string, Form>;

export type FormName = keyof typeof forms;
