import type { Failure } from '../../domain/errors.ts';
import type { NoAnswer, TransportFault } from '../http.ts';

/**
 * A request that brought no answer. Besides what the transport may meet: an open breaker, a pause after failures of this
 * student's own, the student's own line full or requests spent, or a session that is gone.
 */
export type Unanswered = NoAnswer<
  TransportFault | 'breaker-open' | 'student-paused' | 'budget-spent' | 'student-line-full' | 'session-replaced'
>;

/** How an answer looked that shows, or suggests, a dead session. */
export type DeadSign =
  | 'portal-expired'
  | 'application-expired'
  /** The application itself refused the ticket or the session, by its status or by what it said. */
  | 'refused'
  /** HTML where JSON was due, without a mark: one renewal, then it is an error of the upstream. */
  | 'html-for-json'
  /** The same for a page, where dead sessions show as pages that lack what was due. */
  | 'unmarked-page'
  /** Nothing at all, twice, from a session that was not verified lately. */
  | 'empty-unproven';

interface Dead {
  readonly kind: 'dead';
  readonly sign: DeadSign;
  /** The service that the application asked the unified login for, verbatim, where its redirect said so. */
  readonly service: string | null;
}

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

/** The verdict on one request. */
export type Verdict =
  /** The text of the live application. */
  | { readonly kind: 'live'; readonly text: string }
  | Dead
  | Failed
  /** The network, a gateway or an empty body spoilt it: a read may be sent once more, else it is what `cause` says. */
  | { readonly kind: 'retry'; readonly cause: Dead | Failed };

export const dead = (sign: DeadSign, service: string | null = null): Dead => ({ kind: 'dead', sign, service });
export const failed = (failure: Failure): Failed => ({ kind: 'failed', failure });
