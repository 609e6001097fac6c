import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './failure-log.ts';

/**
 * The service's logger. Lines are safe by construction (they name routes, kinds and counts); the redaction is the
 * second net for members that must never be written.
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Errors of libraries may quote addresses, rows or pages.
    serializers: { err: (value: unknown) => (value instanceof Error ? describeError(value) : value) },
    redact: {
      paths: secretMembers.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
};

const secretMembers = [
  'password',
  'vpn_password',
  'vpnPassword',
  'token',
  'authme_token',
  'invite_code',
  'invite_token',
  'inviteToken',
  'authorization',
  'cookie',
  'ticket',
  'content',
  'pair',
];
