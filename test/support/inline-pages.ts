import type { UpstreamRequest, UpstreamSession } from '../../src/campus/contract/upstream-session.ts';
import type { PageReading } from '../../src/campus/transport/page-threads.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { isFailure } from '../../src/domain/errors.ts';
import type { KeyLock } from '../../src/lib/single-flight.ts';

/** Reads every page at once, of any size. */
export const inlinePages: PageReading = { read: (reader, text) => reader(text) };

/** The session of a fake campus with this memo; `dropped` is told what could not be used. */
export const sessionOver = (
  { userid, memo, locks }: { userid: string; memo: Map<string, string>; locks: KeyLock },
  { signal }: CallContext,
  send: (request: UpstreamRequest) => Promise<string>,
  dropped: UpstreamSession['noteDropped'] = () => {},
): UpstreamSession => ({
  userid,
  text: async (request) => ({ page: request.page, text: await send(request) }),
  async parse(parser, { text }, otherwise) {
    try {
      return parser(text);
    } catch (error) {
      throw otherwise && isFailure(error, 'upstream-unreadable') ? otherwise(error) : error;
    }
  },
  reading: async ({ text }, read) => read(text),
  noteDropped: dropped,
  memo: {
    get: (key) => memo.get(key),
    set: (key, value) => void memo.set(key, value),
    drop: (key, stale) => void (memo.get(key) === stale && memo.delete(key)),
  },
  takeTurn: (queue) => locks.enter(queue, signal),
});
