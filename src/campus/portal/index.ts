import { Type } from '@sinclair/typebox';
import type { Log } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { address, domain, type PortalDriver } from '../driver.ts';
import type { HttpAnswer } from '../http.ts';
import { type Failed, failed } from '../session/verdict.ts';
import { signInFailed, signInUnanswered, signInUnread } from '../sign-in-failures.ts';
import type { AskPortal, Portal, PortalLogin } from './portal.ts';
import { isPortalPage, oddities, type PortalChallenge, parsePortalAnswer } from './ssl-vpn-pages.ts';
import {
  anotherImage,
  captchaNeeded,
  createSteps,
  imageNeeded,
  lookAt,
  newChallenge,
  postCredentials,
  stepNeeded,
} from './ssl-vpn-steps.ts';

const STEP = 'portal' as const;
const COOKIE = 'TWFID';
/** Mapped hosts listen here, all but a few that are exposed at the usual port. */
const MAPPED_PORT = '8118';
/** Each is logged once. */
const MOST_ODDITIES = 64;

const refused = (kind: 'credentials-refused' | 'sign-in-guarded', reason: string): Failed =>
  failed(new Failure(kind, { step: STEP, reason }));

/** Where an answer does not tell, the session is checked once. */
const readLogin = async (
  ask: AskPortal,
  { status, text }: HttpAnswer,
  challenge: PortalChallenge,
  sighted: (oddity: string) => void,
): Promise<PortalLogin> => {
  if (status !== 200) return status >= 500 ? signInFailed(STEP, `status ${status}`) : signInUnread(STEP);
  for (const oddity of oddities(text)) sighted(oddity);
  const parsed = parsePortalAnswer(text);
  switch (parsed.kind) {
    case 'accepted':
      return { kind: 'logged-in', session: parsed.session ?? challenge.session };
    case 'refused':
      return refused('credentials-refused', 'refused');
    case 'guarded':
      return refused('sign-in-guarded', parsed.captcha ? CAPTCHA : 'guarded');
    case 'second-step':
      return stepNeeded(parsed.wanted, parsed.session ?? challenge.session);
    case 'looked-at': {
      const session = parsed.session ?? challenge.session;
      const whole = await lookAt(ask, session);
      if (whole) return { kind: 'logged-in', session };
      return whole === false && parsed.otherwise !== null ? stepNeeded(parsed.otherwise, session) : signInUnread(STEP);
    }
    case 'unknown':
      return signInUnread(STEP);
  }
};

/** Why the portal's guard stopped a password that an image would have let through. */
const CAPTCHA = 'captcha';

/** PKCS#1 v1.5 takes 11 bytes; the code goes with the password, behind a separator. */
const roomFor = ({ modulusHex, code }: PortalChallenge): number =>
  modulusHex.replace(/^(?:00)+/, '').length / 2 - 11 - (code === '' ? 0 : Buffer.byteLength(code) + 1);

const logIn = async (
  ask: AskPortal,
  {
    userid,
    password,
    showImages,
  }: { readonly userid: string; readonly password: string; readonly showImages: boolean },
  onChallenge: (challenge: PortalChallenge) => void,
  sighted: (oddity: string) => void,
): Promise<PortalLogin> => {
  const challenge = await newChallenge(ask);
  if (challenge.kind === 'failed') return challenge;
  onChallenge(challenge);
  if (challenge.captcha) return showImages ? imageNeeded(ask, challenge, 'unsent') : captchaNeeded;
  const answer = await postCredentials(ask, challenge, { userid, password, image: '' });
  if (answer.kind === 'failed') return answer;
  if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
  const login = await readLogin(ask, answer, challenge, sighted);
  const isGuarded = login.kind === 'failed' && login.failure.kind === 'sign-in-guarded';
  if (!(showImages && isGuarded && login.failure.reason === CAPTCHA)) return login;
  const needs = await anotherImage(ask, 'guarded');
  return needs.kind === 'failed' ? login : needs;
};

/**
 * The portal asks for a login by a redirect to its own origin, or to its bare host or domain on an origin that no
 * setting names. The bare host alone says nothing, because every upstream may listen on one host.
 */
const leadsToPortal = (base: URL, domain: string, target: URL | null, configured: boolean): boolean => {
  if (target === null) return false;
  if (target.origin === base.origin) return true;
  return !configured && (target.hostname === base.hostname || target.hostname === domain);
};

/** The raw header of the portal's own redirect; URL parsers drop the default port, so its text is searched. */
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

/** The SSL-VPN portal: challenge and encrypted password, a session id that every mapped host expects as a cookie. */
export const createSslVpn = (
  { vpnUrl, vpnDomain }: { readonly vpnUrl: string; readonly vpnDomain: string },
  log?: Pick<Log, 'info'>,
): Portal => {
  const base = new URL(vpnUrl);
  const seen = new Set<string>();
  const sighted = (oddity: string): void => {
    if (seen.has(oddity) || seen.size >= MOST_ODDITIES) return;
    seen.add(oddity);
    log?.info({ oddity }, 'the portal answered a login with a number that was not seen before');
  };
  /** Until a key was seen: the most we take. */
  let longestPassword = 256;
  return {
    sealedAs: 'twfid',
    logIn: (ask, userid, password, showImages = false) =>
      logIn(
        ask,
        { userid, password, showImages },
        (challenge) => {
          longestPassword = roomFor(challenge);
        },
        sighted,
      ),
    steps: createSteps((ask, answer, challenge) => readLogin(ask, answer, challenge, sighted)),
    longestPassword: () => longestPassword,
    cookie: (session) => `${COOKIE}=${session}`,
    ownsCookie: (line) => /^\s*TWFID\s*=/i.test(line),
    isLoginRedirect: (location, target, configured) =>
      namesPortal(base, location) || leadsToPortal(base, vpnDomain, target, configured),
    isLoginPage: isPortalPage,
    mapped: (inner) => mapped(vpnDomain, inner),
  };
};

const options = Type.Object({ url: address, domain });

/** The SSL VPN that shows every inner host under its own domain. */
export const sslVpn: PortalDriver<typeof options> = {
  kind: 'portal',
  options,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  create: ({ url, domain: vpnDomain }, log) => createSslVpn({ vpnUrl: url, vpnDomain: vpnDomain.toLowerCase() }, log),
};
