import { type CampusSystem, Failure } from '../domain/errors.ts';
import type { JsonObject } from './parsing/cells.ts';
import { text } from './parsing/row-reader.ts';
import { readJsonObject } from './parsing/values.ts';

/** Both ticket applications answer with this: `{code, msg, data, …}`. */
export interface TicketEnvelope {
  /** 0: success. Anything else is a refusal; -1 where the application names none. */
  readonly code: number;
  /** `""` when null or missing. */
  readonly message: string;
  readonly data: unknown;
  /** The whole answer: some operations have members beside `data`. */
  readonly body: JsonObject;
}

/** The code of an answer that states none: never success. */
const NO_CODE = -1;

/** A whole number or its text, else null. Nothing is rounded: 0.5 is not success. */
const codeOf = (value: unknown): number | null => {
  const code = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
};

/** @throws Failure `upstream-unreadable` when the text is not a JSON object */
export const readEnvelope = (answer: string, system: CampusSystem): TicketEnvelope => {
  const body = readJsonObject(answer, system);
  return { code: codeOf(body.code) ?? NO_CODE, message: text(body.msg), data: body.data, body };
};

/**
 * The answer to a write. A refusal is a decision of the application; what states neither leaves the outcome open.
 * @throws Failure `outcome-unknown`
 */
export const readDecision = (answer: string, system: CampusSystem): TicketEnvelope => {
  const unknown = (reason: string) => new Failure('outcome-unknown', { system, upstreamStatus: 200, reason });
  let envelope: TicketEnvelope;
  try {
    envelope = readEnvelope(answer, system);
  } catch {
    throw unknown('answer is no JSON object');
  }
  if (codeOf(envelope.body.code) === null) throw unknown('answer states no code');
  return envelope;
};
