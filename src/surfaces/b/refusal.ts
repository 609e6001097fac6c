import type { ErrorCode } from './errors.ts';

export interface RefusalAnswer {
  readonly code: ErrorCode;
  readonly message: string;
  /** The envelope's `data`; left out: null. */
  readonly data?: unknown;
  readonly retryAfterSeconds?: number;
}

/** What an operation refuses although nothing has failed: the domain told it as a value, and this is its answer. */
export class Refused extends Error {
  readonly answer: RefusalAnswer;

  constructor(answer: RefusalAnswer) {
    super(`refused: ${answer.code}`);
    this.name = 'Refused';
    this.answer = answer;
  }
}
