import type { Clock } from '../../lib/time.ts';
import type { CallContext, Student, WrittenApplication } from '../context.ts';
import { asFailure, failures, isFailure } from '../errors.ts';
import { markWrite } from './decide.ts';
import type { MarkStore } from './ports.ts';

/** True if nothing reached the application, or it said no. */
const hasDoneNothing = (error: unknown): boolean =>
  isFailure(
    error,
    'stored-credentials-refused',
    'stored-credentials-unreadable',
    'sign-in-guarded',
    'person-needed',
    'sign-in-unavailable',
    'ticket-unavailable',
    'upstream-unavailable',
    'upstream-refused',
    'session-lost',
    'overloaded',
    'rate-limited',
    'token-user-gone',
  );

/**
 * Every write goes through here: what was read before it is not fresh afterwards, on any replica. The mark is stored
 * before anything is sent. It ends with the write; while its outcome is unknown, with the deadline of the call, because
 * the campus may still carry it out.
 */
export class Writes {
  readonly #marks: MarkStore;
  readonly #clock: Clock;

  constructor({ marks, clock }: { readonly marks: MarkStore; readonly clock: Clock }) {
    this.#marks = marks;
    this.#clock = clock;
  }

  /**
   * @param isKnown whether a result tells the outcome of the write; left out: every one does
   * @throws Failure what `send` throws; `storage-failed`, `token-user-gone`, and nothing has been sent then
   */
  async during<T>(
    { userid, tag }: Student,
    application: WrittenApplication,
    context: CallContext,
    send: () => Promise<T>,
    isKnown: (result: T) => boolean = () => true,
  ): Promise<T> {
    const now = this.#clock.now();
    const until = now + Math.ceil(context.deadline.remaining());
    const write = await this.#marks.announceWrite(userid, application, markWrite(now, until));
    if (write === null) throw failures.tokenUserGone();
    const end = (): Promise<void> =>
      // Otherwise the mark lasts until the deadline of the call.
      this.#marks.endWrite(userid, application, write).catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        context.log.warn({ student: tag, failure: kind, reason }, 'end of a write not stored');
      });
    try {
      const result = await send();
      if (isKnown(result)) await end();
      return result;
    } catch (error) {
      if (hasDoneNothing(error)) await end();
      throw error;
    }
  }
}
