import { createHmac, randomBytes } from 'node:crypto';
import { isRecord } from '../../lib/text.ts';

interface HookMessage {
  /** The event as JSON. */
  readonly event: string;
  /** The event as one line for a person. */
  readonly line: string;
}

interface FormatRow {
  /** The hosts that it may be sent to; with a dot in front all below that domain. Null: any. */
  readonly hosts: readonly string[] | null;
  readonly signed: boolean;
  readonly contentType: string;
  body(message: HookMessage): string;
  /** Whether a 2xx with this reply has accepted the event; left out: the status decides. */
  isAccepted?(reply: Readonly<Record<string, unknown>>): boolean;
}

const json = 'application/json; charset=utf-8';
const TITLE = '校园通知';
/** Limit of Server酱, in characters. */
const LONGEST_TITLE = 32;

const rows = {
  standard: { hosts: null, signed: true, contentType: 'application/json', body: ({ event }) => event },
  ntfy: { hosts: ['ntfy.sh'], signed: false, contentType: 'text/plain; charset=utf-8', body: ({ line }) => line },
  bark: {
    hosts: ['api.day.app'],
    signed: false,
    contentType: json,
    body: ({ line }) => JSON.stringify({ title: TITLE, body: line }),
    isAccepted: ({ code }) => code === 200,
  },
  serverchan: {
    hosts: ['sctapi.ftqq.com', '.push.ft07.com'],
    signed: false,
    contentType: json,
    body: ({ line }) => JSON.stringify({ title: [...line].slice(0, LONGEST_TITLE).join(''), desp: line }),
    isAccepted: ({ code }) => code === 0,
  },
  dingtalk: {
    hosts: ['oapi.dingtalk.com'],
    signed: false,
    contentType: json,
    // A robot accepts only messages that contain its keyword.
    body: ({ line }) => JSON.stringify({ msgtype: 'text', text: { content: `${TITLE}：${line}` } }),
    isAccepted: ({ errcode }) => errcode === 0,
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type HookFormat = keyof typeof rows;

export const hookFormats: Readonly<Record<HookFormat, FormatRow>> = rows;

const isFormat = (word: string): word is HookFormat => Object.hasOwn(rows, word);

export const formatNames: readonly HookFormat[] = Object.keys(rows).filter(isFormat);

export const isAccepted = (format: HookFormat, reply: string): boolean => {
  const { isAccepted: accepted } = hookFormats[format];
  if (accepted === undefined) return true;
  try {
    const value: unknown = JSON.parse(reply);
    return isRecord(value) && accepted(value);
  } catch {
    return false;
  }
};

/** Follows Standard Webhooks 1.0, symmetric, as does everything below: https://www.standardwebhooks.com */
const SECRET_PREFIX = 'whsec_';

export const newHookSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;

interface SignedMessage {
  readonly id: string;
  /** Whole seconds. */
  readonly timestamp: number;
  readonly body: string;
}

const signature = (secret: string, { id, timestamp, body }: SignedMessage): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

export const signingHeaders = (secret: string, message: SignedMessage): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signature(secret, message),
});
