import { CampusError, type Detail } from './errors.ts';
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

/** An answer of any operation. @throws CampusError */
export const readAnswer = (operation: string, { status, headers, text }: Received): Answer<unknown> => {
  const traceId = headers.get('x-trace-id');
  const context = { operation, status, traceId, retryAfter: secondsOf(headers.get('retry-after')) };
  const body = parsed(text);
  if (body === null || !('success' in body || 'code' in body || 'detail' in body)) {
    throw new CampusError({ ...context, code: 'NOT_THE_SERVICE', message: `HTTP ${status}, not from the service` });
  }
  const { code, data, message: words, success, error, detail } = body;
  const message = typeof words === 'string' ? words : typeof detail === 'string' ? detail : `HTTP ${status}`;
  if ((status === 200 && code === 200) || (status === 200 && typeof success === 'boolean')) {
    return {
      data,
      message,
      accepted: success !== false,
      age: secondsOf(headers.get('age')) ?? 0,
      insteadOf: /fwd=stale; detail=([^;]+)/.exec(headers.get('cache-status') ?? '')?.[1] ?? null,
      traceId,
    };
  }
  const { code: named, details } = recordOf(error) ?? {};
  throw new CampusError({
    ...context,
    code: typeof named === 'string' ? named : typeof code === 'number' ? code : status,
    message,
    data,
    details: detailsIn(details ?? detail),
  });
};
