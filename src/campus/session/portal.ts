import { Failure } from '../../domain/errors.ts';
import type { HttpAnswer } from '../http.ts';
import { between } from '../parsing/text.ts';
import { repeatBeforeCredentials, signInFailure } from './sign-in-failures.ts';
import { encryptForPortal, PortalKeyError } from './sign-on-crypto.ts';
import type { Traveller, Wire } from './wire.ts';

/** What the portal hands out before it wants the password. */
export interface PortalChallenge {
  readonly twfid: string;
  readonly modulusHex: string;
  readonly exponent: string;
  /** Single use; empty when the portal sent none. */
  readonly code: string;
}

const element = (text: string, name: string): string => between(text, `<${name}>`, `</${name}>`)?.trim() ?? '';

/** The session id goes into a cookie header: anything but a plain word is no session id. */
const sessionId = (text: string): string => {
  const found = element(text, 'TwfID');
  return /^[A-Za-z0-9_-]{1,128}$/.test(found) ? found : '';
};

/** Null when the session id or the key is missing. A missing exponent means 65537, a missing code a bare password. */
export const parseChallenge = (text: string): PortalChallenge | null => {
  const twfid = sessionId(text);
  const modulusHex = element(text, 'RSA_ENCRYPT_KEY');
  if (twfid === '' || modulusHex === '') return null;
  return {
    twfid,
    modulusHex,
    exponent: element(text, 'RSA_ENCRYPT_EXP') || '65537',
    code: element(text, 'CSRF_RAND_CODE'),
  };
};

export type PortalAnswer =
  | { readonly kind: 'accepted'; readonly twfid: string | null }
  | { readonly kind: 'guarded' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'second-factor' }
  | { readonly kind: 'unknown' };

/** The guard is looked for before the refusal, so that a right password is never called wrong. */
export const parsePortalAnswer = (text: string): PortalAnswer => {
  if (text.includes('<Result>1</Result>')) return { kind: 'accepted', twfid: sessionId(text) || null };
  if (text.includes('[CDATA[maybe attacked]]') || text.includes('CAPTCHA required')) return { kind: 'guarded' };
  if (text.includes('Invalid username or password!')) return { kind: 'refused' };
  // Login forbidden for now, or a second factor wanted: nothing the student's password could mend.
  if (text.includes('<Result>2</Result>')) return { kind: 'second-factor' };
  if (text.includes('not allow to login now')) return { kind: 'guarded' };
  return { kind: 'unknown' };
};

const STEP = 'portal' as const;

const readChallenge = (wire: Wire, traveller: Traveller): Promise<PortalChallenge> =>
  repeatBeforeCredentials(traveller.signal, async () => {
    const url = wire.places.url('vpn', '/por/login_auth.csp?apiversion=1');
    const answer = await wire.send('vpn', { ...traveller, twfid: null }, { method: 'GET', url });
    const challenge = answer.status === 200 ? parseChallenge(answer.text) : null;
    if (!challenge) throw new Failure('sign-in-unavailable', { step: STEP, reason: 'malformed' });
    return challenge;
  });

const encrypt = (vpnPassword: string, challenge: PortalChallenge): string => {
  try {
    return encryptForPortal(vpnPassword, challenge.code, challenge);
  } catch (error) {
    if (!(error instanceof PortalKeyError)) throw error;
    throw new Failure('sign-in-unavailable', { step: STEP, reason: error.message });
  }
};

const outcome = (answer: HttpAnswer, challenge: PortalChallenge): string => {
  const parsed = answer.status === 200 ? parsePortalAnswer(answer.text) : ({ kind: 'unknown' } as const);
  switch (parsed.kind) {
    case 'accepted':
      return parsed.twfid ?? challenge.twfid;
    case 'refused':
      throw new Failure('credentials-refused', { step: STEP });
    case 'guarded':
    case 'second-factor':
      throw new Failure('sign-in-guarded', { step: STEP, reason: parsed.kind });
    case 'unknown':
      throw new Failure('sign-in-unavailable', { step: STEP, reason: 'unknown answer' });
  }
};

/**
 * Logs in at the portal: challenge (up to three tries on network failures), then the credentials exactly once.
 * @returns the TWFID of the new portal session
 * @throws Failure `credentials-refused`, `sign-in-guarded`, `sign-in-unavailable`, `timed-out` (all step `portal`)
 */
export const logInAtPortal = async (
  wire: Wire,
  traveller: Traveller,
  userid: string,
  vpnPassword: string,
): Promise<string> => {
  try {
    traveller.jars.clear(wire.places.bases.vpn.origin);
    const challenge = await readChallenge(wire, traveller);
    const url = wire.places.url('vpn', '/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs');
    const form = [
      ['svpn_rand_code', ''],
      ['mitm', ''],
      ['svpn_req_randcode', challenge.code],
      ['svpn_name', userid],
      ['svpn_password', encrypt(vpnPassword, challenge)],
    ] as const;
    const answer = await wire.send('vpn', { ...traveller, twfid: challenge.twfid }, { method: 'POST', url, form });
    return outcome(answer, challenge);
  } catch (error) {
    if (traveller.signal.aborted && error === traveller.signal.reason) throw error;
    throw signInFailure(STEP, error);
  }
};
