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

export interface BackgroundCall extends Disposable {
  readonly context: CallContext;
}

/**
 * A call that no caller waits for, with a trace id and a deadline that ends with the block. Time runs by the machine here,
 * since it bounds real requests.
 */
export const beginBackgroundCall = (log: Log, ms: number, signal: AbortSignal): BackgroundCall => {
  const late = abortAfter(systemClock, ms, () => failures.timedOut());
  const traceId = sha256(randomToken()).slice(0, 32);
  const context = {
    traceId,
    signal: AbortSignal.any([signal, late.signal]),
    deadline: new Deadline(ms),
    log: withFields(log, { trace_id: traceId }),
    address: '',
  };
  return { context, [Symbol.dispose]: () => late[Symbol.dispose]() };
};
