import { type ClientRequestArgs, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { reasonOf } from '../lib/text.ts';

export interface Upstream {
  readonly name: string;
  readonly url: string;
  readonly insecureTls?: boolean;
}

export interface Reach {
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

const ask = (url: URL, insecureTls: boolean, patienceMs: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options: ClientRequestArgs = { method: 'GET', agent: false, signal: AbortSignal.timeout(patienceMs) };
    const asked =
      url.protocol === 'https:'
        ? tlsRequest(url, { ...options, rejectUnauthorized: !insecureTls })
        : plainRequest(url, options);
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end();
  });

/** Asks the address once, without credentials and without following anything; only the head of the answer counts. */
export const reach = async ({ name, url, insecureTls = false }: Upstream, patienceMs = TIMEOUT_MS): Promise<Reach> => {
  const { origin } = new URL(url);
  const began = performance.now();
  try {
    const answer = await ask(new URL(url), insecureTls, patienceMs);
    const milliseconds = performance.now() - began;
    const time = Date.parse(answer.headers.date ?? '');
    // The body is thrown away, and errors while that happens do not matter.
    answer.once('error', () => {});
    answer.destroy();
    const serverTime = Number.isNaN(time) ? null : time;
    return { name, origin, status: answer.statusCode ?? null, detail: '', milliseconds, serverTime };
  } catch (error) {
    const late = error instanceof Error && error.name === 'AbortError';
    const detail = late ? `no answer within ${patienceMs / 1000} s` : reasonOf(error);
    return { name, origin, status: null, detail, milliseconds: performance.now() - began, serverTime: null };
  }
};
