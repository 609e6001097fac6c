import { Type } from '@sinclair/typebox';
import type { Log } from '../../../domain/context.ts';
import { address, domain, type PortalDriver } from '../../driver.ts';
import type { Portal } from '../../portal/portal.ts';
import { isPortalPage } from './pages.ts';
import { SslVpnSignIn } from './sign-in.ts';

const COOKIE = 'TWFID';
/** Mapped hosts listen here, all but a few that are exposed at the usual port. */
const MAPPED_PORT = '8118';

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
  const login = new SslVpnSignIn((oddity) =>
    log?.info({ oddity }, 'the portal answered a login with a number that was not seen before'),
  );
  return {
    sealedAs: 'twfid',
    signIn: (call, credentials) => login.signIn(call, credentials),
    resume: login,
    longestPassword: () => login.longestPassword,
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
