import { signInFailed } from '../contract/sign-in-failures.ts';
import type { Application } from '../contract/upstreams.ts';
import type { CampusRequests } from './campus-requests.ts';
import type { Redirected, Verdict } from './judge.ts';
import { PlaceCall } from './place-call.ts';

const STEP = 'unified-login' as const;

/**
 * A page of an application has redirected to the unified login, which hands out a ticket for it while its own session
 * lives. No password is sent for that: where it has ended, so has the session of the application.
 */
export const withPageTicket = async (
  requests: CampusRequests & { readonly userid: string },
  application: Application,
  dead: Extract<Verdict, { kind: 'dead' }>,
): Promise<Verdict | Redirected> => {
  const { service } = dead;
  if (service === null || requests.state.jarOf(STEP) === null) return dead;
  const call = new PlaceCall(requests, STEP, requests.userid, { service });
  const signed = await call.signIn(() => Promise.resolve(signInFailed(STEP, 'its session has ended')));
  const target = signed.kind === 'signed-in' ? signed.address : null;
  const isOwn = target !== null && requests.campus.addresses.originsOf(application).includes(target.origin);
  return isOwn ? { kind: 'follow', target } : dead;
};
