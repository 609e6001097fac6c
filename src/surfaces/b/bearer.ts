import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { Student } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { sha256, studentTag } from '../../lib/hash.ts';
import { bearerOf } from '../../platform/call-context.ts';
import type { Sender } from '../../platform/large-bodies.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { noteForLog } from '../../platform/request-log.ts';

/** Who calls, and with which token. */
export interface Caller {
  readonly student: Student;
  readonly token: string;
}

export const callerKey = 'caller';

/** Large bodies are taken one at a time per token. */
export const bodySenderOf = (request: FastifyRequest): Sender => ({
  key: sha256(`body:${request.getDecorator<Caller>(callerKey).token}`),
  places: 1,
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
 * a campus shares one address, and nobody there may be locked out by the guesses of others.
 */
export const createAuthentication = (accounts: Accounts, limits: RequestLimits): onRequestHookHandler => {
  const admit = (request: FastifyRequest, caller: Caller): void => {
    const { student, token } = caller;
    noteForLog(request, { student: student.tag ?? studentTag(student.userid) });
    limits.known(student.tokenHash ?? sha256(token));
    request.setDecorator(callerKey, caller);
  };
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    try {
      const token = bearerToken(request.headers.authorization);
      const work = () => request.call.race(accounts.authenticate(token, request.ip));
      return { token, student: await limits.lookUp(request, work) };
    } catch (error) {
      limits.anonymous(request);
      throw error;
    }
  };
  return (request, _reply, done) => {
    const token = bearerOf(request.headers.authorization);
    const student = token === undefined ? null : accounts.known(token, request.ip);
    if (token === undefined || student === null) {
      return identify(request).then((caller) => admit(request, caller));
    }
    admit(request, { student, token });
    done();
  };
};
