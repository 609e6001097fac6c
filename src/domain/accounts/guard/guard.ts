import type { Clock } from '../../../lib/time.ts';
import type { Log } from '../../context.ts';
import { type SignInStep, toldStep } from '../../errors.ts';
import type { ServiceObserver } from '../../observation.ts';
import { withGood } from './breaker.ts';
import { memoryMs, guardNumbers as n } from './numbers.ts';
import { type GuardRows, gatewayAt, isGatewayAhead, isStudentAhead, studentAt } from './row.ts';
import { type GuardPart, type GuardStore, type GuardTexts, guardTextsOf, rowsFrom } from './stored-rows.ts';
import { type GuardDraft, type GuardRule, noted, type Verdict } from './verdict.ts';

const both: readonly GuardPart[] = ['student', 'gateway'];

/** Relies on a draft having its members in the order of its row. */
const differs = (draft: object, row: object): boolean => {
  const before = Object.values(row);
  return Object.values(draft).some((value, at) => value !== before[at]);
};

export const draftOf = ({ student, gateway }: GuardRows): GuardDraft => ({
  student: { ...student },
  gateway: { ...gateway },
  good: null,
});

/** The rows as they count now, and as they stand in storage. */
interface SeenRows extends GuardRows {
  readonly stored: GuardRows;
}

interface GuardDeps {
  readonly guards: GuardStore;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** The value of `CAMPUS_REFUSALS_PER_DAY`. */
  readonly perDay: number;
  /** The places at which every login shows an image. */
  readonly attended?: readonly SignInStep[];
  /** The halves that the campus takes, in the order of asking; left out: both. */
  readonly taken?: readonly SignInStep[];
  readonly observer?: Pick<ServiceObserver, 'guarded'>;
}

interface Ran<T> {
  readonly answer: T;
  readonly write: Partial<GuardRows>;
  readonly good: GuardDraft['good'];
}

/**
 * Applies rules to the stored rows, and stores the changes before the caller is told. A login meets R1
 * (`comparing.ts`), then the rules of the stored pair (`stored-pair.ts`) or R2 and R3 (`asking.ts`), and either way R4
 * (`breaker.ts`) and R5 (`trouble.ts`). R6 lies outside the guard (`refusal-limits.ts`).
 */
export class Guard {
  readonly #deps: GuardDeps;
  /** Good outcomes not written yet: the shared row is not written for each of them. */
  #good = { stored: 0, strangers: 0 };
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  async read(userid: string): Promise<SeenRows> {
    const stored = await this.#readStored(userid);
    return { ...this.#at(stored), stored };
  }

  /** Takes no lock and writes nothing if the rule changes nothing. `seen`: rows that were read a moment ago. */
  async decide<T extends Verdict>(userid: string, rule: GuardRule<T>, seen?: SeenRows): Promise<T> {
    const rows = seen?.stored ?? (await this.#readStored(userid));
    const ran = this.#run(rows, rule);
    const changed = both.filter((part) => ran.write[part] !== undefined);
    return this.#settle(changed.length === 0 ? ran : await this.#change(userid, rule, changed, rows));
  }

  async #change<T extends Verdict>(
    userid: string,
    rule: GuardRule<T>,
    lock: readonly GuardPart[],
    seen: GuardRows,
  ): Promise<Ran<T>> {
    const { guards, clock } = this.#deps;
    const ran = await guards.change(userid, lock, clock.now() + memoryMs, (texts) => {
      const held = this.#open(texts);
      const { student } = lock.includes('student') ? held : seen;
      const { gateway } = lock.includes('gateway') ? held : seen;
      const result = this.#run({ student, gateway }, rule);
      // Another call came in between, and now the rule changes more than is locked.
      const exceedsLock = both.some((part) => result.write[part] !== undefined && !lock.includes(part));
      return exceedsLock ? { result: null, write: {} } : { result, write: guardTextsOf(result.write, clock.now()) };
    });
    return ran ?? this.#change(userid, rule, both, seen);
  }

  /** Writes good outcomes with the next change of the row, and at least every 30 s. */
  #run<T extends Verdict>(stored: GuardRows, rule: GuardRule<T>): Ran<T> {
    const { clock, perDay, attended = [] } = this.#deps;
    const now = clock.now();
    const rows = this.#at(stored);
    const draft = draftOf(rows);
    const answer = rule(draft, { now, perDay, attended });
    const good = { ...this.#good };
    if (draft.good !== null) good[draft.good] += 1;
    const isDue = draft.good !== null && clock.monotonic() - this.#writtenAt >= n.breaker.goodMs;
    const { gateway } = draft;
    const isWritten = isDue || differs(gateway, rows.gateway) || isGatewayAhead(stored.gateway, now);
    if (isWritten) {
      if (good.stored > 0) gateway.stored = withGood(gateway.stored, good.stored, now);
      if (good.strangers > 0) gateway.strangers = withGood(gateway.strangers, good.strangers, now);
    }
    const write: Partial<GuardRows> = {
      ...(differs(draft.student, rows.student) || isStudentAhead(stored.student, now)
        ? { student: draft.student }
        : {}),
      ...(isWritten ? { gateway } : {}),
    };
    return { answer, write, good: draft.good };
  }

  #settle<T extends Verdict>({ answer, write, good }: Ran<T>): T {
    if (write.gateway !== undefined) {
      this.#good = { stored: 0, strangers: 0 };
      this.#writtenAt = this.#deps.clock.monotonic();
    } else if (good !== null) this.#good[good] += 1;
    if (answer.type !== 'wait' && answer.type !== 'refuse') return answer;
    this.#deps.observer?.guarded(answer.limit, answer.why);
    // What is stored has the names of both halves, on every campus.
    const namesPlace = answer.type === 'refuse' && (answer.step !== undefined || answer.why === 'person');
    return namesPlace ? { ...answer, step: toldStep(answer.step, this.#deps.taken) } : answer;
  }

  async #readStored(userid: string): Promise<GuardRows> {
    return this.#open(await this.#deps.guards.read(userid));
  }

  #open(texts: GuardTexts): GuardRows {
    const { clock, log } = this.#deps;
    return rowsFrom(texts, clock.now(), () =>
      log.error({ row: 'gateway' }, 'a guard row cannot be understood: sign-ins go one at a time'),
    );
  }

  #at({ student, gateway }: GuardRows): GuardRows {
    const now = this.#deps.clock.now();
    return { student: studentAt(student, now), gateway: gatewayAt(gateway, now) };
  }
}

/** For the operator: empties budgets and waits, but keeps home networks, refused secrets and the need for a person. */
export const unlocks = ({ student }: GuardDraft): Verdict => {
  const empty = { guesses: [], rights: [], asks: [], troubles: [], challenges: [], codes: [] };
  Object.assign(student, { ...empty, restsSince: 0, spentUntil: 0 });
  return noted;
};

/** For the operator: forgets the home networks. */
export const revokes = ({ student }: GuardDraft): Verdict => {
  student.networks = [];
  return noted;
};
