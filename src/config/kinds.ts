import { isIP } from 'node:net';
import { dayNumber } from '../lib/time.ts';

type DatabaseAddress =
  | { readonly kind: 'sqlite' /** File path, or `:memory:`. */; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface InviteSeed {
  readonly code: string;
  /** Null: no limit. */
  readonly maxUses: number | null;
}

/** Only a shell makes the home folder of it; here it would be a folder of that name. */
const isBelowTilde = (text: string): boolean => /^sqlite:~/.test(text);
/** It ends an address, and what follows would be neither password nor host. */
const hasHashInPassword = (text: string): boolean => /^postgres(?:ql)?:\/\/[^@]*#.*@/s.test(text);

export const parseDatabaseUrl = (text: string): DatabaseAddress | null => {
  if (isBelowTilde(text) || hasHashInPassword(text)) return null;
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', path: file };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && pathname.length > 1 ? { kind: 'postgres', url: text } : null;
};

/** Names the database without the password that its URL may hold. */
export const storageName = (storage: DatabaseAddress): string => {
  if (storage.kind === 'sqlite') return `SQLite ${storage.path}`;
  const url = URL.parse(storage.url);
  return url ? `PostgreSQL ${url.host}${url.pathname}` : 'PostgreSQL';
};

const keyPattern = /^[A-Za-z0-9+/]{43}=$/;

const textShapeOf = (text: string): string => {
  if (text === '') return 'empty';
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return `base64 of ${Buffer.from(text, 'base64').length} bytes`;
  return `${text.length} characters that are not all standard base64`;
};

/** Each key is 32 bytes in standard base64. A problem names the position and the shape of a bad one, never its content. */
export const readSecretKeys = (text: string): { keys: Buffer[] } | { problem: string } => {
  const entries = text.split(',').map((entry) => entry.trim());
  const keys: Buffer[] = [];
  for (const [at, entry] of entries.entries()) {
    const name = `secret key ${at + 1} of ${entries.length}`;
    const key = Buffer.from(entry, 'base64');
    // Comparing with the re-encoded bytes also refuses stray bits behind the last byte.
    if (!keyPattern.test(entry) || key.toString('base64') !== entry)
      return { problem: `${name} must be 32 bytes in base64 (44 characters), got ${textShapeOf(entry)}` };
    if (entries.indexOf(entry) < at) return { problem: `${name} is given twice` };
    keys.push(key);
  }
  return { keys };
};

export const MOST_INVITE_USES = 1_000_000;

export interface SettingKind<T> {
  /** Completes "give …" and the column "value" of the document. */
  readonly expects: string;
  /** Gets a trimmed text that is not empty, and returns null when it is not of this kind. */
  read(text: string): T | null;
  /** Says what is wrong without repeating the text. Without it the text is shown, unless it may be secret. */
  fault?(text: string, secret: boolean): string;
}

/** Shows a wrong text; a secret, or a text that could carry one, is only described. */
export const settingFaultOf = ({ fault, expects }: SettingKind<unknown>, text: string, secret: boolean): string => {
  if (fault) return fault(text, secret);
  if (secret || text.includes('@')) return `${text.length} characters, not ${expects}`;
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
};

const numbers =
  (sort: string, form: RegExp) =>
  (least: number, most: number, unit = 1): SettingKind<number> => ({
    expects: `${sort} from ${least} to ${most}`,
    read(text) {
      const value = form.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? Math.round(value * unit) : null;
    },
  });

/** Bounds are as the operator writes them; `unit` converts the number for the configuration, whose times are milliseconds. */
export const wholeBetween = numbers('a whole number', /^\d{1,15}$/);
export const decimalBetween = numbers('a number', /^\d{1,15}(\.\d{1,6})?$/);

export const choice = <const T extends string>(...values: readonly T[]): SettingKind<T> => ({
  expects: values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`,
  read: (text) => values.find((value) => value === text) ?? null,
});

const switches = new Map([
  ...['on', 'true', '1', 'yes'].map((word) => [word, true] as const),
  ...['off', 'false', '0', 'no'].map((word) => [word, false] as const),
]);

export const onOff: SettingKind<boolean> = {
  expects: 'on or off',
  read: (text) => switches.get(text.toLowerCase()) ?? null,
};

const DEMO_PORT = 8_100;

export const demoPlace: SettingKind<{ readonly host: string; readonly firstPort: number }> = {
  expects: 'a host, or a host and a port as in demo-campus:8100',
  read: (text) => {
    const [, host = '', port] = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9]\d{0,4}))?$/i.exec(text) ?? [];
    const firstPort = port === undefined ? DEMO_PORT : Number(port);
    return host === '' || firstPort > 65_500 ? null : { host, firstPort };
  },
};

const where = (expects: string, isKnown: (text: string) => boolean): SettingKind<string> => ({
  expects,
  read: (text) => (isKnown(text) ? text : null),
});

const textLike = (expects: string, pattern: RegExp) => where(expects, (text) => pattern.test(text));

export const calendarDay = where('a day, YYYY-MM-DD', (text) => dayNumber(text) !== null);

/** A list may hold a thousand items, and more than these would say nothing new. */
const MOST_NAMED = 20;

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const commaList = <T>(kind: SettingKind<T>, most: number): SettingKind<readonly T[]> => ({
  expects: `a comma list of at most ${most}, each ${kind.expects}`,
  read(text) {
    const values = itemsOf(text).map((item) => kind.read(item));
    const good = values.filter((value) => value !== null);
    return good.length === values.length && good.length <= most ? good : null;
  },
  fault(text, secret) {
    const items = itemsOf(text);
    const bad = items.flatMap((item, at) =>
      kind.read(item) === null ? [`item ${at + 1} of ${items.length}: ${settingFaultOf(kind, item, secret)}`] : [],
    );
    if (bad.length === 0) return `a list of ${items.length}`;
    const more = bad.length > MOST_NAMED ? [`and ${bad.length - MOST_NAMED} more`] : [];
    return [...bad.slice(0, MOST_NAMED), ...more].join(', ');
  },
});

const lowerCase = (kind: SettingKind<string>): SettingKind<string> => ({
  expects: kind.expects,
  read: (text) => kind.read(text)?.toLowerCase() ?? null,
});

const httpUrl = (text: string): URL | null => {
  if (text.length > 2_000 || !/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // User information in an address ends up in logs and Location headers; no upstream of ours asks for it.
  return url.username === '' && url.password === '' && !text.includes('#') ? url : null;
};

export const host = textLike('an address or host name to listen on', /^[A-Za-z0-9.:_-]{1,253}$/);

/** Without a trailing slash. */
export const baseUrl: SettingKind<string> = {
  expects: 'an http:// or https:// address without query or user information',
  read(text) {
    const url = httpUrl(text);
    return url === null || text.includes('?') ? null : `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  },
};

/** Credentials have a separate setting, which is not shown. */
export const proxyUrl = where(
  'an http:// or socks5:// address without path or user information',
  (text) => /^(?:http|socks5):\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/.test(text) && URL.canParse(text),
);

export const proxyAuthorization = textLike('a name, a colon and a password', /^[^:\s]{1,255}:\S{0,255}$/);

export const webUrl = where(
  'an http:// or https:// address without user information',
  (text) => httpUrl(text) !== null,
);

export const pathOrUrl = where(
  'a path beginning with one / or an http(s):// address',
  (text) => /^\/(?![/\\])\S{0,2000}$/.test(text) || httpUrl(text) !== null,
);

/** As a URI: a bare mail address becomes a `mailto:`. */
export const contact: SettingKind<string> = {
  expects: 'a mail address, or an https:// address of a page',
  read(text) {
    if (/^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text)) return `mailto:${text}`;
    // Pages show it, so nothing may end a link there.
    return /^https:\/\/[\w.~:/?#@!$&*+,;=%-]+$/.test(text) && httpUrl(text) ? text : null;
  },
};

/** Pages show it, so it may hold no markup. */
export const displayName = textLike(
  'a name of at most 100 characters, without < > [ ] or backticks',
  /^[^\p{Cc}<>[\]`]{1,100}$/u,
);

export const domainName = lowerCase(
  textLike('a bare domain or IPv4 address, without scheme, port or path', /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i),
);

export const network: SettingKind<string> = {
  expects: 'an IP address or a network such as 192.0.2.0/28, but not /0',
  read(text) {
    const [address = '', bits, ...more] = text.split('/');
    const version = isIP(address);
    if (version === 0 || more.length > 0) return null;
    if (bits === undefined) return text;
    // A network of all addresses would let any client choose the address it is counted under.
    return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? text : null;
  },
};

/** `192.0.2.0/28:8443`, IPv6 in brackets: `[2001:db8::/32]:8443`. Without a port it is 443. */
export const allowedTarget: SettingKind<{ readonly network: string; readonly port: number }> = {
  expects: 'a network, with a port where it is not 443, such as 192.0.2.0/28:8443 or [2001:db8::/64]:8443',
  read(text) {
    const [, inBrackets, plain = inBrackets, port = '443'] =
      /^(?:\[([^\]]{1,60})\]|([^\]:[]{1,20}))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const named = network.read(plain ?? text);
    return named !== null && Number(port) >= 1 && Number(port) <= 65_535
      ? { network: named, port: Number(port) }
      : null;
  },
};

export const deniedTarget: SettingKind<string> = {
  expects: 'a network such as 192.0.2.0/28, or a domain',
  read: (text) => network.read(text) ?? domainName.read(text),
};

export const corsOrigin = lowerCase(
  textLike('* or an origin such as https://app.example.edu', /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+)$/i),
);

export const campus = textLike(
  'demo, the name of a manifest in src/campuses, or the path of one that ends with .json',
  /^(?:[a-z0-9][a-z0-9-]{0,63}|[^\0]{1,4000}\.json)$/,
);

export const timeZone: SettingKind<string> = {
  expects: 'an IANA time zone such as Asia/Shanghai',
  read(text) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    } catch {
      return null;
    }
  },
};

export const studentId = textLike('a student id of 1 to 20 letters and digits', /^[A-Za-z0-9]{1,20}$/);

export const invite = {
  expects: `an invite code, or code:uses with 1 to ${MOST_INVITE_USES} uses`,
  read(text: string): InviteSeed | null {
    const [, code, uses = '1'] = /^([^\s:,]{1,100})(?::([1-9]\d{0,6}))?$/.exec(text) ?? [];
    return code === undefined || Number(uses) > MOST_INVITE_USES ? null : { code, maxUses: Number(uses) };
  },
};

export const database = {
  expects: 'sqlite:<file> or postgres://user:password@host:port/database',
  read: parseDatabaseUrl,
  fault(text: string) {
    if (isBelowTilde(text)) return 'below ~, which is no home folder here; give the whole path of the file';
    if (hasHashInPassword(text)) return 'an address with # in its password; write %23 for it';
    return 'neither sqlite:<file> nor postgres://<host>/<database>';
  },
};

export const secretKeyList: SettingKind<readonly Buffer[]> = {
  expects: '32 random bytes as base64, such as `openssl rand -base64 32` prints',
  read(text) {
    const found = readSecretKeys(text);
    return 'keys' in found ? found.keys : null;
  },
  fault(text) {
    const found = readSecretKeys(text);
    return 'problem' in found ? found.problem : 'usable';
  },
};

export const filePath = where('the path of a file', (text) => !text.includes('\0') && text.length <= 4_096);
