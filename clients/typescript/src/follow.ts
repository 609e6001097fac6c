import type { CampusClient } from './client.ts';
import { CampusError } from './errors.ts';
import type { Data } from './types.ts';

export interface FollowOptions<State> {
  readonly signal?: AbortSignal;
  /** Between two looks. */
  readonly everyMs?: number;
  /** After this long the last state is returned, over or not. */
  readonly forMs?: number;
  /** Failures in a row that are waited for, of those that may pass by themselves. */
  readonly failures?: number;
  /** Told every state that differs from the last one. */
  readonly onState?: (state: State) => void;
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

/**
 * Looks again and again until `isOver`, the time is up or `signal` is aborted. A failure that may pass is waited for, a
 * lasting one is thrown. It ends in any case: after `forMs`, an hour unless said otherwise.
 */
export const followUntil = async <State>(
  look: (signal: AbortSignal | undefined) => Promise<State>,
  isOver: (state: State) => boolean,
  options: FollowOptions<State> = {},
): Promise<State> => {
  const { signal, everyMs = 2_000, forMs = 3_600_000, failures = 5, onState } = options;
  const end = Date.now() + forMs;
  let told = '';
  let failed = 0;
  for (;;) {
    let pauseMs = everyMs;
    try {
      const state = await look(signal);
      failed = 0;
      const text = JSON.stringify(state);
      if (text !== told) onState?.(state);
      told = text;
      if (isOver(state) || Date.now() + pauseMs >= end) return state;
    } catch (error) {
      failed += 1;
      const mayPass = error instanceof CampusError && ['wait', 'try-again'].includes(error.advice);
      if (!mayPass || failed > failures) throw error;
      pauseMs = Math.max(everyMs, (error.retryAfter ?? 0) * 1000);
      if (Date.now() + pauseMs >= end) throw error;
    }
    await wait(pauseMs, signal);
  }
};

type Evaluation = Data<'getEvaluationStatus'>;

/** Follows the evaluation task of the student, on whichever surface it was begun, to its end; `null` where there is none. */
export const followEvaluation = (client: CampusClient, options: FollowOptions<Evaluation> = {}): Promise<Evaluation> =>
  followUntil(
    async (signal) => (await client.call('getEvaluationStatus', signal === undefined ? {} : { signal })).data,
    (state) => state === null || !['initializing', 'running', 'paused'].includes(state.status),
    options,
  );
