import type { AskOutcome, Caller, GuardAnswer } from '../../../../../src/domain/accounts/guard/events.ts';
import { DAY, foreign, MINUTE, SECOND, storedPair, storedPrints, stranger, TableWorld } from './support.ts';

/** What became of one call. */
export interface Told {
  readonly in: boolean;
  /** The rule that refused, or `campus` for what the campus itself refused. */
  readonly by: string;
  readonly retryMs: number;
  readonly refusedByCampus: boolean;
}

const IN: Told = { in: true, by: '', retryMs: 0, refusedByCampus: false };
const refused = (answer: GuardAnswer): Told => ({
  in: false,
  by: answer.type === 'refuse' ? answer.rule : '',
  retryMs: answer.type === 'refuse' && 'retryAfterSeconds' in answer ? answer.retryAfterSeconds * SECOND : 0,
  refusedByCampus: false,
});

/** A small random source that gives the same numbers in every run. */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** What a campus may be like at a moment. */
export type Mood = 'normal' | 'captcha' | 'refuses-everybody';

/**
 * The service as the guard sees it, and a campus that knows the true secret of each student. Nothing here waits: time
 * is moved by the test. Limits per address (G8) are left out, so attackers have it easier here than in truth.
 */
export class Campus extends TableWorld {
  mood: Mood = 'normal';
  /** Students whose every sign-in meets a marker. */
  readonly marked = new Set<string>();
  readonly truth = new Map<string, string>();
  /** The pair that the service keeps, and whether the campus has refused it. */
  readonly kept = new Map<string, { secret: string; setAside: boolean; healthyUntil: number }>();
  /** Wrong pairs that reached the campus, by student and day. */
  readonly wrongAsks = new Map<string, number>();
  readonly wrongByDay = new Map<number, number>();
  /** Guesses held against a stored pair, by student and day. */
  readonly compared = new Map<string, number>();
  readonly begin = this.now;
  #asks = 0;

  day(): number {
    return Math.floor((this.now - this.begin) / DAY);
  }

  student(userid: string, secret = `secret of ${userid}`): void {
    this.truth.set(userid, secret);
    this.kept.set(userid, { secret, setAside: false, healthyUntil: 0 });
  }

