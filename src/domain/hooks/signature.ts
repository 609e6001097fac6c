import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0, symmetric: https://www.standardwebhooks.com */

const SECRET_PREFIX = 'whsec_';

export const newHookSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;

export interface SignedMessage {
  readonly id: string;
  /** Whole seconds. */
  readonly timestamp: number;
  readonly body: string;
}

const signature = (secret: string, { id, timestamp, body }: SignedMessage): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

/** The headers that prove who sent a message; one signature for each secret that is still good. */
export const signingHeaders = (secrets: readonly string[], message: SignedMessage): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signature(secret, message)).join(' '),
});
