import type { Addresses } from '../addresses.ts';
import type { Upstream } from '../upstreams.ts';

/**
 * Recognising dead sessions. The campus never says 401; it redirects or shows another page. Every rule lives here, in
 * the order in which it must be tried, and nowhere else.
 */

type RedirectVerdict =
  | { readonly kind: 'portal-expired' }
  /** `service` is what the application itself asked the unified login for, verbatim, when it said so. */
  | { readonly kind: 'application-expired'; readonly service: string | null }
  | { readonly kind: 'follow'; readonly target: URL }
  | { readonly kind: 'astray'; readonly reason: 'no-location' | 'leaves-campus' };

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Judges a redirect before it is followed. */
export const judgeRedirect = (
  addresses: Addresses,
  upstream: Upstream,
  from: URL,
  location: string | undefined,
): RedirectVerdict => {
  if (location === undefined || location === '') return { kind: 'astray', reason: 'no-location' };
  const row = addresses.row(upstream);
  const target = addresses.resolve(location, from);
  if (addresses.isPortalLogin(location, target)) return { kind: 'portal-expired' };
  if (!target) return { kind: 'astray', reason: 'no-location' };
  if (row.endsAtLogin && addresses.isUnifiedLogin(target)) {
    return { kind: 'application-expired', service: target.searchParams.get('service') };
  }
  if (row.deadPath?.test(target.pathname) && target.origin === addresses.base(upstream).origin) {
    return { kind: 'application-expired', service: null };
  }
  if (row.redirects === 'none') return { kind: 'application-expired', service: null };
  if (!addresses.isConfigured(target)) return { kind: 'astray', reason: 'leaves-campus' };
  return { kind: 'follow', target };
};

type PageVerdict =
  | 'alive'
  | 'portal-expired'
  | 'login-page'
  /** HTML where JSON was due, without any known marker. */
  | 'html-for-json'
  /** A page without its own marker and without any marker of expiry. */
  | 'unmarked-page'
  | 'empty';

/**
 * Judges a 200 answer by its text; the content type is not looked at, because some JSON is served as HTML. Markers are
 * never searched in JSON: a text field could hold them. A page that shows its own positive marker is alive,
 * no matter what it mentions.
 */
export const judgePage = (
  addresses: Addresses,
  upstream: Upstream,
  text: string,
  expect: { readonly kind: 'json' } | { readonly kind: 'page'; readonly alive: (text: string) => boolean },
): PageVerdict => {
  // A byte order mark counts as white space.
  const trimmed = text.trimStart();
  if (trimmed === '') return 'empty';
  if (expect.kind === 'json' && !trimmed.startsWith('<')) return 'alive';
  if (expect.kind === 'page' && expect.alive(text)) return 'alive';
  if (addresses.portal.isLoginPage(text)) return 'portal-expired';
  if (addresses.login.isLoginPage(text) || addresses.row(upstream).showsLogin(text)) return 'login-page';
  return expect.kind === 'json' ? 'html-for-json' : 'unmarked-page';
};