  #count(map: Map<string, number>, userid: string): void {
    const key = `${userid} ${this.day()}`;
    map.set(key, (map.get(key) ?? 0) + 1);
  }

  #outcome(userid: string, secret: string): AskOutcome {
    const right = this.truth.get(userid) === secret;
    if (!right) {
      this.#count(this.wrongAsks, userid);
      this.wrongByDay.set(this.day(), (this.wrongByDay.get(this.day()) ?? 0) + 1);
    }
    if (this.mood === 'captcha' || this.marked.has(userid)) return { type: 'marker' };
    if (this.mood === 'refuses-everybody' || !right) return { type: 'refused', step: 'unified-login' };
    return { type: 'accepted' };
  }

  #ended(userid: string, outcome: AskOutcome, answer: GuardAnswer): Told {
    if (answer.type === 'refuse') return refused(answer);
    if (outcome.type === 'accepted') return IN;
    const seconds = answer.type === 'noted' ? answer.pausedSeconds : 0;
    const kept = this.kept.get(userid);
    if (answer.type === 'noted' && answer.setAside && kept) kept.setAside = true;
    return { in: false, by: 'campus', retryMs: seconds * SECOND, refusedByCampus: outcome.type === 'refused' };
  }

  /** A sign-in with the stored pair, by a data call or at its own login. */
  signIn(userid: string, home: readonly string[] = []): Told {
    const kept = this.kept.get(userid);
    if (!kept) throw new Error('nobody');
    const stored = kept.setAside ? 'unified-login' : 'good';
    const wanted = this.tell(userid, { type: 'stored-wanted', stored, tag: userid, attended: home.length > 0 });
    if (wanted.type === 'refuse') return refused(wanted);
    const outcome = this.#outcome(userid, kept.secret);
    const answer = this.tell(userid, { type: 'stored-ended', tag: userid, outcome, home, storedPrints });
    if (outcome.type === 'accepted') kept.healthyUntil = this.now + 4 * MINUTE;
    return this.#ended(userid, outcome, answer);
  }

  login(userid: string, secret: string, caller: Caller): Told {
    const kept = this.kept.get(userid);
    if (!kept) throw new Error('nobody');
    const equal = secret === kept.secret;
    const pair = equal
      ? storedPair(kept.setAside ? 'unified-login' : 'good')
      : foreign(secret, { stored: kept.setAside ? 'unified-login' : 'good' });
    const before = this.memory(userid).student;
    const healthy = equal && !kept.setAside && kept.healthyUntil > this.now;
    const wanted = this.tell(userid, { type: 'login-wanted', tag: userid, caller, pair, healthy });
    if (this.memory(userid).student.mismatches.length > before.mismatches.length) this.#count(this.compared, userid);
    if (wanted.type === 'token') return IN;
    if (wanted.type === 'sign-in') return this.signIn(userid, caller.home);
    if (wanted.type !== 'ask') return refused(wanted);
    this.#asks += 1;
    const ask = { id: `${this.#asks}`, by: wanted.by, caller, pair };
    const begun = this.tell(userid, { type: 'ask-begins', ...ask });
    if (begun.type === 'refuse') return refused(begun);
    const outcome = this.#outcome(userid, secret);
    const answer = this.tell(userid, { type: 'ask-ended', ...ask, tag: userid, outcome, storedPrints });
    if (outcome.type === 'accepted') {
      this.kept.set(userid, { secret, setAside: false, healthyUntil: this.now + 4 * MINUTE });
    }
    return this.#ended(userid, outcome, answer);
  }

  /** `invite`: the invite token; left out: a fresh one. */
  register(userid: string, secret: string, caller: Caller, code: string, invite?: string): Told {
    const wanted = this.tell(userid, { type: 'registration-wanted', caller }, code);
    if (wanted.type === 'refuse') return refused(wanted);
    this.#asks += 1;
    const id = `${this.#asks}`;
    const { prints } = foreign(secret);
    const begins = { type: 'registration-begins', invite: invite ?? id, id, caller, prints } as const;
    const begun = this.tell(userid, begins, code);
    if (begun.type === 'refuse') return refused(begun);
    const outcome = this.#outcome(userid, secret);
    const ended = { type: 'registration-ended', id, caller, prints, tag: userid, outcome } as const;
    const answer = this.tell(userid, ended, code);
    if (outcome.type === 'accepted') this.kept.set(userid, { secret, setAside: false, healthyUntil: 0 });
    return this.#ended(userid, outcome, answer);
  }

  /** A valid token is used: nothing can refuse it. */
  useToken(userid: string, network: string): void {
    this.tell(userid, { type: 'token-used', home: stranger(network).home });
  }

  most(map: ReadonlyMap<string | number, number>): number {
    return Math.max(0, ...map.values());
  }
}

/** How an honest crowd fared. */
export class Crowd {
  people = 0;
  waited = 0;
  longestMs = 0;
  never = 0;
  readonly #campus: Campus;

  constructor(campus: Campus) {
    this.#campus = campus;
  }

  /**
   * Each person comes at a moment, does as he is told, and comes again after a wait; who mistypes corrects himself at
   * once. `act` says what the person does at the given try.
   */
  run(arrivals: ReadonlyArray<{ at: number; act: (attempt: number) => Told }>, untilMs: number): void {
    const queue = arrivals.map(({ at, act }) => ({ at, first: at, act, attempt: 0, held: false }));
    while (queue.length > 0) {
      let next = 0;
      for (let index = 1; index < queue.length; index += 1) {
        if ((queue[index]?.at ?? 0) < (queue[next]?.at ?? 0)) next = index;
      }
      const [person] = queue.splice(next, 1);
      if (!person) return;
      this.#campus.now = Math.max(this.#campus.now, person.at);
      if (person.attempt === 0) this.people += 1;
      const told = person.act(person.attempt);
      if (told.in) {
        if (person.held) {
          this.waited += 1;
          this.longestMs = Math.max(this.longestMs, this.#campus.now - person.first);
        }
        continue;
      }
      const again = this.#campus.now + Math.max(told.retryMs, 10 * SECOND);
      if (again > this.#campus.begin + untilMs) {
        this.never += 1;
        continue;
      }
      queue.push({
        ...person,
        at: again,
        attempt: person.attempt + 1,
        held: person.held || told.by !== 'campus' || !told.refusedByCampus,
      });
    }
  }

  get row(): string {
    const minutes = Math.ceil(this.longestMs / MINUTE);
    return `${this.people} people, ${this.waited} waited, ${minutes} min at most, ${this.never} not let in`;
  }
}
