import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import { sha256, studentTag } from '../../lib/hash.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { noteForLog } from '../../platform/request-log.ts';

/** Finds the student behind a token of a body. @throws Failure those of `Accounts.authenticate`, and `rate-limited` */
export type Authentication = (request: FastifyRequest, token: string) => Promise<Student>;

/**
 * A good token counts against itself, a bad one against the address it came from: a campus shares one address, and
 * nobody there may be locked out by the guesses of others.
 */
export const createAuthentication =
  (accounts: Accounts, limits: RequestLimits | undefined): Authentication =>
  async (request, token) => {
    try {
      const lookUp = () => accounts.authenticate(token, request.ip);
      const student = await (limits ? limits.lookUp(request, lookUp) : lookUp());
      noteForLog(request, { student: student.tag ?? studentTag(student.userid) });
      await limits?.known(request, student.tokenHash ?? sha256(token));
      return student;
    } catch (error) {
      if (isFailure(error, 'token-missing', 'token-unknown', 'token-user-gone')) await limits?.anonymous(request);
      throw error;
    }
  };
