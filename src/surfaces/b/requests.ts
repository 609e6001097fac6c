import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import { failures } from '../../domain/errors.ts';
import { bearerOf } from '../../http/call/call-context.ts';
import { refuseStructure } from '../../http/limits/json-structure.ts';
import type { BodySender } from '../../http/limits/large-bodies.ts';
import type { RequestLimits } from '../../http/limits/limits.ts';
import { sha256 } from '../../lib/hash.ts';
import { notJson } from './error-handler.ts';

/** Large bodies are taken one at a time per token. */
export const bodySenderOf = ({ call }: FastifyRequest): BodySender => ({
  key: sha256(`body:${call.token}`),
  places: 1,
  verified: true,
});

/** A good token counts against itself, a bad one against its address: guesses lock out no one else there. */
export const createAuthenticationHook =
  (accounts: Accounts, limits: RequestLimits): onRequestAsyncHookHandler =>
  async (request) => {
    const { call, headers } = request;
    const [student, token] = await limits.lookUp(request, async () => {
      const token = bearerOf(headers.authorization);
      if (token === undefined) throw failures.tokenMissing();
      return [await call.race(accounts.authenticate(token, call.address)), token] as const;
    });
    await limits.admit(request, student, token);
  };

const jsonTypes = /^application\/(?:json|[^\s;,]+\+json)(?:\s*;|$)/i;

/** Reads JSON strictly. `__proto__` and `constructor.prototype` are dropped, like all unknown members. */
export const readBodies = (scope: FastifyInstance): void => {
  const parseJson = scope.getDefaultJsonParser('remove', 'remove');
  const decoder = new TextDecoder('utf-8', { fatal: true });

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(jsonTypes, { parseAs: 'buffer' }, (request, bytes, done) => {
    // A body of no bytes is a missing one: the schema of the operation words that better than the parser.
    if (bytes.length === 0) return done(null, undefined);
    const refusal = refuseStructure(request, bytes);
    if (refusal) return done(refusal, undefined);
    let text = '';
    try {
      text = decoder.decode(bytes);
    } catch {
      // Broken UTF-8 is no JSON; the parser says so in its own way.
    }
    parseJson(request, text === '' ? '{' : text, done);
  });
  scope.addContentTypeParser('*', (request, _payload, done) => {
    const { bodyless, described } = request.routeOptions.config;
    const isLeftOut = described?.bodyOptional === true && request.headers['content-length'] === '0';
    if (bodyless === true || isLeftOut) done(null, undefined);
    else done(notJson(request), undefined);
  });

  // An operation without a body ignores what is sent, also malformed JSON: without its type a body goes to the parser
  // above, which does not read it.
  scope.addHook('onRequest', (request, _reply, done) => {
    if (request.call.config.bodyless === true && request.raw.headers['content-type'] !== undefined)
      delete request.raw.headers['content-type'];
    done();
  });
};
