import type { Static, TSchema } from '@sinclair/typebox';
import type { Capability } from '../../domain/capabilities.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';
import type { HeaderParameter } from '../../platform/docs/openapi.ts';
import type { Words } from '../../platform/languages.ts';
import type { Detail } from './envelope.ts';
import type { RefusalAnswer } from './error-handler.ts';
import type { ErrorCode, FailureWording, Messages, WordedPart } from './failures.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];
/** Method and path. */
export type Route = `${Method} /${string}`;

/** `-` no header; `T` a token known to storage; `TU` also a session at the campus, made on demand by the domain. */
export type Level = '-' | 'T' | 'TU';

/** `GET /jwc/term/all` in two. */
export const routeOf = (route: Route): readonly [Method, string] => {
  const [word, url = ''] = route.split(' ');
  const method = methods.find((one) => one === word);
  if (method !== undefined) return [method, url];
  throw new Error(`${route} is no route`);
};

/** Describes the `data` of a 429 where it has some, with an example. */
interface CoolDown {
  readonly title: string;
  readonly data: TSchema;
  readonly example: { readonly message: string; readonly data: unknown };
}

/** How an operation words its own refusals. */
export interface Refusals {
  /** Name and `data` of the 409 answers. */
  readonly conflict: { readonly title: string; readonly data: TSchema };
  readonly cases: ReadonlyArray<RefusalAnswer & { readonly name: string }>;
}

/** Describes an operation for the document and its checks. */
export interface Described<
  B extends TSchema = TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  D extends TSchema = TSchema,
> {
  readonly level: Level;
  readonly route: Route;
  readonly operationId: string;
  /**
   * Capabilities of the campus that it cannot do without. Where one is missing, calls are answered
   * 501 and the document is silent about it.
   */
  readonly needs?: readonly Capability[];
  /** The scope that a personal token needs; every operation for students has one. */
  readonly scope?: Need;
  readonly tag: string;
  readonly summary: Words;
  readonly description?: string;
  /** Left out: the operation ignores any body. */
  readonly body?: B;
  /** No body, or one of no bytes, is an empty object. */
  readonly bodyOptional?: boolean;
  readonly params?: P;
  /** Members with a default may be left out by the client. */
  readonly query?: Q;
  readonly data: D;
  /** The envelope's `message` of the success that is shown. */
  readonly message: string;
  /** Left out: what the members of the schemas show. */
  readonly example?: { readonly data?: RecordOf<D>; readonly body?: Static<B> };
  /** Documents the headers of a success. */
  readonly answerHeaders?: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  /** Headers of the request that mean something, for the document; those of reads need not be named. */
  readonly requestHeaders?: Readonly<Record<string, HeaderParameter>>;
  /** A token in `Authorization` means something, and need not be there. */
  readonly optionalToken?: boolean;
  /** Failures beyond those of the level. */
  readonly failures?: readonly ErrorCode[];
  /** Where a 429 of the operation itself has data. */
  readonly coolDown?: CoolDown;
  /** Refusals of this operation, each in its own words. */
  readonly refusals?: Refusals;
  /** Messages of failures, by code, where this operation finds its own words. */
  readonly messages?: Messages;
  /** Parts of the campus's data whose loss this operation words by itself. */
  readonly parts?: readonly WordedPart[];
  readonly wording?: FailureWording;
  /** It changes something at the campus. */
  readonly writes?: boolean;
  /** It is sent passwords, a code or a proof to be judged: nothing of it is ever repeated by a program. */
  readonly credentials?: boolean;
  /** For a status that this operation may not answer, the one it answers instead. */
  readonly statusInstead?: Readonly<Record<number, number>>;
  /** The example of a 422, where the schemas give none. */
  readonly details?: readonly Detail[];
  /** A GET at the campus that is not a read with an age: it concerns no single student, or goes with a task. */
  readonly ageless?: boolean;
  /** Served and not described: an old name of another operation. */
  readonly hidden?: boolean;
  /** Set where the answer may be the campus's refusal, of which this is an example. */
  readonly refused?: { readonly message: string; readonly data: Static<D> };
}
