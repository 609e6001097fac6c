import type { Place, Places } from './places.ts';

/**
 * Recognising dead sessions. The campus never says 401; it redirects or shows another page. Every rule lives here, in
 * the order in which it must be tried, and nowhere else.
 */

export type RedirectVerdict =
  | { readonly kind: 'portal-expired' }
  /** `service` is what the application itself asked the unified login for, verbatim, when it said so. */
  | { readonly kind: 'service-expired'; readonly service: string | null }
  | { readonly kind: 'follow'; readonly target: URL }
  | { readonly kind: 'astray'; readonly reason: 'no-location' | 'leaves-campus' };

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Judges a redirect before anybody follows it. */
export const judgeRedirect = (
  places: Places,
  place: Place,
  from: URL,
  location: string | undefined,
): RedirectVerdict => {
  if (location === undefined || location === '') return { kind: 'astray', reason: 'no-location' };
  if (places.isPortalRedirect(location)) return { kind: 'portal-expired' };
  const target = places.resolve(location, from);
  if (!target) return { kind: 'astray', reason: 'no-location' };
  if (places.isPortal(target)) return { kind: 'portal-expired' };
  if (place !== 'cas' && places.isUnifiedLogin(target)) {
    return { kind: 'service-expired', service: target.searchParams.get('service') };
  }
  if (place === 'jwc' && target.origin === places.bases.jwc.origin && /\/login|gotoLogin/.test(target.pathname)) {
    return { kind: 'service-expired', service: null };
  }
  // The electricity site has no other redirect than the one that opens a session, which its sign-on reads itself.
  if (place === 'isim') return { kind: 'service-expired', service: null };
  if (!places.isConfigured(target)) return { kind: 'astray', reason: 'leaves-campus' };
  return { kind: 'follow', target };
};

export type PageVerdict =
  | 'alive'
  | 'portal-expired'
  | 'login-page'
  /** HTML where JSON was due, without any known marker. */
  | 'html-for-json'
  /** A page without its own marker and without any marker of expiry. */
  | 'strange-page'
  | 'empty';

const HEAD_LENGTH = 512;

const isHtml = (trimmed: string): boolean => trimmed.startsWith('<');

const hasPortalMarker = (text: string, trimmed: string): boolean => {
  if (text.includes('<title>302 Found</title>') || text.includes('Sangine')) return true;
  if (text.includes('<html>') && text.includes('302 Found')) return true;
  if (text.includes('class="sangfor-main"')) return true;
  if (/^(?:<!DOCTYPE|<html)/i.test(trimmed)) {
    const head = trimmed.slice(0, HEAD_LENGTH);
    if (head.includes('login_auth.csp') || head.includes('TWFID') || head.includes('svpn_name')) return true;
  }
  if (text.includes('var g_lines = []') || text.includes('selectline_timeout')) return true;
  return text.length < 10_000 && text.includes('<script>') && text.includes('Your browser does not support JavaScript');
};

const isLoginPage = (place: Place, text: string): boolean => {
  if (text.includes('name="lt"') && text.includes('name="execution"')) return true;
  if (place === 'jwc') return text.includes('j_spring_security_check');
  if (place === 'competition') {
    return text.includes('用户登录') || (text.includes('login') && text.includes('password'));
  }
  return false;
};

/**
 * Judges a 200 answer by its text; the content type is not looked at, because some JSON is served as HTML. Markers are
 * never searched in JSON: a text field could hold them. A page that shows its own positive marker is alive,
 * whatever else it mentions.
 */
export const judgePage = (
  place: Place,
  text: string,
  expect: { readonly kind: 'json' } | { readonly kind: 'page'; readonly alive: (text: string) => boolean },
): PageVerdict => {
  const trimmed = text.trimStart().replace(/^\uFEFF/, '');
  if (trimmed === '') return 'empty';
  if (expect.kind === 'json' && !isHtml(trimmed)) return 'alive';
  if (expect.kind === 'page' && expect.alive(text)) return 'alive';
  if (hasPortalMarker(text, trimmed)) return 'portal-expired';
  if (isLoginPage(place, text)) return 'login-page';
  return expect.kind === 'json' ? 'html-for-json' : 'strange-page';
};
