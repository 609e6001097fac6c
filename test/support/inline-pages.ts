import type { PageReading } from '../../src/campus/page-threads.ts';
import type { UpstreamSession } from '../../src/campus/session/upstream-session.ts';
import { isFailure } from '../../src/domain/errors.ts';

/** Reads every page at once, whatever its size. */
export const inlinePages: PageReading = { read: (reader, text) => reader(text) };

/** How a session of a test reads pages; `drop` is told what could not be used. */
export const plainReading = (
  drop: (page: string, rows: number) => void = () => {},
): Pick<UpstreamSession, 'parse' | 'reading' | 'dropped'> => ({
  async parse(parser, { text }, otherwise) {
    try {
      return parser(text);
    } catch (error) {
      throw otherwise && isFailure(error, 'upstream-unreadable') ? otherwise(error) : error;
    }
  },
  reading: async ({ text }, read) => read(text),
  dropped: drop,
});
