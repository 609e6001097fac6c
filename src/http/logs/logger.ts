import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** The messages of these errors name members and types, never text that a client sent. */
const plainErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

const frames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

/** The message only where the language wrote it: others may quote a page, a form or a token. */
export const describeError = (error: unknown, depth = 0): Record<string, unknown> | null => {
  if (!(error instanceof Error)) return error === undefined ? null : { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: error.name,
    code,
    ...(plainErrors.has(error.name) ? { message: error.message } : {}),
    frames: frames(error),
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
};

const secretMembers = new Set([
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
]);

const censor = '[redacted]';

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Error) && !Array.isArray(value);

const withoutSecrets = (fields: object, depth: number): Record<string, unknown> => {
  const clean: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(fields)) {
    if (secretMembers.has(name)) clean[name] = censor;
    else if (depth > 0 && isPlain(value)) clean[name] = withoutSecrets(value, depth - 1);
  }
  return clean;
};

/**
 * A write costs more than everything else about a line. The library measures all waiting lines again with each new one:
 * with 64 KiB that took 4 µs a line.
 */
const batches = { minLength: 16_384, maxWrite: 32_768, periodicFlush: 50, sync: false };

/** Writes lines in batches, and those that wait when the process ends. */
export const batched = (dest: number | string): DestinationStream => destination({ dest, ...batches });

/**
 * Lines are safe by construction (routes, kinds, counts); the removal of secret members, here and one level below, is
 * the second net. The redaction of the library parses its paths for every line, which cost a tenth of a request.
 */
export const createLogger = (level: string, output = batched(1)): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, 1),
      },
      // Errors of libraries may quote addresses, rows or pages.
      serializers: { err: (value: unknown) => (value instanceof Error ? describeError(value) : value) },
    },
    output,
  );
