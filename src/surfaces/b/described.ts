import type { Static, TSchema } from '@sinclair/typebox';
import type { SystemReport } from '../../domain/observation.ts';
import type { Services } from '../../domain/services.ts';
import type { HeaderParameter } from '../../http/docs/openapi.ts';
import type { Language, Words } from '../../http/languages.ts';
import type { HttpBounds } from '../../http/limits/limits.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';
import type { ChallengePlace } from '../common/challenges.ts';
import type { DescribedOperation } from '../common/operation.ts';
import type { Detail, Envelopes } from './envelope.ts';
import type { ErrorCode, FailureWording, Messages, WordedPart } from './error-codes.ts';

/** What `GET /status` shows to people. */
export interface StatusPage {
  readonly policy: ContentPolicy;
  readonly render: (
    language: Language,
    shown: { readonly works: boolean; readonly systems: readonly SystemReport[]; readonly at: string },
  ) => { readonly type: string; readonly body: Buffer };
}

/** All that operations are made of. */
export interface SurfaceBDeps {
  readonly services: Services;
  readonly http: HttpBounds;
  readonly timeZone: string;
  /** The address at which clients reach the service; null while it is unknown. */
  readonly publicUrl: () => string | null;
  /** The page on which a student without a suitable app answers a challenge. */
  readonly place: ChallengePlace;
  readonly envelopes: Envelopes;
  readonly docsUrl: Words;
  readonly statusPage: StatusPage;
  readonly closing: () => boolean;
}

export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** `-`: no header. `T`: a token known to storage. `TU`: also a session at the campus, made on demand by the domain. */
export type Level = '-' | 'T' | 'TU';

/** `GET /jwc/term/all` in two. */
export const routeOf = (route: Route): readonly [method: string, url: string] => {
  const [method = '', url = ''] = route.split(' ');
  return [method, url];
};

/** Paths of the specification, whose operations have always ignored query names that they do not know. */
const specified = [
  'aac|isim|profile/(?:user|client|flutter)|auth/(?:login|register|authme)',
  'jwc/(?:academic|competition|exam|schedule|term|plan/current|score/:term_code)',
  'ldjlb/labor/(?:progress|joined|scan_sign|activity|:activity_id|club/:club_id/activities)',
];
const specifiedPath = new RegExp(`^/(?:${specified.join('|')})(?:/|$)`);

/** Other operations refuse query names that they do not know: a misspelt filter is no filter. */
export const refusesUnknownNames = (path: string): boolean => !specifiedPath.test(path);

export interface Refusals {
  /** Name and `data` of the 409 answers. */
  readonly conflict: { readonly title: string; readonly data: TSchema };
  readonly cases: ReadonlyArray<{
    readonly name: string;
    readonly code: ErrorCode;
    readonly message: string;
    readonly data?: unknown;
  }>;
}

export interface DescribedB<
  B extends TSchema = TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  D extends TSchema = TSchema,
> extends DescribedOperation<B, D> {
  readonly level: Level;
  /** No body, or one of no bytes, is an empty object. Without `body` the operation ignores any. */
  readonly bodyOptional?: boolean;
  readonly params?: P;
  /** Members with a default may be left out by the client. */
  readonly query?: Q;
  readonly answerHeaders?: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  /** Those of reads need not be named. */
  readonly requestHeaders?: Readonly<Record<string, HeaderParameter>>;
  /** Failures beyond those of the level. */
  readonly failures?: readonly ErrorCode[];
  /** Statuses that the specification lists and that never come: described without a code. */
  readonly reserved?: Readonly<Record<number, string>>;
  /** Failures of the level that it tells in its answer, so that the call does not fail with them. */
  readonly toldInData?: readonly ErrorCode[];
  /** Set where the operation has a cool-down, whose 429 has data. */
  readonly coolDown?: {
    readonly title: string;
    readonly data: TSchema;
    readonly example: { readonly message: string; readonly data: unknown };
  };
  readonly refusals?: Refusals;
  /** Messages of failures, by code, where this operation finds its own words. */
  readonly messages?: Messages;
  /** Parts of the campus's data whose loss this operation words by itself. */
  readonly parts?: readonly WordedPart[];
  readonly wording?: FailureWording;
  /** Its data is made of the value of one read, path and query, and of nothing else: no time of day, no setting. */
  readonly ofOneRead?: boolean;
  readonly writes?: boolean;
  /** The calls of a minute of the whole student do not count for it, only those of its token. */
  readonly ownLimitOnly?: boolean;
  /** It judges passwords, a code or a proof: no program may repeat the call by itself. */
  readonly credentials?: boolean;
  /** The example of a 422, where the schemas give none. */
  readonly details?: readonly Detail[];
  /** A GET at the campus that is no read with an age: of no single student, or part of a task. */
  readonly ageless?: boolean;
  /** Served and not described: an old name of another operation. */
  readonly hidden?: boolean;
  /** Set where the answer may be the campus's refusal, of which this is an example. */
  readonly refused?: { readonly message: string; readonly data: Static<D> };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body is ignored, and not read. */
    bodyless?: boolean;
    described?: Pick<DescribedB, 'bodyOptional' | 'failures' | 'wording' | 'messages' | 'credentials'>;
  }
}
