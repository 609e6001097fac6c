import type { AccountDeps } from './account-deps.ts';
import type { Accounts } from './accounts.ts';
import { AttemptLimits } from './attempt-limits.ts';
import { createDeletion } from './deletion.ts';
import { createVerifyInviteCode } from './invitations.ts';
import { createLogin } from './login.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { createRegistration } from './registration.ts';
import { createAuthenticate, createLogout, createLogoutAll } from './tokens.ts';

const MINUTE_MS = 60_000;

/** Ten refused sign-ins per minute and ten wrong invite codes per quarter of an hour, per address and process. */
export const createAccounts = (deps: AccountDeps): Accounts => {
  const { clock, leases } = deps;
  const inviteLimits = new AttemptLimits({ failures: 10, windowMs: 15 * MINUTE_MS }, clock);
  const attempts = {
    ...deps,
    oneAtATime: createOneAtATime({ leases, clock }),
    signInLimits: new AttemptLimits({ failures: 10, windowMs: MINUTE_MS }, clock),
  };
  return {
    verifyInviteCode: createVerifyInviteCode(deps, inviteLimits),
    register: createRegistration(attempts),
    login: createLogin(attempts),
    authenticate: createAuthenticate(deps),
    logout: createLogout(deps),
    logoutAll: createLogoutAll(deps),
    deleteAccount: createDeletion(attempts),
  };
};
