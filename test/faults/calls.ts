import type { DemoFault } from '../../src/demo/types.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';
import type { CampusRequest } from './campuses.ts';
import { faultCases } from './cases.ts';
import type { FaultCase } from './inputs.ts';
import { isEndless } from './kinds.ts';
import type { FaultWorld, Student } from './world.ts';

export interface Trouble {
  readonly fault: DemoFault;
  readonly systems: readonly string[];
  /** The student's session is not to be had from memory or storage. */
  readonly isCold: boolean;
}

interface Called {
  readonly answer: Answer;
  /** How long the caller waited, by the clock of the world. */
  readonly ms: number;
  /** The requests at the campus until then. */
  readonly requests: readonly CampusRequest[];
}

export const nameOf = ({ method, path }: DocumentedOperation): string => `${method} ${path}`;

export const caseOf = (operation: DocumentedOperation): FaultCase => {
  const found = faultCases[nameOf(operation)];
  if (!found) throw new Error(`${nameOf(operation)} is not in the table of fault cases`);
  return found;
};

/** Whoever registers or confirms signs in as a login does, which the first demo campus and Seaside show. */
const signsInAsLogin: ReadonlySet<string> = new Set([
  'POST /auth/register/next',
  'POST /auth/challenges',
  'POST /api/v1/user/register',
]);

/** What a further campus has to show: an operation that asks no campus is the same code behind every one. */
export const asksCampus = (operation: DocumentedOperation): boolean =>
  caseOf(operation).system !== null && !signsInAsLogin.has(nameOf(operation));

/** Told when a call itself begins, and when it has been answered. */
interface Watch {
  begin(): void;
  end(): void;
}

/** Calls an operation as its case says: with what it needs, and nothing left behind. */
export const callAsCase = async (
  world: FaultWorld,
  operation: DocumentedOperation,
  own: Student,
  { trouble, watch }: { readonly trouble?: Trouble | undefined; readonly watch?: Watch } = {},
): Promise<Called> => {
  const { campus } = world;
  const { input, after } = caseOf(operation);
  const { student = own, path = {}, query = '', body } = (await input?.(world, own)) ?? {};
  const { method, bodyExample, multipart } = operation;
  const filled = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name) => path[name] ?? '');
  const takesBody = multipart || bodyExample !== null;
  const sent = takesBody ? (body ?? withToken(bodyExample, student.token)) : undefined;
  if (trouble?.isCold) await world.forget(student);
  campus.resetRequests();
  watch?.begin();
  for (const system of trouble?.systems ?? []) campus.fault(system, trouble?.fault ?? { kind: 'reset' });
  const options = { token: student.token, ...(sent === undefined ? {} : { body: sent }) };
  const calling = world.call(method, filled + query, options);
  const [only] = trouble?.systems.length === 1 ? trouble.systems : [];
  const { result, ms } = await world.timed(calling, trouble?.fault, only);
  watch?.end();
  const requests = [...campus.requests()];
  campus.clearFaults();
  if (trouble && isEndless(trouble.fault)) await world.drain();
  await after?.(world, student);
  return { answer: result, ms, requests };
};
