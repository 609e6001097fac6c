import { type ClientRequestArgs, type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { CampusProxy } from '../composition/probe.ts';
import { reasonOf } from '../lib/text.ts';

/** For `/ready` of the service, which waits for storage for a little less. */
export const READY_PATIENCE_MS = 3_500;

export interface ReachTarget {
  readonly name: string;
  readonly url: string;
  readonly insecureTls?: boolean;
  /** Left out or null: it is asked without one. */
  readonly proxy?: CampusProxy | null;
}

export interface ReachResult {
  readonly name: string;
  readonly origin: string;
  /** Null when there was no answer; `detail` says why. */
  readonly status: number | null;
  readonly detail: string;
  readonly milliseconds: number;
  /** The time in the answer, as epoch milliseconds; null when it told none. */
  readonly serverTime: number | null;
}

const TIMEOUT_MS = 10_000;

interface Head {
  readonly statusCode?: number | undefined;
  readonly headers: Pick<IncomingHttpHeaders, 'date'>;
}

/** The health check of a container asks often and is to stay small, so only a proxy loads the client for campuses. */
const ask = async (
  url: URL,
  { insecureTls = false, proxy = null }: ReachTarget,
  signal: AbortSignal,
): Promise<Head> => {
  if (proxy !== null) {
    const { askThrough } = await import('../composition/probe.ts');
    return askThrough(url, proxy, { rejectUnauthorized: !insecureTls, signal });
  }
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const options: ClientRequestArgs = { method: 'GET', agent: false, signal };
  const asked =
    url.protocol === 'https:'
      ? tlsRequest(url, { ...options, rejectUnauthorized: !insecureTls })
      : plainRequest(url, options);
  asked.once('response', (answer) => {
    // The body is thrown away, and errors while that happens do not matter.
    answer.once('error', () => {}).destroy();
    resolve(answer);
  });
  asked.once('error', reject);
  asked.end();
  return promise;
};

/** Asks the address once, without credentials and without following anything; only the head of the answer counts. */
export const reach = async (upstream: ReachTarget, patienceMs = TIMEOUT_MS): Promise<ReachResult> => {
  const { name, url, proxy } = upstream;
  const { origin } = new URL(url);
  const began = performance.now();
  try {
    const answer = await ask(new URL(url), upstream, AbortSignal.timeout(patienceMs));
    const milliseconds = performance.now() - began;
    const time = Date.parse(answer.headers.date ?? '');
    const serverTime = Number.isNaN(time) ? null : time;
    return { name, origin, status: answer.statusCode ?? null, detail: '', milliseconds, serverTime };
  } catch (error) {
    const late = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
    const detail = `${proxy ? 'through the proxy: ' : ''}${late ? `no answer within ${patienceMs / 1000} s` : reasonOf(error)}`;
    return { name, origin, status: null, detail, milliseconds: performance.now() - began, serverTime: null };
  }
};
