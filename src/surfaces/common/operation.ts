import type { Static, TSchema } from '@sinclair/typebox';
import type { Capability } from '../../domain/capabilities.ts';
import { exampleOf, type RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';

/** An answer with its own words, or a refusal: `success: false` on surface B, code 400 on A. */
export class Told<D> {
  readonly data: D;
  readonly message: string;
  readonly accepted: boolean;

  constructor(data: D, message: string, accepted = true) {
    this.data = data;
    this.message = message;
    this.accepted = accepted;
  }
}

export type OperationResult<D> = D | Told<D>;

export interface DescribedOperation<B extends TSchema, D extends TSchema> {
  /** Capabilities of the campus. Where one is missing, calls are refused and the document leaves the operation out. */
  readonly needs?: readonly Capability[];
  /** The scope that a personal token needs; every operation for students has one. */
  readonly scope?: Need;
  readonly tag: string;
  readonly summary: { readonly en: string; readonly zh: string };
  readonly description?: string;
  /** A token in `Authorization` means something, but may be missing. */
  readonly optionalToken?: boolean;
  readonly body?: B;
  readonly data: D;
  /** Left out: the examples of the members. */
  readonly example?: { readonly body?: Static<B>; readonly data?: RecordOf<D> };
}

export interface Worded<D extends TSchema> {
  /** For answers that bring no message; a function where the message depends on the data. */
  readonly message: string | ((data: RecordOf<D>) => string);
}

export const toldOf = <D extends TSchema>(
  { message }: Worded<D>,
  answered: OperationResult<RecordOf<D>>,
): Told<RecordOf<D>> => {
  if (answered instanceof Told) return answered;
  return new Told(answered, typeof message === 'string' ? message : message(answered));
};

export const exampleAnswer = <D extends TSchema>(
  described: DescribedOperation<TSchema, D> & Worded<D>,
): Told<RecordOf<D>> => toldOf(described, described.example?.data ?? exampleOf(described.data));

/** Uses `words` where the answer is empty because the campus does not know what was asked for. */
export const unlessUnknown = async <D>(
  data: D,
  isEmpty: boolean,
  isKnown: () => Promise<boolean>,
  words: string,
): Promise<OperationResult<D>> => (!isEmpty || (await isKnown()) ? data : new Told(data, words));
