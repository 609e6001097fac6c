import { type ClientRequestArgs, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Reach, Settings } from './operator.ts';
import { reasonOf } from './reason.ts';

const TIMEOUT_MS = 10_000;

const ask = (url: URL, insecureTls: boolean): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options: ClientRequestArgs = { method: 'GET', agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const asked =
      url.protocol === 'https:'
        ? tlsRequest(url, { ...options, rejectUnauthorized: !insecureTls })
        : plainRequest(url, options);
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end();
  });

/** Asks the address once, without credentials and without following anything; only the head of the answer counts. */
export const reach = async ({ name, url, insecureTls }: Settings['upstreams'][number]): Promise<Reach> => {
  const { origin } = new URL(url);
  const began = performance.now();
  try {
    const answer = await ask(new URL(url), insecureTls);
    const milliseconds = performance.now() - began;
    const time = Date.parse(answer.headers.date ?? '');
    // What follows the head is not wanted, and what happens to it while it is thrown away does not matter.
    answer.once('error', () => {});
    answer.destroy();
    const serverTime = Number.isNaN(time) ? null : time;
    return { name, origin, status: answer.statusCode ?? null, detail: '', milliseconds, serverTime };
  } catch (error) {
    const late = error instanceof Error && error.name === 'AbortError';
    const detail = late ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    return { name, origin, status: null, detail, milliseconds: performance.now() - began, serverTime: null };
  }
};
