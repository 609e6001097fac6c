import type { CallContext, Student } from '../../domain/context.ts';
import type { Failure } from '../../domain/errors.ts';
import type { PageReader } from '../parsing/reading.ts';
import type { Fields } from './sign-in.ts';
import type { Application } from './upstreams.ts';

export interface UpstreamRequest {
  /** The name that operators see when it cannot be read: one of a fixed few for each application. */
  readonly page: string;
  readonly method: 'GET' | 'POST';
  /** Path and query below the base of the application. */
  readonly path: string;
  /** The option that holds another address of the application; left out: `url`. */
  readonly at?: string;
  /**
   * A page that is opened before others: where it redirects to the unified login, a ticket is taken from there, as a browser
   * does, as long as that login lives.
   */
  readonly opens?: boolean;
  /** Sent in this order, as `application/x-www-form-urlencoded` in UTF-8. */
  readonly form?: Fields;
  readonly jsonBody?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the page that is named as the referer. */
  readonly referer?: string;
  /** `json`: HTML in the body is never data. `page`: `alive` decides. */
  readonly expect: 'json' | 'page';
  /** Recognises the live page; not called for `json`. */
  readonly alive?: PageReader<boolean>;
  /** One attempt may take 25 s instead of 12 s. */
  readonly slow?: boolean;
  /** A plan or a whole list: it may be longer than other answers. */
  readonly whole?: boolean;
  /** The campus may lack the page: a status 404, or a page without its mark, is an empty text and no failure. */
  readonly optional?: boolean;
  /** Repeated only if it certainly did not reach the application. */
  readonly write?: boolean;
  /** The client repeats the read by its own rule, so the session core does not. */
  readonly once?: boolean;
}

/** What scripts of a page accept, and so every read that expects JSON. */
export const JSON_ACCEPT = 'application/json, text/javascript, */*; q=0.01';

/** The body of a live answer. */
export interface PageText {
  readonly page: string;
  readonly text: string;
}

/** Values that pages handed out, under the few names that clients give them. */
export interface Memo {
  get(key: string): string | undefined;
  /** A longer value changes nothing. */
  set(key: string, value: string): void;
  /** Deletes the value, unless another call has replaced the stale one. */
  drop(key: string, stale: string): void;
}

/** A student's live session of one application. Valid only inside `SessionAccess.with`. */
export interface UpstreamSession {
  readonly userid: string;
  /**
   * Returns the body of the live application. Where the session has expired, the whole work of `with` runs again.
   * @throws Failure `upstream-unavailable`, `upstream-unreadable`, `timed-out`
   */
  text(request: UpstreamRequest): Promise<PageText>;
  /**
   * Parses a text, a large one on another thread. `otherwise` replaces the failure that the page is unreadable.
   * @throws what the parser throws; Failure `upstream-unreadable`, `overloaded`
   */
  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T>;
  /** Calls `read` on this thread. Like `parse`, it counts the page as read or unreadable. */
  reading<T>(answer: PageText, read: (text: string) => T): Promise<T>;
  /** Counts and logs the rows that could not be used. */
  noteDropped(page: string, rows: number): void;
  /** Values that pages handed out (path segments, tokens), sealed with the session. */
  readonly memo: Memo;
  /** Waits for the turn in a queue of this student at this application. Others wait until it is disposed of. */
  takeTurn(queue: string): Promise<Disposable>;
}

/** An answer that looks like this shows, or suggests, a dead session. */
export type DeadSign =
  | 'portal-expired'
  | 'application-expired'
  /** The application refused the ticket or the session, by its status or its words. */
  | 'refused'
  /** HTML where JSON was due, without a mark of a login. */
  | 'html-for-json'
  /** A page without its mark, of an application whose dead sessions look like that. */
  | 'unmarked-page'
  /** Twice no text, from a session that has not answered lately. */
  | 'empty-unproven';

/**
 * Ends the work of `with`. `text` throws it, and so does a client (sign `refused`) whose application rejects its
 * ticket. The session core renews what has died and runs the work again.
 */
export class SessionDead extends Error {
  readonly sign: DeadSign;
  /** The service that its redirect asked the unified login for. */
  readonly service: string | null;
  /** The call's outcome if the renewed session is refused as well; null: the session is lost. */
  readonly otherwise: Failure | null;

  constructor(sign: DeadSign, details: { readonly service?: string | null; readonly otherwise?: Failure } = {}) {
    super(`session is dead: ${sign}`);
    this.name = 'SessionDead';
    this.sign = sign;
    this.service = details.service ?? null;
    this.otherwise = details.otherwise ?? null;
  }
}

/** `failure` is the call's outcome if the application refuses the renewed session as well. */
export const refusedSession = (failure: Failure): SessionDead => new SessionDead('refused', { otherwise: failure });

/** How clients reach their application. */
export interface SessionAccess {
  /**
   * Gives `work` a live session, opened by the cheapest path. When it turns out to be dead, it is renewed and `work`
   * runs again from its beginning, at most once per layer; after a write, only if that provably did not reach the
   * application. `parallel`: the work serves all students, with so many requests at once beside the student's slots.
   * @throws Failure sign-in kinds, `session-lost`, `outcome-unknown`, `timed-out`, `client-gone`, and what `work`
   * throws
   */
  with<T>(
    student: Student,
    application: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
    options?: { readonly parallel?: number },
  ): Promise<T>;
}
