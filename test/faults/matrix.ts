import { isDeepStrictEqual } from 'node:util';
import type { DemoFault, DemoSystem } from '../../src/demo/types.ts';
import { type AnswerSchemas, answerSchemas } from '../support/answer-schemas.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';
import { faultCases } from './cases.ts';
import type { FaultCase } from './inputs.ts';
import {
  endings,
  everyFaultAtLogins,
  type FaultPlace,
  faultName,
  faultsAt,
  isEndless,
  isHarmless,
  isRefusal,
  usualAtLogins,
} from './kinds.ts';
import type { FaultWorld, Student } from './world.ts';

/** The total deadline of a call, as configured by default, and one step of the test's time beyond it. */
const DEADLINE_MS = 31_000;

/** Longer than the pause that has to lie between two scans. */
const BREATH_MS = 4_000;

/** What an operation that does not ask the campus is tried under, all systems at once: silence, loss, refusal, a page. */
const usualEverywhere: ReadonlySet<string> = new Set(['hang', 'reset', 'status 500', 'html']);

const everySystem = ['vpn', 'cas', 'jwc', 'aac', 'ldjlb', 'isim', 'competition', 'card'] as const;

/** What only somebody who runs the service or the campus may read. */
const internalText =
  /node_modules|\bat .+\.ts:|\/tmp\/|\/src\/|127\.0\.0\.1|localhost|campus\.test|elsewhere\.invalid|<\/?[a-z!][^>]*>|Sangine|svpn|TWFID|ECONN|UND_ERR|Error:|undefined|\[object/i;

export interface Row {
  readonly fault: string;
  readonly place: FaultPlace;
  readonly outcome: string;
}

export interface OperationRows {
  readonly operation: string;
  readonly system: string;
  readonly rows: readonly Row[];
}

export interface MatrixResult {
  readonly operations: readonly OperationRows[];
  /** Every answer that was not as it must be, in words; empty when all is well. */
  readonly problems: readonly string[];
}

interface Trial {
  readonly fault: DemoFault;
  readonly place: FaultPlace;
}

interface Trouble {
  readonly fault: DemoFault;
  readonly systems: readonly DemoSystem[];
  /** The student's session is not to be had from memory or storage. */
  readonly isCold: boolean;
}

const placesOf = (fault: FaultCase): readonly FaultPlace[] =>
  fault.system === null ? ['everywhere'] : ['application', 'portal', 'unified login'];

const systemsAt = (place: FaultPlace, application: DemoSystem | null): readonly DemoSystem[] => {
  if (place === 'everywhere' || application === null) return everySystem;
  return [place === 'portal' ? 'vpn' : place === 'unified login' ? 'cas' : application];
};

const isTried = (place: FaultPlace, fault: string, isModelled: boolean): boolean => {
  if (place === 'everywhere') return usualEverywhere.has(fault);
  return place === 'application' || !isModelled || usualAtLogins.has(fault);
};

/** A login or registration that goes on once the student has answered. */
const isChallenge = ({ status, body }: Answer): boolean => status === 428 || body?.code === 428;

/** One operation under every fault. */
class Subject {
  readonly name: string;
  readonly #world: FaultWorld;
  readonly #schemas: AnswerSchemas;
  readonly #operation: DocumentedOperation;
  readonly #case: FaultCase;
  readonly #student: Student;
  readonly problems: string[] = [];

  constructor(world: FaultWorld, schemas: AnswerSchemas, operation: DocumentedOperation, student: Student) {
    this.name = `${operation.method} ${operation.path}`;
    const found = faultCases[this.name];
    if (!found) throw new Error(`${this.name} is not in the table of fault cases`);
    this.#world = world;
    this.#schemas = schemas;
    this.#operation = operation;
    this.#case = found;
    this.#student = student;
  }

  get system(): string {
    return this.#case.system ?? '';
  }

  get signsIn(): boolean {
    return this.#case.signsIn === true;
  }

  /** @param model rows of another operation that goes the same way through the logins: what it met there stands for this one */
  async rows(model: readonly Row[] = []): Promise<readonly Row[]> {
    const rows: Row[] = [];
    let before = await this.#whileWell('at first');
    for (const place of placesOf(this.#case)) {
      for (const fault of faultsAt(place)) {
        const name = faultName(fault);
        const where = `under ${name} at ${place}`;
        const same =
          place === 'application' ? undefined : model.find((row) => row.place === place && row.fault === name);
        if (!isTried(place, name, same !== undefined)) {
          if (same) rows.push(same);
          continue;
        }
        const answer = await this.#under({ place, fault }, where);
        // Nothing is to get well again where the campus is not asked.
        const isAsked = this.#case.system !== null;
        const after = isAsked ? await this.#whileWell(`after ${name} at ${place}`) : before;
        const outcome = this.#outcome(answer, fault, [before, after], where);
        this.#check(
          !same || same.outcome === outcome,
          `is "${same?.outcome}", as for all who go this way`,
          where,
          answer,
        );
        rows.push({ fault: name, place, outcome });
        before = after;
      }
    }
    if (this.#case.system === null || this.#case.signsIn) return rows;
    for (const [name, end] of Object.entries(endings)) {
      end(this.#world.gateway.demo.student(this.#student.userid));
      await this.#whileWell(name);
      rows.push({ fault: name, place: 'application', outcome: 'data' });
    }
    return rows;
  }

  /** A call without any fault: it must succeed. */
  async #whileWell(where: string): Promise<Answer> {
    this.#world.allOver();
    const { answer } = await this.#call();
    this.#documented(answer, where);
    this.#check(this.#isSuccess(answer), 'works without a fault', where, answer);
    // The session stays warm for what comes next, unless the answer itself is kept for a while.
    if (this.#case.kept) this.#world.allOver();
    else this.#world.clock.advance(BREATH_MS);
    return answer;
  }

  async #under({ place, fault }: Trial, where: string): Promise<Answer> {
    const { demo } = this.#world.gateway;
    const systems = systemsAt(place, this.#case.system);
    const isCold = place === 'portal' || place === 'unified login';
    const { answer, ms } = await this.#call({ fault, systems, isCold });
    this.#documented(answer, where);
    this.#check(ms <= DEADLINE_MS, 'answers within the deadline', where, answer);
    if (place === 'everywhere' && this.#case.asksBehind !== true) {
      this.#check(demo.requests().length === 0, 'does not ask the campus', where, answer);
    }
    if (this.#case.writes !== undefined) {
      // Only a redirect to a login proves that a write did not reach the application.
      const most = fault.kind.endsWith('-redirect') ? 3 : 1;
      const written = demo.requests({ path: this.#case.writes }).length;
      this.#check(written <= most, `writes at most ${most} times, not ${written}`, where, answer);
    }
    return answer;
  }

  /** @param well the answers right before and after, when the campus was well */
  #outcome(answer: Answer, fault: DemoFault, well: readonly Answer[], where: string): string {
    const must = (condition: boolean, what: string) => this.#check(condition, what, where, answer);
    const message = String(answer.body?.message ?? '');
    const isWrite = this.#case.writes !== undefined;
    if (this.#isSuccess(answer)) {
      const told = well.some(({ body }) => isDeepStrictEqual(body.data, answer.body.data));
      if (isWrite && isRefusal(fault) && !told) return `the refusal: ${message}`;
      must(told || this.#case.everNew === true, 'shows no failure as data');
      return 'data';
    }
    must(!isHarmless(fault), 'overcomes what is no failure');
    must(!internalText.test(answer.text), 'shows no internal text');
    const needsPerson = fault.kind === 'second-factor' || (fault.kind === 'captcha' && isChallenge(answer));
    const later = answer.headers.has('retry-after') ? ', Retry-After' : '';
    if (this.#operation.surface === 'a') {
      must(
        [400, 500, ...(needsPerson ? [403, 428] : [])].includes(answer.body.code),
        'has the code of a failure at the campus',
      );
      return `${answer.body.code} ${message}${later}`;
    }
    const code = String(answer.body.error?.code);
    const tooLate = answer.status === 504 && code === 'TIMEOUT';
    if (isEndless(fault) && !this.#case.settles) must(tooLate, 'says that time ran out');
    // A write whose answer was lost ends as one that took too long: nobody knows what became of it.
    else if (needsPerson) must([403, 428].includes(answer.status), 'has the status of what a person is needed for');
    else
      must(
        answer.status === 502 || ((isWrite || this.#case.settles === true) && tooLate),
        'has the status of a failure at the campus',
      );
    const wanted = fault.kind === 'captcha' ? 'captcha' : 'sms';
    must(needsPerson ? answer.body.data?.challenge?.kind === wanted : answer.body.data === null, 'has no data');
    return `${answer.status} ${code}${later}`;
  }

  async #call(trouble?: Trouble): Promise<{ answer: Answer; ms: number }> {
    const { demo } = this.#world.gateway;
    const {
      student = this.#student,
      path = {},
      query = '',
      body,
    } = (await this.#case.input?.(this.#world, this.#student)) ?? {};
    const { method, bodyExample, multipart } = this.#operation;
    const filled = this.#operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name) => path[name] ?? '');
    const takesBody = multipart || bodyExample !== null;
    const sent = takesBody ? (body ?? withToken(bodyExample, student.token)) : undefined;
    if (trouble?.isCold) await this.#world.forget(student);
    demo.resetRequests();
    for (const system of trouble?.systems ?? []) demo.fault({ system, fault: trouble?.fault ?? { kind: 'reset' } });
    const options = { token: student.token, ...(sent === undefined ? {} : { body: sent }) };
    const calling = this.#world.call(method, filled + query, options);
    const [only] = trouble?.systems.length === 1 ? trouble.systems : [];
    const { result, ms } = await this.#world.timed(calling, trouble?.fault, only);
    demo.clearFaults();
    if (trouble && isEndless(trouble.fault)) await this.#world.drain();
    await this.#case.after?.(this.#world, student);
    return { answer: result, ms };
  }

  #isSuccess({ status, body }: Answer): boolean {
    if (this.#case.success !== undefined) return status === this.#case.success;
    if (this.#operation.surface === 'a') return status === 200 && body.code === 200;
    // A decision of the campus is an answer as well.
    return status === 200;
  }

  /** The status is documented, and the body is what the document says of it. */
  #documented(answer: Answer, where: string): void {
    if (answer.status === 307) return;
    const findings = this.#schemas.findings(this.#operation, answer.status, answer.body);
    this.#check(findings === '', `is documented (${findings ?? 'status unknown'})`, where, answer);
  }

  #check(condition: boolean, what: string, where: string, { status, text }: Answer): void {
    if (condition) return;
    this.problems.push(`${this.name} ${where}: not so: ${what}: ${status} ${text.slice(0, 300)}`);
  }
}

/** Every documented operation of one surface under every fault. */
export const runMatrix = async (world: FaultWorld, surface: 'a' | 'b'): Promise<MatrixResult> => {
  const schemas = answerSchemas(world.gateway.app);
  const operations = schemas.operations.filter((operation) => operation.surface === surface);
  const found = new Map<DocumentedOperation, OperationRows>();
  const models = new Map<string, readonly Row[]>();
  const problems: string[] = [];
  const isModel = ({ method, path }: DocumentedOperation) => everyFaultAtLogins.has(`${method} ${path}`);
  for (const operation of [...operations.filter(isModel), ...operations.filter((each) => !isModel(each))]) {
    // A student each: logging in again and again ends the oldest tokens of whoever does it.
    const subject = new Subject(world, schemas, operation, await world.registered());
    const rows = await subject.rows(isModel(operation) ? [] : models.get(subject.system));
    if (isModel(operation) && !subject.signsIn && !models.has(subject.system)) models.set(subject.system, rows);
    found.set(operation, { operation: subject.name, system: subject.system, rows });
    problems.push(...subject.problems);
  }
  return { operations: operations.flatMap((operation) => found.get(operation) ?? []), problems };
};
