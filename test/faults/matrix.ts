import { isDeepStrictEqual } from 'node:util';
import type { DemoFault } from '../../src/demo/types.ts';
import { type AnswerSchemas, answerSchemas } from '../support/answer-schemas.ts';
import type { Answer } from '../support/gateway-rig.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { callAsCase, caseOf, nameOf, type Trouble } from './calls.ts';
import type { CampusRequest } from './campuses.ts';
import type { FaultCase } from './inputs.ts';
import {
  alikeAtApplication,
  enteredLike,
  everyFault,
  type FaultPlace,
  faultName,
  faultsAt,
  isEndless,
  isHarmless,
  isRefusal,
  recordedToo,
  usualAtLogins,
} from './kinds.ts';
import type { FaultWorld, Student } from './world.ts';

/** The total deadline of a call, as configured by default, and one step of the test's time beyond it. */
const DEADLINE_MS = 31_000;

/** Longer than the pause that has to lie between two scans. */
const BREATH_MS = 4_000;

/** The faults for operations that do not ask the campus, at all systems at once: silence, loss, refusal, a page. */
const usualEverywhere: ReadonlySet<string> = new Set(['hang', 'reset', 'status 500', 'html']);

/** Texts that only operators of the service or the campus may read. */
const internalText =
  /node_modules|\bat .+\.ts:|\/tmp\/|\/src\/|127\.0\.0\.1|localhost|campus\.test|(?:lakeside|seaside|shuwei|jinzhi)\.test|elsewhere\.invalid|<\/?[a-z!][^>]*>|Sangine|svpn|TWFID|ECONN|UND_ERR|Error:|undefined|\[object/i;

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

const placesOf = (fault: FaultCase): readonly FaultPlace[] =>
  fault.system === null ? ['everywhere'] : ['application', 'portal', 'unified login'];

/** A login or registration that continues once the student has answered. */
const isChallenge = ({ status, body }: Answer): boolean => status === 428 || body?.code === 428;

/** Where passwords are sent to. */
const credentialPaths = ['/por/login_psw.csp', '/cas/login', '/authserver/login'];

const sentTo = (path: string, requests: readonly CampusRequest[]): number =>
  requests.filter((request) => request.method === 'POST' && request.path === path).length;

/** One operation under every fault. */
class Subject {
  readonly name: string;
  readonly #world: FaultWorld;
  readonly #schemas: AnswerSchemas;
  readonly #operation: DocumentedOperation;
  readonly #case: FaultCase;
  readonly #student: Student;
  readonly problems: string[] = [];
  /** Its last answer while all was well. */
  #well: Answer | undefined;

  constructor(world: FaultWorld, schemas: AnswerSchemas, operation: DocumentedOperation, student: Student) {
    this.name = nameOf(operation);
    this.#world = world;
    this.#schemas = schemas;
    this.#operation = operation;
    this.#case = caseOf(operation);
    this.#student = student;
  }

  get system(): string {
    return this.#case.system ?? '';
  }

  get signsIn(): boolean {
    return this.#case.signsIn === true;
  }

  /**
   * @param model rows of operations that go the same way: what those met there stands for this one
   * @param standsForOthers it meets everything at its application, and every end of a session
   */
  async rows(model: readonly Row[], standsForOthers: boolean): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const place of placesOf(this.#case)) {
      if (this.#systemsAt(place).length === 0) continue;
      const modelled = new Map(
        model.filter((row) => row.place === place).map(({ fault, outcome }) => [fault, outcome]),
      );
      const met = await this.#outcomesAt(place, modelled);
      for (const fault of faultsAt(place).map(faultName)) {
        const standsIn = place === 'application' ? met.get(alikeAtApplication[fault] ?? '') : modelled.get(fault);
        const outcome = met.get(fault) ?? standsIn;
        if (outcome !== undefined) rows.push({ fault, place, outcome });
      }
    }
    if (this.#case.system === null || this.#case.signsIn) return rows;
    for (const [name, end] of Object.entries(this.#world.campus.endings(this.#student.userid))) {
      if (standsForOthers || !this.#isRecorded(name)) {
        end();
        await this.#whileWell(name);
      }
      rows.push({ fault: name, place: 'application', outcome: 'data' });
    }
    return rows;
  }

  /** The answers there under each fault that has to be tried. */
  async #outcomesAt(place: FaultPlace, modelled: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    const met = new Map<string, string>();
    // Nothing is to get well again where the campus is not asked.
    const isAsked = this.#case.system !== null;
    let before = this.#well ?? (await this.#whileWell('at first'));
    for (const fault of faultsAt(place)) {
      const name = faultName(fault);
      if (!this.#isTried(place, name, modelled)) continue;
      const where = `under ${name} at ${place}`;
      const answer = await this.#under({ place, fault }, where);
      const after = isAsked ? await this.#whileWell(`after ${name} at ${place}`) : before;
      const outcome = this.#outcome(answer, fault, [before, after], where);
      const same = place === 'application' ? outcome : (modelled.get(name) ?? outcome);
      this.#check(same === outcome, `is "${same}", as for all who go this way`, where, answer);
      met.set(name, outcome);
      before = after;
    }
    this.#well = before;
    return met;
  }

  #isTried(place: FaultPlace, fault: string, modelled: ReadonlyMap<string, string>): boolean {
    if (place === 'everywhere') return usualEverywhere.has(fault);
    if (!modelled.has(fault)) return true;
    if (place !== 'application') return usualAtLogins.has(fault) && !this.#isRecorded(fault);
    const other = alikeAtApplication[fault];
    return this.#case.writes !== undefined || other === undefined || modelled.get(fault) !== modelled.get(other);
  }

  /** The golden recording compares it for failures that take the same path as another. */
  #isRecorded(name: string): boolean {
    return this.#world.campus.isRecorded && recordedToo.has(name);
  }

  /** None: the campus has no system there. */
  #systemsAt(place: FaultPlace): readonly string[] {
    const { campus } = this.#world;
    if (place === 'everywhere' || this.#case.system === null) return campus.systems;
    const system = campus.at(place, this.#case.system);
    return system === null ? [] : [system];
  }

  #call(trouble?: Trouble) {
    return callAsCase(this.#world, this.#operation, this.#student, { trouble });
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
    const isCold = place === 'portal' || place === 'unified login';
    const { answer, ms, requests } = await this.#call({ fault, systems: this.#systemsAt(place), isCold });
    this.#documented(answer, where);
    this.#check(ms <= DEADLINE_MS, 'answers within the deadline', where, answer);
    if (place === 'everywhere' && this.#case.asksBehind !== true) {
      this.#check(requests.length === 0, 'does not ask the campus', where, answer);
    }
    for (const path of credentialPaths) {
      this.#check(sentTo(path, requests) <= 1, `sends a password at most once to ${path}`, where, answer);
    }
    if (this.#case.writes !== undefined) {
      // Only a redirect to a login proves that a write did not reach the application.
      const most = fault.kind.endsWith('-redirect') ? 3 : 1;
      const written = sentTo(this.#case.writes, requests);
      this.#check(written <= most, `writes at most ${most} times, not ${written}`, where, answer);
    }
    return answer;
  }

  /**
   * An operation may have what it needs already, so data that equals these is good; any other hides a failure.
   * @param well the answers right before and after, when the campus was well
   */
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
    // A write whose answer was lost ends as one that took too long: its outcome is unknown.
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

/** Every documented operation of one surface under every fault, or those that are wanted. */
export const runMatrix = async (
  world: FaultWorld,
  surface: 'a' | 'b',
  isWanted: (operation: DocumentedOperation) => boolean = () => true,
): Promise<MatrixResult> => {
  const schemas = answerSchemas(world.gateway.app);
  const operations = schemas.operations.filter((operation) => operation.surface === surface && isWanted(operation));
  const found = new Map<DocumentedOperation, OperationRows>();
  const models = new Map<string, readonly Row[]>();
  const problems: string[] = [];
  const named = operations.filter((operation) => everyFault.has(nameOf(operation)));
  // Where none of those asks a system of this campus, the first operation that does stands for all.
  const asking = operations.filter((operation) => caseOf(operation).system !== null && !caseOf(operation).signsIn);
  const firsts = [...Map.groupBy(asking, (operation) => caseOf(operation).system).values()]
    .filter((same) => !same.some((operation) => named.includes(operation)))
    .flatMap((same) => same.slice(0, 1));
  const isModel = (operation: DocumentedOperation) => named.includes(operation) || firsts.includes(operation);
  const atPlace = (place: FaultPlace, rows: readonly Row[] = []) => rows.filter((row) => row.place === place);
  /** Only its own application is its own matter, and how that is entered; the portal comes before all of them. */
  const metBefore = ({ system, signsIn }: Subject): readonly Row[] =>
    signsIn
      ? []
      : [
          ...atPlace('portal', models.values().next().value),
          ...atPlace('unified login', models.get(system) ?? models.get(enteredLike[system] ?? '')),
        ];
  for (const operation of [...operations.filter(isModel), ...operations.filter((each) => !isModel(each))]) {
    // A student each: each login of one student ends the oldest token.
    const subject = new Subject(world, schemas, operation, await world.registered());
    const isOne = isModel(operation);
    const rows = await subject.rows(isOne ? metBefore(subject) : (models.get(subject.system) ?? []), isOne);
    if (isOne && !subject.signsIn && !models.has(subject.system)) models.set(subject.system, rows);
    found.set(operation, { operation: subject.name, system: subject.system, rows });
    problems.push(...subject.problems);
  }
  return { operations: operations.flatMap((operation) => found.get(operation) ?? []), problems };
};
