import { CampusError, type Detail, type FailedSystem, type FailureReason } from './errors.ts';
import type { Answer } from './types.ts';

/** The part of a response that is looked at. */
export interface Received {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

const recordOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null ? { ...value } : null;

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return recordOf(value);
  } catch {
    return null;
  }
};

const secondsOf = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

const isDetail = (value: unknown): value is Detail => {
  const { loc, msg, type } = recordOf(value) ?? {};
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
};
const detailsIn = (value: unknown): Detail[] => (Array.isArray(value) ? value.filter(isDetail) : []);

/** A browser tells nothing of a redirect but that there was one: status 0. */
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status < 400);

/** An answer of any operation. @throws CampusError */
export const readAnswer = (operation: string, { status, headers, text }: Received): Answer<unknown> => {
  const traceId = headers.get('x-trace-id');
  const context = { operation, status, traceId, retryAfter: secondsOf(headers.get('retry-after')) };
  const body = parsed(text);
  if (body === null || isRedirect(status) || !('success' in body || 'code' in body || 'detail' in body)) {
    const message = isRedirect(status) ? 'redirected, which is not followed' : `HTTP ${status}, not from the service`;
    throw new CampusError({ ...context, code: 'NOT_THE_SERVICE', message });
  }
  const { code, data, message: words, success, error, detail } = body;
  const message = typeof words === 'string' ? words : typeof detail === 'string' ? detail : `HTTP ${status}`;
  if ((status === 200 && code === 200) || (status === 200 && typeof success === 'boolean')) {
    const age = secondsOf(headers.get('age')) ?? 0;
    const source = headers.get('cache-status');
    return {
      data,
      message,
      accepted: success !== false,
      age,
      readAt: source === null ? null : new Date(Date.now() - age * 1000),
      fromCopy: /; (?:hit|fwd=stale)/.test(source ?? ''),
      insteadOf: /fwd=stale; detail=([^;]+)/.exec(source ?? '')?.[1] ?? null,
      pollAfter: secondsOf(headers.get('x-poll-after')),
      traceId,
    };
  }
  const { code: named, details, retryable, system, reason } = recordOf(error) ?? {};
  throw new CampusError({
    ...context,
    code: typeof named === 'string' ? named : typeof code === 'number' ? code : status,
    message,
    data,
    details: detailsIn(details ?? detail),
    retryable: retryable === true,
    // Names of services that are newer than this client are texts too.
    system: typeof system === 'string' ? (system as FailedSystem) : null,
    reason: typeof reason === 'string' ? (reason as FailureReason) : null,
  });
};
