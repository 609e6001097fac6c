import { Failure } from '../../domain/errors.ts';
import type { HttpAnswer } from '../http.ts';
import { repeatBeforeCredentials } from '../sign-in-failures.ts';
import type { CampusWiring } from '../wiring.ts';
import { encryptForPortal, PortalKeyError } from './password-cipher.ts';
import type { AskPortal, Portal } from './portal.ts';
import { isPortalPage, type PortalChallenge, parseChallenge, parsePortalAnswer } from './ssl-vpn-pages.ts';

const STEP = 'portal' as const;
const COOKIE = 'TWFID';
/** Mapped hosts listen here, all but a few that are exposed at the usual port. */
const MAPPED_PORT = '8118';

const readChallenge = (ask: AskPortal, signal: AbortSignal): Promise<PortalChallenge> =>
  repeatBeforeCredentials(signal, async () => {
    const answer = await ask({ method: 'GET', path: '/por/login_auth.csp?apiversion=1', session: null });
    const challenge = answer.status === 200 ? parseChallenge(answer.text) : null;
    if (!challenge) throw new Failure('sign-in-unavailable', { step: STEP, reason: 'malformed' });
    return challenge;
  });

const encrypt = (password: string, challenge: PortalChallenge): string => {
  try {
    return encryptForPortal(password, challenge.code, challenge);
  } catch (error) {
    if (!(error instanceof PortalKeyError)) throw error;
    throw new Failure('sign-in-unavailable', { step: STEP, reason: error.message });
  }
};

const outcome = (answer: HttpAnswer, challenge: PortalChallenge): string => {
  const parsed = answer.status === 200 ? parsePortalAnswer(answer.text) : ({ kind: 'unknown' } as const);
  switch (parsed.kind) {
    case 'accepted':
      return parsed.session ?? challenge.session;
    case 'refused':
      throw new Failure('credentials-refused', { step: STEP });
    case 'guarded':
    case 'second-factor':
      throw new Failure('sign-in-guarded', { step: STEP, reason: parsed.kind });
    case 'unknown':
      throw new Failure('sign-in-unavailable', { step: STEP, reason: 'unknown answer' });
  }
};

const logIn: Portal['logIn'] = async (ask, signal, userid, password) => {
  const challenge = await readChallenge(ask, signal);
  const form = [
    ['svpn_rand_code', ''],
    ['mitm', ''],
    ['svpn_req_randcode', challenge.code],
    ['svpn_name', userid],
    ['svpn_password', encrypt(password, challenge)],
  ] as const;
  const path = '/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs';
  return outcome(await ask({ method: 'POST', path, form, session: challenge.session }), challenge);
};

/**
 * The portal asks for a login by a redirect to its own origin, or to its bare host or domain on an origin that no
 * setting names. The bare host alone proves nothing, because every upstream may listen on one host.
 */
const leadsToPortal = (base: URL, domain: string, target: URL | null, configured: boolean): boolean => {
  if (target === null) return false;
  if (target.origin === base.origin) return true;
  return !configured && (target.hostname === base.hostname || target.hostname === domain);
};

/** The raw header of the portal's own redirect; URL parsers drop the default port, so the text is searched. */
const namesPortal = (base: URL, location: string): boolean => {
  if (!location.includes('redirect_uri=')) return false;
  const host = base.hostname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`${host}:443(?!\\d)`).test(location);
};

/** `a.b.c` → `a-b-c.<domain>:8118` (`-s` for https); also without the port, as the electricity host. */
const mapped = (domain: string, inner: URL): string[] => {
  if (inner.port !== '' || !/^https?:$/.test(inner.protocol)) return [];
  const label = inner.hostname.replaceAll('.', '-') + (inner.protocol === 'https:' ? '-s' : '');
  return [`:${MAPPED_PORT}`, ''].flatMap((port) => URL.parse(`http://${label}.${domain}${port}`)?.origin ?? []);
};

/** The SSL-VPN portal: challenge and encrypted password, a session id that every mapped host wants as a cookie. */
export const createSslVpn = ({ vpnUrl, vpnDomain }: Pick<CampusWiring, 'vpnUrl' | 'vpnDomain'>): Portal => {
  const base = new URL(vpnUrl);
  return {
    sealedAs: 'twfid',
    logIn,
    cookie: (session) => `${COOKIE}=${session}`,
    ownsCookie: (line) => /^\s*TWFID\s*=/i.test(line),
    isLoginRedirect: (location, target, configured) =>
      namesPortal(base, location) || leadsToPortal(base, vpnDomain, target, configured),
    isLoginPage: isPortalPage,
    mapped: (inner) => mapped(vpnDomain, inner),
  };
};
