import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import { sha256, studentTag } from '../../lib/hash.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { noteForLog } from '../../platform/request-log.ts';

/** Finds the student behind a token of a body. @throws Failure those of `Accounts.authenticate`, and `rate-limited` */
export type Authentication = (request: FastifyRequest, token: string) => Student | Promise<Student>;

/**
 * A good token counts against itself, a bad one against the address it came from: a campus shares one address, and
 * nobody there may be locked out by the guesses of others.
 */
export const createAuthentication = (accounts: Accounts, limits: RequestLimits | undefined): Authentication => {
  const admit = (request: FastifyRequest, student: Student, token: string): Student => {
    noteForLog(request, { student: student.tag ?? studentTag(student.userid) });
    limits?.known(student.tokenHash ?? sha256(token));
    return student;
  };
  const lookUp = async (request: FastifyRequest, token: string): Promise<Student> => {
    try {
      const work = () => accounts.authenticate(token, request.ip);
      const student = await (limits ? limits.lookUp(request, work) : work());
      return admit(request, student, token);
    } catch (error) {
      if (isFailure(error, 'token-missing', 'token-unknown', 'token-user-gone')) limits?.anonymous(request);
      throw error;
    }
  };
  return (request, token) => {
    const student = accounts.known(token, request.ip);
    return student === null ? lookUp(request, token) : admit(request, student, token);
  };
};
