import { isDeepStrictEqual } from 'node:util';
import type { DemoFault, DemoSystem } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { bindRoom, callRead, type StudentRead } from '../support/student-reads.ts';
import { type FaultPlace, isEndless } from './kinds.ts';
import type { FaultWorld, Student } from './world.ts';

/** Older than its freshness; for all but one younger than an idle session. */
const ageSecondsOf = ({ path }: StudentRead): number => (path === '/profile/student' ? 3_700 : 400);
const CALL_SECONDS = 31;

/** The cache directives of a call, as `Cache-Control` of surface B. */
export const wishes = {
  'nothing said': '',
  'stale-if-error': 'stale-if-error=3600',
  'max-stale': 'max-stale',
  'only-if-cached': 'only-if-cached',
  'max-age': 'max-age=3600',
  'stale-if-error=0': 'stale-if-error=0',
  'no-cache': 'no-cache',
} as const;
export type Wish = keyof typeof wishes;

/** A fault at the application that a read asks, or at one of the two logins on its way there. */
export interface Trouble {
  readonly place: Exclude<FaultPlace, 'everywhere'>;
  readonly fault: DemoFault;
}

const words = /（数据更新于 (\d{4}-\d{2}-\d{2} \d{2}:\d{2})(?:，[^）]+)?）$/;
const campusMinute = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Every header of an answer that speaks of its age. */
const toldBy = ({ headers }: Answer) => ({
  status: headers.get('cache-status'),
  age: headers.get('age'),
  control: headers.get('cache-control'),
  isTagged: headers.has('etag'),
  isVaried: headers.get('vary')?.includes('Authorization') ?? false,
});

const wasAsked = ({ status }: { readonly status: string | null }): boolean =>
  status === 'campus-gateway; fwd=miss' || status === 'campus-gateway; fwd=request';

/** Reads with a copy of a certain age, or with none, while the campus is in trouble. */
export class AgedReads {
  readonly #world: FaultWorld;
  /** Every answer that was not as it must be. */
  readonly problems: string[] = [];

  constructor(world: FaultWorld) {
    this.#world = world;
  }

  /** The student of the demo campus who has something of everything. Once per world. */
  async student(): Promise<Student> {
    const student = { ...first, token: await this.#world.drive(this.#world.gateway.register(first)) };
    this.#world.gateway.demo.student(student.userid).setEvaluation(2);
    await this.#world.drive(bindRoom(this.#world.gateway, student.token));
    return student;
  }

  /** The answer to a student who has never read this. */
  async withoutCopy(read: StudentRead, wish: Wish, trouble: Trouble | null): Promise<string> {
    const student = await this.#world.registered();
    this.#world.allOver();
    const { answer } = await this.#call(read, student, wish, trouble);
    return this.#outcome(answer, { where: `no copy, ${wish}, ${read.path}`, wellAnswer: null, readAt: 0, ms: 0, read });
  }

  /** The answer to a student whose copy is older than its freshness. */
  async withCopy(read: StudentRead, student: Student, wish: Wish, trouble: Trouble | null): Promise<string> {
    const { clock, gateway } = this.#world;
    const where = `${read.path}, ${wish}, ${JSON.stringify(trouble)}`;
    this.#world.allOver();
    const readAt = clock.now();
    const well = await this.#wellNow(read, student);
    this.#must(this.#isGood(well, read), 'a read while the campus is well', where, well);
    // Written behind the answer.
    await this.#world.drive(gateway.services.reads.close());
    clock.advance(ageSecondsOf(read) * 1000);
    const { answer, ms } = await this.#call(read, student, wish, trouble);
    // The campus may change its words with time; the call asked for those of now.
    const wellAnswer = wasAsked(toldBy(answer)) ? await this.#wellNow(read, student) : well;
    const outcome = this.#outcome(answer, { where, wellAnswer, readAt, ms, read });
    await this.#againWithTag(read, student, wish, trouble, { tag: well.headers.get('etag'), outcome, where });
    return outcome;
  }

  #wellNow(read: StudentRead, { token }: Student): Promise<Answer> {
    return this.#world.drive(callRead(this.#world.gateway.url, read, token, { 'cache-control': 'no-cache' }));
  }

