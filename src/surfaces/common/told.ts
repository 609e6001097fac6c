import type { TSchema } from '@sinclair/typebox';
import type { RecordOf } from '../../domain/record.ts';

/**
 * An answer with its own words, or with what the campus or the service has decided: a refusal is `success: false` on
 * surface B, and code 400 on A.
 */
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

export type Answered<D> = D | Told<D>;

/** The message of a success, made of its data where that decides about the words. */
export type Message<D extends TSchema> = string | ((data: RecordOf<D>) => string);

/** With the usual words, where an answer has none of its own. */
export const toldOf = <D extends TSchema>(message: Message<D>, answered: Answered<RecordOf<D>>): Told<RecordOf<D>> => {
  if (answered instanceof Told) return answered;
  return new Told(answered, typeof message === 'string' ? message : message(answered));
};
