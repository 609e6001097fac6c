import type { Clock } from '../../../lib/clock.ts';
import { LineFull } from '../../../lib/semaphore.ts';
import type { CallContext } from '../../context.ts';
import { Failure, isFailure } from '../../errors.ts';
import type { Callers } from '../callers.ts';
import { guardNumbers } from '../guard/numbers.ts';
import { PacedLines } from '../paced-lines.ts';
import { type Counted, LimitSpent, RefusalLimits } from '../refusal-limits.ts';
import { type Challenge, type Challenges, readPageCode } from './ports.ts';

/** A page code that was typed right. */
export interface FoundCode {
  readonly pageCode: string;
  readonly challenge: Challenge | 'passed';
}

interface Deps {
  readonly challenges: Pick<Challenges, 'look'>;
  readonly callers: Pick<Callers, 'unitsOf'>;
  readonly clock: Clock;
}

const isWrong = (error: unknown): boolean => isFailure(error, 'challenge-unknown');

export type PageCodes = ReturnType<typeof createPageCodes>;

/**
 * Finds challenges by what was typed, and stops the guessing of codes.
 *
 * Wrong codes count against the address they come from and against all of them together, never against a challenge: a
 * stranger must not end one. Where a count is used up, codes are looked at one by one, and right ones pass.
 */
export const createPageCodes = ({ challenges, callers, clock }: Deps) => {
  const { wrongOfAddress, wrongOfWide, windowMs, wrongOfAll, minuteMs, everyMs, inLine } = guardNumbers.pageCodes;
  const limits = new RefusalLimits(clock);
  const lines = new PacedLines(clock, { everyMs, most: inLine });

  const countedOf = (address: string): Counted => {
    const units = callers.unitsOf(address);
    const own = units === null ? [] : [{ name: `page ${units.address}`, most: wrongOfAddress, windowMs }];
    const wide = units?.wide == null ? [] : [{ name: `page ${units.wide}`, most: wrongOfWide, windowMs }];
    const all = { name: 'page codes', most: wrongOfAll, windowMs: minuteMs };
    return { limits: [...own, ...wide, all], network: null };
  };

  const look = async (typed: string, context: CallContext): Promise<FoundCode> => {
    const pageCode = readPageCode(typed);
    if (pageCode === null) throw new Failure('challenge-unknown');
    return { pageCode, challenge: await challenges.look({ pageCode }, context) };
  };

  const lookInLine = async (typed: string, spent: LimitSpent, context: CallContext): Promise<FoundCode> => {
    try {
      await lines.turn(spent.limit, context.signal, context.deadline.remaining());
      return await look(typed, context);
    } catch (error) {
      throw error instanceof LineFull || isWrong(error) ? spent : error;
    }
  };

  return {
    /** @throws Failure `challenge-unknown`, `rate-limited` {retryAfterSeconds}, `storage-failed` */
    async find(typed: string, context: CallContext): Promise<FoundCode> {
      try {
        return await limits.run(countedOf(context.address), context.signal, isWrong, () => look(typed, context));
      } catch (error) {
        if (!(error instanceof LimitSpent)) throw error;
        return lookInLine(typed, error, context);
      }
    },
  };
};
