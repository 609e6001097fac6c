import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import { lackOf } from '../../domain/capabilities.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { noDirectives } from '../../domain/context.ts';
import { NotedReads } from '../../domain/reads/call-reads.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';
import type { Services } from '../../domain/services.ts';
import { runCall, setReadHeaders, withReadTime } from '../../http/call/call.ts';
import type { ByteBudget } from '../../http/limits/byte-budget.ts';
import type { HttpBounds, RequestLimits } from '../../http/limits/limits.ts';
import { fillPortalPassword, withoutPortalPassword } from '../../http/requests/portal-password.ts';
import type { Validated } from '../../http/requests/validation.ts';
import { isRecord } from '../../lib/text.ts';
import { createTimestamper } from '../../lib/time.ts';
import { type OperationResult, toldOf, type Worded } from '../common/operation.ts';
import { successOf } from './envelope.ts';
import { sendAs } from './error-handler.ts';
import { answerOf } from './failures.ts';
import { type DescribedA, routeSchema } from './operation-document.ts';

export interface SurfaceADeps {
  readonly services: Pick<
    Services,
    'accounts' | 'academics' | 'activityScore' | 'evaluation' | 'profiles' | 'campus' | 'clock'
  >;
  readonly http: HttpBounds;
  readonly timeZone: string;
  /** The page on which a student answers a challenge; null where its address is unknown. */
  readonly pageUrl: string | null;
  /** Whether an address may have any number of large bodies under way. */
  readonly isTrustedCaller: (address: string) => boolean;
}

interface OpenCall<B> extends CallContext {
  readonly body: B;
}

interface StudentCall<B> extends OpenCall<B> {
  readonly student: Student;
}

interface Calls<B> {
  '-': OpenCall<B>;
  T: StudentCall<B>;
}

interface DeclaredA<L extends keyof Calls<unknown>, B extends TObject, D extends TSchema>
  extends DescribedA<B, D>,
    Worded<D> {
  readonly level: L;
  /** Largest body in bytes, where it differs from the usual. */
  readonly bodyLimit?: number;
  /** Most structural characters of a body with images. */
  readonly structureLimit?: number;
  /** The words for a body that is too large; left out: the usual. */
  readonly tooLarge?: string;
  /** Its answers hold images: their bytes are counted while they wait to be sent. */
  readonly answersImages?: boolean;
  /** Returns the data, or `Told` with another message or code; without a promise where it waits for nothing. */
  run(call: Calls<Validated<B>>[L]): OperationResult<RecordOf<D>> | Promise<OperationResult<RecordOf<D>>>;
}

/** An operation for students has to say what it asks of a personal token. */
type Scoped<L> = L extends '-' ? unknown : { readonly scope: Need };

export type Operation = (scope: FastifyInstance, deps: SurfaceADeps) => void;

/** An answer that tells what has changed must not be refused; any other one may be. */
const countAnswers = (answers: ByteBudget, changes: boolean): RouteShorthandOptions => ({
  onSend: async (_request, reply, payload) => {
    const bytes = typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;
    if (changes) answers.count(reply, bytes);
    else answers.hold(reply, bytes);
  },
});

/** The token of a checked body, which has it as a member or in a part. */
const tokenOf = (body: unknown): string => {
  const holder = isRecord(body) && isRecord(body.AuthmeRequest) ? body.AuthmeRequest : body;
  return isRecord(holder) && typeof holder.token === 'string' ? holder.token : '';
};

/** A good token counts against itself, a bad one against its address: guesses lock out no one else there. */
const authenticate = async (accounts: Accounts, limits: RequestLimits, request: FastifyRequest): Promise<void> => {
  const token = tokenOf(request.body);
  const student = await limits.lookUp(request, () => accounts.authenticate(token, request.call.address));
  await limits.admit(request, student, token);
};

/** Declares an operation: its path, what it takes and answers, how it fails, and what it does. */
export const operation =
  <L extends keyof Calls<unknown>, B extends TObject, D extends TSchema>(
    path: string,
    operationId: string,
    declared: DeclaredA<L, B, D> & Scoped<L>,
  ): Operation =>
  (scope, { services: { accounts, campus, clock }, timeZone, http: { limits, answers } }) => {
    const row = campus.hasPortal ? declared : withoutPortalPassword(declared);
    const { level, group, overrides, signedOutData, structureLimit, tooLarge } = row;
    const success = successOf(row.data);
    const timestamp = createTimestamper(timeZone);
    const lack = () => lackOf(campus, row.needs);
    const answer = (reply: FastifyReply, reads: NotedReads, answered: OperationResult<RecordOf<D>>): FastifyReply => {
      const { data, message, accepted } = toldOf(row, answered);
      const code = accepted ? 200 : 400;
      reply.request.call.told = code;
      const summary = reads.summary();
      if (summary === null) return sendAs(reply, success, { code, message, data });
      const { failure } = summary;
      setReadHeaders(reply, summary, clock.now(), failure ? String(answerOf(failure, group, overrides).code) : '');
      return sendAs(reply, success, { code, message: withReadTime(message, summary, timestamp), data });
    };
    // The complete body is checked first: an invalid call must not cost a look-up, let alone a sign-in at the campus.
    scope.withTypeProvider<TypeBoxTypeProvider>().post(path, {
      bodyLimit: row.bodyLimit,
      ...(row.answersImages ? countAnswers(answers, structureLimit !== undefined) : {}),
      schema: { ...routeSchema(operationId, row), hide: lack() !== null },
      config: {
        failureStyle: { group, overrides, success, signedOutData, tooLarge },
        findsStudent: level !== '-',
        need: row.scope,
        ...(structureLimit === undefined ? {} : { slowBody: true, structureLimit }),
      },
      handler: (request, reply) => {
        if (!campus.hasPortal) fillPortalPassword(declared.body, request.body);
        const { call, body } = request;
        const reads = new NotedReads(noDirectives, (work) => call.onEnd(work));
        const asked = Object.assign(call, { body, reads });
        const run = () => {
          const missing = lack();
          if (missing !== null) throw missing;
          return row.run(asked);
        };
        const begin = () => {
          if (level !== '-') return authenticate(accounts, limits, request).then(run);
          limits.anonymous(request);
          return run();
        };
        const told = runCall(call, { clock, writes: false }, begin, (result) => answer(reply, reads, result));
        if (told instanceof Promise) return told;
      },
    });
  };
