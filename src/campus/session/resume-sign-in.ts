import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import type { SignInStep } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import { type Failed, signInFailed, withPasswords } from '../sign-in-failures.ts';
import { resumeServiceTicket, type ServiceTicket } from './service-ticket.ts';
import { type Bounds, personNeeded, portalCall, sendFor, signIn, signInScope } from './sign-in.ts';
import { StudentState } from './student-state.ts';
import type { Campus } from './upstream-session.ts';

/** A sign-in that waits for a person. */
interface Waiting {
  readonly step: SignInStep;
  readonly resume: string;
}

/** Its state, as another process may have packed it; null: it cannot be read. */
const unpacked = (campus: Campus, text: string): { readonly state: StudentState; readonly resume: string } | null => {
  const { addresses } = campus;
  const kept: unknown = JSON.parse(text);
  if (!isRecord(kept) || typeof kept.resume !== 'string') return null;
  const state = new StudentState(addresses);
  if (typeof kept.portal === 'string' && addresses.portalOrigin !== null) {
    state.jars.import(addresses.portalOrigin, kept.portal);
  }
  if (typeof kept.login === 'string') state.jars.import(addresses.base('unified-login').origin, kept.login);
  if (typeof kept.session === 'string') state.portalSession = kept.session;
  return { state, resume: kept.resume };
};

/** Asks for a code, or for an image. */
export const resumeSend = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { step, resume }: Waiting,
  target: number | null,
): Promise<{ readonly kind: 'half'; readonly half: HalfSignIn } | Failed> => {
  const opened = unpacked(campus, resume);
  if (opened === null) return signInFailed(step, 'resume of another kind');
  const { state } = opened;
  const sent = await sendFor(signInScope(campus, state, bounds, signal), step, opened.resume, target);
  if (sent.kind === 'failed') return sent;
  const told = personNeeded(campus, state, step, sent, true);
  return told.failure.half ? { kind: 'half', half: told.failure.half } : told;
};

/** Sends an answer, and continues with the rest of the sign-in as any other. */
export const resumeAnswer = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { step, resume, userid, pair }: Waiting & { readonly userid: string; readonly pair: PasswordPair },
  text: string,
): Promise<{ readonly kind: 'signed-in'; readonly state: StudentState } | Failed> => {
  const opened = unpacked(campus, resume);
  const { portal, provingApplication } = campus.addresses;
  if (opened === null) return signInFailed(step, 'resume of another kind');
  const { state } = opened;
  const scope = signInScope(campus, state, bounds, signal);
  let issued: ServiceTicket | undefined;
  if (step === 'unified-login') {
    const credentials = { userid, password: pair.password };
    const answered = await resumeServiceTicket.answer(scope, opened.resume, text, credentials);
    if (answered.kind === 'failed') return answered;
    if (answered.kind === 'needs-person') return personNeeded(campus, state, step, answered, true);
    issued = answered;
  } else {
    if (portal.resume === undefined) return signInFailed(step, 'resume of another kind');
    const call = portalCall(scope);
    const credentials = { userid, password: pair.vpnPassword };
    const answered = await portal.resume.answer(call, opened.resume, text, credentials);
    if (answered.kind === 'failed') return answered;
    if (answered.kind === 'needs-person') return personNeeded(campus, state, step, answered, true);
    state.portalSession = answered.session;
  }
  state.portalLogin.accepted(campus.clock.now());
  state.isDear = true;
  const outcome = await signIn(campus, bounds, signal, {
    userid,
    state,
    portal: false,
    application: provingApplication,
    pair: () => Promise.resolve(pair),
    onlyVerify: true,
    person: true,
    ...(issued && { issued }),
  });
  if (outcome.kind !== 'failed') return { kind: 'signed-in', state };
  // The answer was right, and is spent.
  return outcome.failure.passwords === 'unsent' ? withPasswords(outcome, 'accepted') : outcome;
};
