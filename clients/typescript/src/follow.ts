import type { CampusClient } from './client.ts';
import { CampusError } from './errors.ts';
import type { Answer, Data } from './types.ts';
import { wait } from './wait.ts';

export interface FollowOptions<State> {
  readonly signal?: AbortSignal;
  /** Between two looks. Left out: as long as the service says with its answer, else two seconds. */
  readonly everyMs?: number;
  /** After this long the last state is returned, over or not. */
  readonly forMs?: number;
  /** Failures in a row that are waited for, of those that may pass by themselves. */
  readonly failures?: number;
  /** Told every state that differs from the last one. */
  readonly onState?: (state: State) => void;
}

/**
 * Looks again and again until `isOver`, the time is up or `signal` is aborted. A failure that may pass is waited for, a
 * lasting one is thrown. It ends in any case: after `forMs`, an hour unless said otherwise.
 */
export const followUntil = async <State>(
  look: (signal: AbortSignal | undefined) => Promise<Pick<Answer<State>, 'data' | 'pollAfter'>>,
  isOver: (state: State) => boolean,
  options: FollowOptions<State> = {},
): Promise<State> => {
  const { signal, everyMs, forMs = 3_600_000, failures = 5, onState } = options;
  const end = Date.now() + forMs;
  let told = '';
  let failed = 0;
  for (;;) {
    let pauseMs = everyMs ?? 2_000;
    try {
      const { data: state, pollAfter } = await look(signal);
      pauseMs = everyMs ?? (pollAfter === null ? pauseMs : pollAfter * 1000);
      failed = 0;
      const text = JSON.stringify(state);
      if (text !== told) onState?.(state);
      told = text;
      if (isOver(state) || Date.now() + pauseMs >= end) return state;
    } catch (error) {
      failed += 1;
      const mayPass = error instanceof CampusError && ['wait', 'try-again'].includes(error.advice);
      if (!mayPass || failed > failures) throw error;
      pauseMs = Math.max(pauseMs, (error.retryAfter ?? 0) * 1000);
      if (Date.now() + pauseMs >= end) throw error;
    }
    await wait(pauseMs, signal);
  }
};

type Evaluation = Data<'getEvaluationStatus'>;

/** Follows the evaluation task of the student, on whichever surface it was begun, to its end; `null` where there is none. */
export const followEvaluation = (client: CampusClient, options: FollowOptions<Evaluation> = {}): Promise<Evaluation> =>
  followUntil(
    // A look that failed is repeated here.
    (signal) => client.getEvaluationStatus({ retryWithinMs: 0, ...(signal === undefined ? {} : { signal }) }),
    (state) => state === null || !['initializing', 'running', 'paused'].includes(state.status),
    options,
  );