  async #call(read: StudentRead, student: Student, wish: Wish, trouble: Trouble | null, more = {}) {
    const { gateway } = this.#world;
    if (trouble && trouble.place !== 'application') await this.#world.forget(student);
    const system: DemoSystem =
      trouble?.place === 'portal' ? 'vpn' : trouble?.place === 'unified login' ? 'cas' : read.system;
    if (trouble) gateway.demo.fault({ system, fault: trouble.fault });
    const control: Record<string, string> = wishes[wish] === '' ? {} : { 'cache-control': wishes[wish] };
    const calling = callRead(gateway.url, read, student.token, { ...control, ...more });
    const { result, ms } = await this.#world.timed(calling, trouble?.fault, system);
    gateway.demo.clearFaults();
    if (trouble && isEndless(trouble.fault)) await this.#world.drain();
    return { answer: result, ms };
  }

  /** A client that has the answer of before says so: a failure and what has words stay what they are. */
  async #againWithTag(
    read: StudentRead,
    student: Student,
    wish: Wish,
    trouble: Trouble | null,
    { tag, outcome, where }: { tag: string | null; outcome: string; where: string },
  ): Promise<void> {
    if (tag === null || outcome === 'asked' || (trouble && isEndless(trouble.fault))) return;
    const { answer } = await this.#call(read, student, wish, trouble, { 'if-none-match': tag });
    if (outcome !== 'copy') {
      this.#must(answer.status !== 304, 'never a 304', `${where}, If-None-Match`, answer);
      return;
    }
    this.#must(answer.status === 304 && answer.text === '', 'a 304', `${where}, If-None-Match`, answer);
    const { status, age, control, isTagged, isVaried } = toldBy(answer);
    const isWhole = [status, age, control].every((each) => each !== null) && isTagged && isVaried;
    this.#must(isWhole, 'a 304 with all its headers', `${where}, If-None-Match`, answer);
  }

  #isGood({ status, body }: Answer, { surface }: StudentRead): boolean {
    return status === 200 && (surface === 'b' || body.code === 200);
  }

  /** The name of what was answered; that everything else about it is right is checked. */
  #outcome(
    answer: Answer,
    seen: { where: string; wellAnswer: Answer | null; readAt: number; ms: number; read: StudentRead },
  ): string {
    const { where, wellAnswer, readAt, ms, read } = seen;
    const { status, age, control, isTagged, isVaried } = toldBy(answer);
    const must = (condition: boolean, what: string) => this.#must(condition, what, where, answer);
    const isB = read.surface === 'b';
    const told = words.exec(answer.body?.message ?? '');
    if (!this.#isGood(answer, read)) {
      const needsPerson = answer.body.error?.code === 'PERSON_NEEDED';
      must(needsPerson ? 'challenge' in answer.body.data : answer.body.data === null, 'a failure has no data');
      must(status === null && age === null && !isTagged, 'a failure says nothing of ages');
      must(control === 'no-store' && told === null, 'a failure is not kept and has no time of data');
      return isB ? `${answer.status} ${answer.body.error.code}` : `code ${answer.body.code}`;
    }
    if (wellAnswer) must(isDeepStrictEqual(answer.body.data, wellAnswer.body.data), 'is the value of the campus');
    if (wasAsked({ status })) {
      must(age === null && told === null, 'what was asked for has no age');
      must(isB ? isTagged && isVaried && control === 'private, no-cache' : control === 'no-store', 'may be told again');
      return 'asked';
    }
    const least = ageSecondsOf(read);
    const most = least + Math.ceil(ms / 1000) + (ms > 0 ? 1 : 0);
    must(Number(age) >= least && Number(age) <= most && most <= least + CALL_SECONDS + 1, `has its age of ${least} s`);
    if (status === 'campus-gateway; hit' && told === null) {
      must(isB ? isTagged && isVaried && control === 'private, no-cache' : control === 'no-store', 'may be told again');
      return 'copy';
    }
    must(told?.[1] === campusMinute.format(readAt), 'says in words when it was read');
    must(!isTagged && control === 'no-store', 'is not to be kept, and has no tag');
    if (status === 'campus-gateway; hit') return 'old copy';
    const [, code = ''] = /^campus-gateway; fwd=stale; detail=(\w+)$/.exec(status ?? '') ?? [];
    must(code !== '', 'says why a copy answers');
    return `old copy for ${code}`;
  }

  #must(condition: boolean, what: string, where: string, { status, text, headers }: Answer): void {
    if (condition) return;
    const said = ['cache-status', 'age', 'cache-control', 'etag', 'vary'].map((name) => headers.get(name));
    this.problems.push(`${where}: not so: ${what}: ${status} ${said.join(' | ')} ${text.slice(0, 300)}`);
  }
}
