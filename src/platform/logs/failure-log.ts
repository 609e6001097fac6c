import type { Log } from '../../domain/context.ts';
import type { Failure, FailureKind } from '../../domain/errors.ts';

/** Errors of the language itself: their messages name members and types, never text that somebody sent. */
const plainErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

const frames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

/**
 * An error without the texts that may quote a page, a form or a token: name, code and stack frames, and the message
 * only where the language wrote it.
 */
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

/** The caller left, or wanted a copy alone and there is none yet, as at every first start of an app. */
const doingsOfClients: readonly FailureKind[] = ['client-gone', 'no-copy'];

/** One line for a failure that was not the client's doing. Called once, where the failure is rendered. */
export const logFailure = (log: Log, failure: Failure, status: number): void => {
  if (status < 500 || doingsOfClients.includes(failure.kind)) return;
  const { kind, system, step, part, reason } = failure;
  const cause = describeError(failure.cause);
  const fields = { failure: kind, system, step, part, reason, status, cause };
  if (status === 500) log.error(fields, 'call failed');
  else log.warn(fields, 'call failed');
};
