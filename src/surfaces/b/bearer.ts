import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { Student } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { sha256 } from '../../lib/hash.ts';
import { bearerOf } from '../../platform/call/call-context.ts';
import type { Sender } from '../../platform/limits/large-bodies.ts';
import { admit, type RequestLimits } from '../../platform/limits/limits.ts';

/** Large bodies are taken one at a time per token. */
export const bodySenderOf = ({ call }: FastifyRequest): Sender => ({
  key: sha256(`body:${call.token}`),
  places: 1,
  verified: true,
});

const longestToken = 256;

/**
 * The token of `Authorization: Bearer <token>`; the scheme in any case.
 * @throws Failure `token-missing`; `token-unknown` for what is too long to be one of ours
 */
const bearerToken = (header: string | undefined): string => {
  const token = bearerOf(header);
  if (token === undefined) throw new Failure('token-missing');
  if (token.length > longestToken) throw new Failure('token-unknown');
  return token;
};

/**
 * Runs before a body is read. A good token counts against itself, anything else against the address it came from:
 * a campus shares one address, and no one there may be locked out by the guesses of others.
 */
export const createAuthentication = (accounts: Accounts, limits: RequestLimits): onRequestAsyncHookHandler => {
  const identify = async (request: FastifyRequest): Promise<readonly [Student, string]> => {
    try {
      const token = bearerToken(request.headers.authorization);
      const work = () => request.call.race(accounts.authenticate(token, request.call.address));
      return [await limits.lookUp(request, work), token];
    } catch (error) {
      limits.anonymous(request);
      throw error;
    }
  };
  return async (request) => {
    const [student, token] = await identify(request);
    await admit(limits, request, student, token);
  };
};
