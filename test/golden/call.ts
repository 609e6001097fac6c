import { faultCases } from '../faults/cases.ts';
import type { FaultCase, Input } from '../faults/inputs.ts';
import type { Student } from '../faults/world.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { withToken } from '../support/openapi-operations.ts';
import type { OddTexts } from './odd-texts.ts';
import type { Received, Recorded } from './recorded.ts';
import type { GoldenWorld } from './world.ts';

/** One request, as raw as it can be sent. */
export interface Call {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | FormData | undefined;
}

/** One operation with a student who calls it. */
export interface Subject {
  readonly world: GoldenWorld;
  readonly operation: DocumentedOperation;
  readonly given: FaultCase;
  readonly texts: OddTexts;
  readonly student: Student;
}

/** From here on it is told how long the caller waited: the limits of attempts and calls. */
const LONG_MS = 2_000;

/** Sends it and notes the answer, and what it made the service send to the campus. */
export const record = async (world: GoldenWorld, name: string, call: Call): Promise<Recorded> => {
  world.traffic.reset();
  const { method, target, headers, body } = call;
  const asking = fetch(world.gateway.url + target, {
    method,
    redirect: 'manual',
    headers,
    ...(body === undefined ? {} : { body: body instanceof Buffer ? new Uint8Array(body) : body }),
  }).then(
    async (response): Promise<Received> => ({
      status: response.status,
      headers: [...response.headers],
      bytes: Buffer.from(await response.arrayBuffer()),
    }),
  );
  const { result: answer, ms } = await world.timed(asking);
  const campus = world.traffic.lines();
  return { name: ms < LONG_MS ? name : `${name} (${Math.round(ms / 1_000)} s)`, answer, campus };
};

/** A call that succeeds while all is well. */
export const validCall = async ({ world, operation, given, student }: Subject): Promise<Call> => {
  const input: Input = (await given.input?.(world, student)) ?? {};
  const who = input.student ?? student;
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name) => input.path?.[name] ?? '');
  const takesBody = operation.multipart || operation.bodyExample !== null;
  const body = takesBody ? (input.body ?? withToken(operation.bodyExample, who.token)) : undefined;
  return {
    method: operation.method,
    target: path + (input.query ?? ''),
    headers: {
      ...(operation.surface === 'b' && operation.needsToken ? { authorization: `Bearer ${who.token}` } : {}),
      ...(takesBody && !operation.multipart ? { 'content-type': 'application/json' } : {}),
    },
    body: body instanceof FormData ? body : body === undefined ? undefined : JSON.stringify(body),
  };
};

export const nameOf = ({ method, path }: DocumentedOperation): string => `${method} ${path}`;

/** @throws Error for an operation that nobody has said how to call */
export const givenOf = (operation: DocumentedOperation): FaultCase => {
  const given = faultCases[nameOf(operation)];
  if (!given) throw new Error(`${nameOf(operation)} is not in test/faults/cases.ts`);
  return given;
};
