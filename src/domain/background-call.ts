import { randomToken, sha256 } from '../lib/hash.ts';
import { abortAfter, Deadline, systemClock } from '../lib/time.ts';
import type { CallContext, Log } from './context.ts';
import { failures } from './errors.ts';

const withFields = (log: Log, own: Record<string, unknown>): Log => ({
  debug: (fields, message) => log.debug({ ...own, ...fields }, message),
  info: (fields, message) => log.info({ ...own, ...fields }, message),
  warn: (fields, message) => log.warn({ ...own, ...fields }, message),
  error: (fields, message) => log.error({ ...own, ...fields }, message),
});

/**
 * Runs `work` as a call that no caller waits for, with a trace id and a deadline. Time runs by the machine here, since it
 * bounds real requests.
 */
export const backgroundCall = async <T>(
  log: Log,
  ms: number,
  signal: AbortSignal,
  work: (context: CallContext) => Promise<T>,
): Promise<T> => {
  using late = abortAfter(systemClock, ms, () => failures.timedOut());
  const traceId = sha256(randomToken()).slice(0, 32);
  return await work({
    traceId,
    signal: AbortSignal.any([signal, late.signal]),
    deadline: new Deadline(ms),
    log: withFields(log, { trace_id: traceId }),
    address: '',
  });
};
