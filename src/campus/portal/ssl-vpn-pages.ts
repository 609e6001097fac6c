import { between } from '../parsing/text.ts';

/** What the portal hands out before it wants the password. */
export interface PortalChallenge {
  readonly kind: 'challenge';
  readonly session: string;
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
  const session = sessionId(text);
  const modulusHex = element(text, 'RSA_ENCRYPT_KEY');
  if (session === '' || modulusHex === '') return null;
  return {
    kind: 'challenge',
    session,
    modulusHex,
    exponent: element(text, 'RSA_ENCRYPT_EXP') || '65537',
    code: element(text, 'CSRF_RAND_CODE'),
  };
};

type PortalAnswer =
  | { readonly kind: 'accepted'; readonly session: string | null }
  | { readonly kind: 'guarded' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'second-factor' }
  | { readonly kind: 'unknown' };

/** The guard is looked for before the refusal, so that a right password is never called wrong. */
export const parsePortalAnswer = (text: string): PortalAnswer => {
  if (text.includes('<Result>1</Result>')) return { kind: 'accepted', session: sessionId(text) || null };
  if (text.includes('[CDATA[maybe attacked]]') || text.includes('CAPTCHA required')) return { kind: 'guarded' };
  if (text.includes('Invalid username or password!')) return { kind: 'refused' };
  // Login forbidden for now, or a second factor wanted: nothing that another password would change.
  if (text.includes('<Result>2</Result>')) return { kind: 'second-factor' };
  if (text.includes('not allow to login now')) return { kind: 'guarded' };
  return { kind: 'unknown' };
};

const HEAD_LENGTH = 512;

/** The marks by which the portal's pages are told from those of the applications behind it. */
export const isPortalPage = (text: string): boolean => {
  if (text.includes('<title>302 Found</title>') || text.includes('Sangine')) return true;
  if (text.includes('<html>') && text.includes('302 Found')) return true;
  if (text.includes('class="sangfor-main"')) return true;
  const trimmed = text.trimStart().replace(/^\uFEFF/, '');
  if (/^(?:<!DOCTYPE|<html)/i.test(trimmed)) {
    const head = trimmed.slice(0, HEAD_LENGTH);
    if (head.includes('login_auth.csp') || head.includes('TWFID') || head.includes('svpn_name')) return true;
  }
  if (text.includes('var g_lines = []') || text.includes('selectline_timeout')) return true;
  return text.length < 10_000 && text.includes('<script>') && text.includes('Your browser does not support JavaScript');
};
