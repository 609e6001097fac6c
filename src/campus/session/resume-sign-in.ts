import type { HalfSignIn, StepAnswer, StepAnswered, StepSent } from '../../domain/accounts/challenges/ports.ts';
import type { PasswordPair } from '../../domain/accounts/ports.ts';
import { isRecord } from '../../lib/records.ts';
import type { AskPortal, NeedsPerson, PortalAnswered, PortalSteps } from '../portal/portal.ts';
import { mayHaveArrived, signInFailed, withPasswords } from '../sign-in-failures.ts';
import type { Campus, RequestScope } from './request-scope.ts';
import { personNeeded, portalAsk, signIn, signInScope } from './sign-in.ts';
import { StudentState } from './student-state.ts';
import type { Failed } from './verdict.ts';

/** A sign-in that continues after waiting for a person. */
export interface HalfDone {
  readonly userid: string;
  readonly resume: string;
}

export type Bounds = Pick<RequestScope, 'breakers' | 'budget'>;

interface Opened {
  readonly state: StudentState;
  readonly steps: PortalSteps;
  readonly resume: string;
  readonly ask: AskPortal;
  /** The same failure; where nothing was sent, it says so. */
  told(failure: Failed): Failed;
}

const open = (campus: Campus, bounds: Bounds, signal: AbortSignal, { resume }: HalfDone): Opened | Failed => {
  const { addresses } = campus;
  const kept: unknown = JSON.parse(resume);
  const { steps } = addresses.portal;
  if (!isRecord(kept) || typeof kept.resume !== 'string' || steps === undefined) {
    return signInFailed('portal', 'resume of another kind');
  }
  const state = new StudentState(addresses);
  if (typeof kept.jar === 'string') state.jars.import(addresses.base('vpn').origin, kept.jar);
  const send = portalAsk(signInScope(campus, state, bounds, signal), () => {});
  let left = false;
  const ask: AskPortal = async (request) => {
    const answer = await send(request);
    left ||= answer.kind === 'answer' || mayHaveArrived(answer);
    return answer;
  };
  const told = (failure: Failed): Failed => (left ? failure : withPasswords(failure, 'unsent'));
  return { state, steps, resume: kept.resume, ask, told };
};

const withImages = { images: true };

/** The half that is done now, or that cannot be continued here. */
const halfOf = (campus: Campus, state: StudentState, needs: NeedsPerson): HalfSignIn | Failed => {
  const told = personNeeded(campus, state, needs, withImages);
  return told.failure.half ?? told;
};

const isFailed = (value: { readonly kind: string }): value is Failed => value.kind === 'failed';

export const resumeSend = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  half: HalfDone,
  choice: { readonly target: number | null; readonly renew: boolean },
): Promise<StepSent | Failed> => {
  const opened = open(campus, bounds, signal, half);
  if ('kind' in opened) return opened;
  const { state, steps, ask } = opened;
  const sent = await steps.send(ask, opened.resume, choice);
  switch (sent.kind) {
    case 'needs-person': {
      const next = halfOf(campus, state, sent);
      return isFailed(next) ? next : { kind: 'image', half: next };
    }
    case 'sent': {
      const jar = state.jars.export(campus.addresses.base('vpn').origin);
      return { ...sent, resume: JSON.stringify({ resume: sent.resume, jar }) };
    }
    case 'failed':
      return opened.told(sent);
    default:
      return sent;
  }
};

/** The session is complete: the unified login comes next, as in any other sign-in. */
const goOn = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { userid, pair, state, session }: { userid: string; pair: PasswordPair; state: StudentState; session: string },
): Promise<{ readonly kind: 'whole'; readonly state: StudentState } | Failed> => {
  state.portalSession = session;
  state.portalLogin.accepted(campus.clock.now());
  state.isDear = true;
  const outcome = await signIn(campus, bounds, signal, {
    userid,
    state,
    portal: false,
    application: campus.addresses.provingApplication,
    pair: () => Promise.resolve(pair),
    onlyVerify: true,
  });
  return outcome.kind === 'failed' ? outcome : { kind: 'whole', state };
};

export type Resumed =
  | { readonly kind: 'whole'; readonly state: StudentState }
  | Exclude<StepAnswered, { kind: 'proven' }>;

const answered = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { userid, pair, state }: { userid: string; pair: PasswordPair; state: StudentState },
  outcome: Exclude<PortalAnswered, Failed>,
): Promise<Resumed | Failed> => {
  switch (outcome.kind) {
    case 'logged-in':
      return goOn(campus, bounds, signal, { userid, pair, state, session: outcome.session });
    case 'next':
    case 'wrong': {
      const half = halfOf(campus, state, outcome.needs);
      if (isFailed(half)) return half;
      return { kind: outcome.kind === 'next' ? 'next' : 'misread', half };
    }
    case 'wrong-code':
      return { kind: 'wrong' };
    case 'expired':
    case 'gone':
      return { kind: outcome.kind };
  }
};

export const resumeAnswer = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  half: HalfDone & { readonly pair: PasswordPair },
  { code, isLast }: StepAnswer,
): Promise<Resumed | Failed> => {
  const opened = open(campus, bounds, signal, half);
  if ('kind' in opened) return opened;
  const { userid, pair } = half;
  const { state, steps, ask } = opened;
  const who = { userid, password: pair.vpnPassword, isLast };
  const outcome = await steps.answer(ask, opened.resume, code, who);
  if (isFailed(outcome)) return opened.told(outcome);
  return answered(campus, bounds, signal, { userid, pair, state }, outcome);
};

export const resumeLook = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  half: HalfDone & { readonly pair: PasswordPair },
): Promise<Resumed | Failed> => {
  const opened = open(campus, bounds, signal, half);
  if ('kind' in opened) return opened;
  const { userid, pair } = half;
  const { state, steps, ask } = opened;
  const look = await steps.look(ask, opened.resume);
  if (look === null) return signInFailed('portal', 'nobody can tell whether the session is whole');
  if (look === 'half') return { kind: 'wrong' };
  return answered(campus, bounds, signal, { userid, pair, state }, look);
};
