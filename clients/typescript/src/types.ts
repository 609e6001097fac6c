import type { operations as Described } from './api.ts';
import type { Freshness } from './freshness.ts';
import type { operations } from './operations.ts';

/** The name of an operation, as the interface description calls it; those below `/api/v1` begin with `v1`. */
export type OperationId = keyof typeof operations & keyof Described;

type Table = typeof operations;
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<Envelope> = Envelope extends { code: 200; data: infer Payload }
  ? Payload
  : Envelope extends { success: boolean; data: infer Payload }
    ? Payload
    : never;

/** The payload of a success. */
export type Data<Id extends OperationId> = Success<Json<Described[Id]['responses'][200]>>;

type Path<Id extends OperationId> = Described[Id]['parameters'] extends { path: infer Values } ? Values : never;
type Query<Id extends OperationId> = NonNullable<Described[Id]['parameters']['query']>;
/** Typed values of its headers; a tag set by hand would be answered without data, and browsers send theirs themselves. */
type Headers<Id extends OperationId> = Omit<NonNullable<Described[Id]['parameters']['header']>, 'If-None-Match'>;
type SentBody<Id extends OperationId> = Json<NonNullable<Described[Id]['requestBody']>>;
type MayLackBody<Id extends OperationId> = Described[Id] extends { requestBody: object } ? false : true;
type WithoutToken<Sent> =
  Exclude<keyof Sent, 'token' | 'AuthmeRequest'> extends never ? never : Omit<Sent, 'token' | 'AuthmeRequest'>;
/** The client adds the token. */
type Body<Id extends OperationId> = Table[Id]['token'] extends 'member' | 'part'
  ? WithoutToken<SentBody<Id>>
  : SentBody<Id>;

/** What an upload takes: in React Native a file is named by its address. */
export type FileToSend = Blob | { readonly uri: string; readonly name: string; readonly type: string };
type File<Id extends OperationId> = Table[Id] extends { file: string } ? FileToSend : never;

type Member<Name extends string, Value, Optional = false> = [Value] extends [never]
  ? unknown
  : keyof Value extends never
    ? unknown
    : [Optional] extends [true]
      ? { readonly [Key in Name]?: Value }
      : Record<never, never> extends Value
        ? { readonly [Key in Name]?: Value }
        : { readonly [Key in Name]: Value };

/** What an operation takes: values of path, query and headers, the body without its token, or the file of an upload. */
export type Input<Id extends OperationId> = Member<'path', Path<Id>> &
  Member<'query', Query<Id>> &
  Member<'headers', Headers<Id>> &
  Member<'body', Body<Id>, MayLackBody<Id>> &
  Member<'file', File<Id>>;

export interface CallOptions {
  /** How old the answer may be. Without it: as old as the service finds fresh, which is seconds. */
  readonly freshness?: Freshness;
  readonly signal?: AbortSignal;
  /** Instead of the client's. */
  readonly timeoutMs?: number;
  /** Instead of the client's. */
  readonly retryWithinMs?: number;
}

/** The input may be left out where nothing of it is required. */
export type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id> & CallOptions] : [input: Input<Id> & CallOptions];

export interface Answer<Payload> {
  readonly data: Payload;
  /** For people. */
  readonly message: string;
  /** False where the campus refused what was asked; `data` and `message` say why. */
  readonly accepted: boolean;
  /** Seconds since the data was read at the campus; 0 where it was read for this call, or is no reading. */
  readonly age: number;
  /** When the data was read at the campus, by the clock of this machine; null where it is no reading. */
  readonly readAt: Date | null;
  /** The data was read for an earlier call. */
  readonly fromCopy: boolean;
  /** Where a stale copy is served for a failure of the campus: the code of that failure. */
  readonly insteadOf: string | null;
  /** Seconds after which it is worth while to ask again, where the service says so. */
  readonly pollAfter: number | null;
  /** Names this call in the log of the service. */
  readonly traceId: string | null;
}
