import type { CallContext, Student } from '../../domain/context.ts';
import type { Failure } from '../../domain/errors.ts';
import type { PageReader } from '../parsing/page-reader.ts';
import type { Application } from '../upstreams.ts';
import type { Memo } from './student-state.ts';

export interface UpstreamRequest {
  /** The name that operators see when it cannot be read: one of a fixed few for each application. */
  readonly page: string;
  readonly method: 'GET' | 'POST';
  /** Path and query below the application's base, beginning with `/`. */
  readonly path: string;
  /** Form fields in order; sent as `application/x-www-form-urlencoded`, UTF-8. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>;
  /** A JSON body instead of a form. */
  readonly jsonBody?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the page whose script asks, sent as its `Referer`. */
  readonly referer?: string;
  /** `json`: HTML in the body is never data. `page`: `alive` decides. */
  readonly expect: 'json' | 'page';
  /** Recognises the live page; not asked for `json`. */
  readonly alive?: PageReader<boolean>;
  /** Known to be slow: one attempt may take 25 s instead of 12 s. */
  readonly slow?: boolean;
  /** A plan, or a list that comes whole: it may be longer than other answers. */
  readonly whole?: boolean;
  /**
   * The campus may not have it: status 404, or a page without its mark that shows no dead session either, is answered
   * with an empty text instead of a failure.
   */
  readonly optional?: boolean;
  /** A write: never repeated unless it certainly did not reach the application. */
  readonly write?: boolean;
  /** A read that the client repeats by its own rule: the session core does not send it a second time. */
  readonly once?: boolean;
}

/** The body of a live answer. */
export interface PageText {
  readonly page: string;
  readonly text: string;
}

/** A student's live session of one upstream, as the clients see it. Valid only inside `SessionAccess.with`. */
export interface UpstreamSession {
  readonly userid: string;
  /**
   * Sends one request and returns the body once it is sure to come from the live application.
   * An expired session is renewed and the whole work of `with` repeated by the session core; the client sees nothing.
   * @throws Failure `upstream-unavailable`, `upstream-unreadable`, `timed-out`
   */
  text(request: UpstreamRequest): Promise<PageText>;
  /**
   * Parses a text, a large one on another thread. `otherwise` is thrown in
   * place of the failure that the page is unreadable.
   * @throws what the parser throws; Failure `upstream-unreadable`, `overloaded`
   */
  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T>;
  /** Calls `read` on a text. Like `parse`, it counts the page as read or unreadable. */
  reading<T>(answer: PageText, read: (text: string) => T): Promise<T>;
  /** Rows of a page could not be used: never dropped silently. */
  dropped(page: string, rows: number): void;
  /** Values that pages handed out (path segments, tokens): sealed with the session and gone with it. */
  readonly memo: Pick<Memo, 'get' | 'set' | 'drop'>;
  /** Runs `work` alone among calls of this student and application with the same name (index pages, postbacks). */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** An answer that looks like this shows, or suggests, a dead session. */
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

/**
 * Ends the work of `SessionAccess.with`, because its session is dead: thrown by `text` for what an answer shows, and by
 * a client's work (sign `refused`) when the application itself says that its ticket or session is no good. The session
 * core renews what has died and runs the work again.
 */
export class SessionDead extends Error {
  readonly sign: DeadSign;
  /** The service that the application asked the unified login for, where its redirect said so. */
  readonly service: string | null;
  /** The call's outcome when the renewed session is refused as well; null: the session is lost. */
  readonly otherwise: Failure | null;

  constructor(sign: DeadSign, details: { readonly service?: string | null; readonly otherwise?: Failure } = {}) {
    super(`session is dead: ${sign}`);
    this.name = 'SessionDead';
    this.sign = sign;
    this.service = details.service ?? null;
    this.otherwise = details.otherwise ?? null;
  }
}

/** The application refused its session; `failure` is the answer if it refuses the renewed one as well. */
export const refusedSession = (failure: Failure): SessionDead => new SessionDead('refused', { otherwise: failure });

export interface AccessOptions {
  /**
   * For work that serves all students and only borrows this session: this many of its requests at once, beside
   * the student's slots.
   */
  readonly parallel?: number;
}

/** How clients reach their upstream. Implemented by `sessions.ts`; faked in unit tests of the clients. */
export interface SessionAccess {
  /**
   * Gives `work` a live session of that application, signing in by the cheapest path. When the session turns out to be
   * dead, it is renewed and `work` runs again from its beginning, at most once per layer. Once a write has gone out,
   * `work` does not run again unless that write provably did not reach the application.
   * @throws Failure sign-in kinds, `session-lost`, `outcome-unknown`, `timed-out`, `client-gone`, and what `work`
   *   throws
   */
  with<T>(
    student: Student,
    application: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
    options?: AccessOptions,
  ): Promise<T>;
}
