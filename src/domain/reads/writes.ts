import type { Clock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import type { CallContext, Student } from '../context.ts';
import { asFailure, Failure } from '../errors.ts';
import type { MarkStore } from './ports.ts';
import type { WrittenApplication } from './types.ts';

/**
 * The one way to every write: what was read before it is not fresh afterwards, on any replica. The mark is stored
 * before anything is sent; where that fails, nothing is sent.
 */
export interface Writes {
  /** @throws Failure what `send` throws; `storage-failed`, `token-user-gone`, and nothing has been sent then */
  during<T>(
    student: Student,
    application: WrittenApplication,
    context: CallContext,
    send: () => Promise<T>,
  ): Promise<T>;
}

export const createWrites = ({ marks, clock }: { marks: MarkStore; clock: Clock }): Writes => ({
  async during({ userid }, application, context, send) {
    const now = clock.now();
    const until = now + Math.ceil(context.deadline.remaining());
    const write = await marks.announceWrite(userid, application, { now, until });
    if (write === null) throw new Failure('token-user-gone');
    try {
      return await send();
    } finally {
      // Without it the mark lasts until the deadline of the call, and nothing read meanwhile is fresh.
      await marks.endWrite(userid, application, write).catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        context.log.warn({ student: studentTag(userid), failure: kind, reason }, 'end of a write not stored');
      });
    }
  },
});
