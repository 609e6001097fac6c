import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import { Turns } from '../../lib/turns.ts';
import type { Accounts } from './accounts.ts';
import type { AccountDeps, AttemptDeps } from './attempt.ts';
import { createDesk } from './challenges/desk.ts';
import type { Challenges } from './challenges/ports.ts';
import { createChallenges } from './challenges/service.ts';
import { createDeletion } from './deletion.ts';
import { guardNumbers } from './guard/numbers.ts';
import { createVerifyInviteCode } from './invitations.ts';
import { createLogin } from './login.ts';
import { PacedLines } from './paced-lines.ts';
import { RefusalLimits } from './refusal-limits.ts';
import { createRegistration } from './registration.ts';
import { createAuthentication, createEndSession, createLogout, createLogoutAll, createSessions } from './tokens.ts';

export const createAccounts = (deps: AccountDeps): Accounts & { readonly challenges: Challenges | null } => {
  const { codeEveryMs, codesInLine } = guardNumbers.address;
  const attempts: AttemptDeps = {
    ...deps,
    limits: new RefusalLimits(deps.clock),
    codeLines: new PacedLines(deps.clock, { everyMs: codeEveryMs, most: codesInLine }),
    turns: new Turns(),
    registeredFrom: new LRUCache(bounded(10_000)),
    desk: deps.secondSteps ? createDesk(deps, deps.secondSteps) : null,
  };
  return {
    challenges: deps.secondSteps ? createChallenges(attempts, deps.secondSteps) : null,
    verifyInviteCode: createVerifyInviteCode(attempts),
    register: createRegistration(attempts),
    login: createLogin(attempts),
    ...createAuthentication(deps),
    sessions: createSessions(deps),
    endSession: createEndSession(deps),
    logout: createLogout(deps),
    logoutAll: createLogoutAll(deps),
    deleteAccount: createDeletion(attempts),
  };
};
