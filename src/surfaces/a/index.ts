import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { asFailure } from '../../domain/errors.ts';
import { limits as bounds } from '../../domain/limits.ts';
import { refuseStructure } from '../../http/limits/json-structure.ts';
import { addBodyMeter } from '../../http/limits/large-bodies.ts';
import { RequestInvalid } from '../../http/requests/findings.ts';
import { createValidator, unreadBody } from '../../http/requests/validation.ts';
import { callerUnit } from '../../lib/address.ts';
import { answerError, isInvalidBody, malformedJsonFinding } from './error-handler.ts';
import type { SurfaceADeps } from './operation.ts';
import { academicsOperations } from './routes/academics.ts';
import { activityScoreOperations } from './routes/activity-score.ts';
import { evaluationOperations } from './routes/evaluation.ts';
import { examOperations } from './routes/exams.ts';
import { profileOperations } from './routes/profiles.ts';
import { userOperations } from './routes/user.ts';

export type { SurfaceADeps } from './operation.ts';

export const surfaceAPrefix = '/api/v1';

export const tagsA = [
  { name: 'v1 user', description: 'Invite codes, registration, login, the token check and the profile of the app.' },
  { name: 'v1 academics', description: 'Summary, terms, scores, schedule, training plan and exams.' },
  { name: 'v1 activity score', description: 'Total and items of the activity score.' },
  { name: 'v1 evaluation', description: 'The task that evaluates courses, one after another, in the background.' },
] as const;

/** Large bodies that one address may send at once, and their bytes: a campus often shares one. */
const perAddress = { places: bounds.bodiesAtOnce.most, mostBytes: bounds.bytesAtOnce.most * 1_048_576 };
const unlimitedPlaces = { places: Number.POSITIVE_INFINITY };

const jsonType = /^\s*application\/(?:json|[^\s;,]+\+json)\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The character at which parsing failed; 0 when unknown. The message may quote the body, so only its tail is read. */
const offsetOf = (error: unknown, text: string): number => {
  const message = error instanceof Error ? error.message : '';
  if (message === 'Unexpected end of JSON input') return text.length;
  const place = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return place === undefined ? 0 : Math.min(Number(place), text.length);
};

/**
 * The value to validate; a missing content type counts as JSON. Malformed JSON is returned and not thrown, because the
 * framework ends the connection after a parser's error. The text of another type may hold secrets, so it is not kept.
 */
export const receiveBody = (bytes: Uint8Array, contentType: string | undefined): unknown => {
  if (bytes.length === 0) return null;
  if (contentType !== undefined && contentType.trim() !== '' && !jsonType.test(contentType)) return unreadBody;
  let text = '';
  try {
    text = decoder.decode(bytes);
    return JSON.parse(text);
  } catch (error) {
    return new RequestInvalid([malformedJsonFinding(offsetOf(error, text))]);
  }
};

/** Replaces the framework's parsers: it answers 400 and 415 where this surface owes a list of validation errors. */
const readBodiesOf = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  // Named beside all others because the framework remembers the parser of a type that has a name.
  scope.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refuseStructure(request, bytes);
    if (refusal) done(refusal, undefined);
    else done(null, receiveBody(bytes, request.headers['content-type']));
  });
};

const operationsA = [
  userOperations,
  profileOperations,
  academicsOperations,
  examOperations,
  activityScoreOperations,
  evaluationOperations,
];

/** Adds the operations below `/api/v1` in a scope with its own reader of bodies, errors and schema names. */
export async function registerSurfaceA(app: FastifyInstance, deps: SurfaceADeps): Promise<void> {
  const { http, pageUrl, isTrustedCaller, services } = deps;
  await app.register(
    async (scope) => {
      readBodiesOf(scope);
      scope.setValidatorCompiler(createValidator('lax'));
      // A call whose body does not fit has no valid token, so it counts against its address.
      scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
        try {
          if (isInvalidBody(error, request)) http.limits.anonymous(request);
        } catch (refusal) {
          return answerError(asFailure(refusal), request, reply, pageUrl, services.campus);
        }
        return answerError(error, request, reply, pageUrl, services.campus);
      });
      addBodyMeter(scope, http.bodies, ({ call: { address } }: FastifyRequest) => ({
        key: callerUnit(address),
        // The token is inside.
        verified: false,
        ...(isTrustedCaller(address) ? unlimitedPlaces : perAddress),
      }));
      for (const add of operationsA.flatMap((operationsOf) => operationsOf(deps))) add(scope, deps);
    },
    { prefix: surfaceAPrefix },
  );
}
