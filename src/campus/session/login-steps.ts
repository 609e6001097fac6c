import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import { Failure, type SignInStep } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import type { Addresses } from '../addresses.ts';
import type { LoginCall, NeedsPerson } from '../portal/portal.ts';
import { type Failed, failed, signInFailed } from '../sign-in-failures.ts';
import type { CampusRequests } from './campus-requests.ts';
import { type ServiceTicket, ServiceTickets } from './service-ticket.ts';
import { StudentState } from './student-state.ts';

/** The state of a sign-in that waits for a person, as text for any process. */
const packed = (addresses: Addresses, state: StudentState, resume: string): string =>
  JSON.stringify({
    resume,
    session: state.portalSession,
    portal: addresses.portalOrigin === null ? null : state.jars.export(addresses.portalOrigin),
    login: state.jars.export(addresses.base('unified-login').origin),
  });

/** The same state, and how its login continues; null: it cannot be read. */
export const unpacked = (
  addresses: Addresses,
  text: string,
): { readonly state: StudentState; readonly resume: string } | null => {
  const half: unknown = JSON.parse(text);
  if (!isRecord(half) || typeof half.resume !== 'string') return null;
  const state = new StudentState(addresses);
  if (typeof half.portal === 'string' && addresses.portalOrigin !== null) {
    state.jars.import(addresses.portalOrigin, half.portal);
  }
  if (typeof half.login === 'string') state.jars.import(addresses.base('unified-login').origin, half.login);
  if (typeof half.session === 'string') state.portalSession = half.session;
  return { state, resume: half.resume };
};

export const unknownResume = (step: SignInStep): Failed => signInFailed(step, 'resume of another kind');

/** The steps of the two logins, portal and unified login, that a person takes. */
export class LoginSteps {
  readonly #requests: CampusRequests;

  constructor(requests: CampusRequests) {
    this.#requests = requests;
  }

  /** Requests to the portal itself. */
  portalCall(onSend?: (method: 'GET' | 'POST') => void): LoginCall {
    const requests = this.#requests;
    const { addresses, clock } = requests.campus;
    return {
      now: clock.now(),
      ask({ method, path, form, session, image }) {
        onSend?.(method);
        const url = addresses.url('portal', path);
        const write = method === 'POST';
        return requests.sendAndCount('portal', { method, url, form, image, write, portalSession: session });
      },
      saw: (page, isKnown) => requests.countPage('portal', page, isKnown),
    };
  }

  /** Asks for a code, or for an image, at the login that waits for the person. */
  async send(step: SignInStep, resume: string, target: number | null): Promise<NeedsPerson | Failed> {
    if (step === 'unified-login') return new ServiceTickets(this.#requests).send(resume);
    const portal = this.#requests.campus.addresses.portal.resume;
    return portal === undefined ? unknownResume(step) : portal.send(this.portalCall(), resume, target);
  }

  /** Sends the person's answer. A ticket comes from the unified login; the portal's session goes into the state. */
  async answer(
    { step, resume }: Pick<HalfSignIn, 'step' | 'resume'>,
    text: string,
    userid: string,
    { password, vpnPassword }: PasswordPair,
  ): Promise<ServiceTicket | { readonly kind: 'signed-in' } | Failed> {
    const { state, campus } = this.#requests;
    if (step === 'unified-login') {
      const answered = await new ServiceTickets(this.#requests).answer(resume, text, { userid, password });
      return answered.kind === 'needs-person' ? this.needed(step, answered, true) : answered;
    }
    const portal = campus.addresses.portal.resume;
    if (portal === undefined) return unknownResume(step);
    const answered = await portal.answer(this.portalCall(), resume, text, { userid, password: vpnPassword });
    if (answered.kind === 'needs-person') return this.needed(step, answered, true);
    if (answered.kind === 'signed-in') state.portalSession = answered.session;
    return answered;
  }

  /**
   * The failure of a sign-in that waits for a person, with how it continues where one is there. Without one, a password
   * that met the demand for an image met the guard.
   */
  needed(step: SignInStep, { asked, resume, last, password }: NeedsPerson, isThere: boolean): Failed {
    const { campus, state } = this.#requests;
    const isGuarded = password === 'guarded';
    if (isGuarded && !isThere) return failed(new Failure('sign-in-guarded', { step, reason: 'captcha' }));
    const half: HalfSignIn | undefined =
      !isThere || resume === '' || asked.kind === 'elsewhere'
        ? undefined
        : { step, asked, resume: packed(campus.addresses, state, resume), last, guarded: isGuarded };
    const wanted = asked.kind === 'elsewhere' ? asked.hint : asked.kind;
    const passwords = password === 'unsent' && step === 'portal' ? 'unsent' : undefined;
    return failed(new Failure('person-needed', { step, wanted, half, passwords }));
  }
}
