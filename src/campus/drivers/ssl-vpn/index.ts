import { Type } from '@sinclair/typebox';
import type { Log } from '../../../domain/context.ts';
import { address, domain, type PortalDriver } from '../../driver.ts';
import type { Credentials, LoginCall, Portal, PortalAnswer } from '../../portal/portal.ts';
import { isPortalPage } from './pages.ts';
import { SslVpnSignIn } from './sign-in.ts';

const COOKIE = 'TWFID';
/** Mapped hosts listen here, all but a few that are exposed at the usual port. */
const MAPPED_PORT = '8118';

/** The SSL-VPN portal: challenge and encrypted password, a session id that every mapped host expects as a cookie. */
export class SslVpn implements Portal {
  readonly sealedAs = 'twfid';
  readonly resume: SslVpnSignIn;
  readonly #base: URL;
  readonly #domain: string;

  constructor(options: { readonly url: string; readonly domain: string }, log?: Pick<Log, 'info'>) {
    this.#base = new URL(options.url);
    this.#domain = options.domain.toLowerCase();
    this.resume = new SslVpnSignIn((oddity) =>
      log?.info({ oddity }, 'the portal answered a login with a number that was not seen before'),
    );
  }

  signIn(call: LoginCall, credentials: Credentials): Promise<PortalAnswer> {
    return this.resume.signIn(call, credentials);
  }

  longestPassword(): number {
    return this.resume.longestPassword;
  }

  cookie(session: string): string {
    return `${COOKIE}=${session}`;
  }

  ownsCookie(line: string): boolean {
    return /^\s*TWFID\s*=/i.test(line);
  }

  isLoginRedirect(location: string, target: URL | null, configured: boolean): boolean {
    return this.#isNamedIn(location) || this.#isLedToBy(target, configured);
  }

  isLoginPage(text: string): boolean {
    return isPortalPage(text);
  }

  /** `a.b.c` → `a-b-c.<domain>:8118` (`-s` for https); also without the port, as the electricity host. */
  mapped({ protocol, hostname, port }: URL): string[] {
    if (port !== '' || !/^https?:$/.test(protocol)) return [];
    const label = hostname.replaceAll('.', '-') + (protocol === 'https:' ? '-s' : '');
    return [`:${MAPPED_PORT}`, ''].flatMap((at) => URL.parse(`http://${label}.${this.#domain}${at}`)?.origin ?? []);
  }

  /** In the raw header of the portal's own redirect; URL parsers drop the default port, so its text is searched. */
  #isNamedIn(location: string): boolean {
    if (!location.includes('redirect_uri=')) return false;
    const host = this.#base.hostname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`${host}:443(?!\\d)`).test(location);
  }

  /**
   * The portal asks for a login by a redirect to its own origin, or to its bare host or domain on an origin that no
   * setting names. The bare host alone says nothing, because every upstream may listen on one host.
   */
  #isLedToBy(target: URL | null, configured: boolean): boolean {
    if (target === null) return false;
    if (target.origin === this.#base.origin) return true;
    return !configured && (target.hostname === this.#base.hostname || target.hostname === this.#domain);
  }
}

const options = Type.Object({ url: address, domain });

/** The SSL VPN that shows every inner host under its own domain. */
export const sslVpn: PortalDriver<typeof options> = {
  kind: 'portal',
  options,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  create: (given, log) => new SslVpn(given, log),
};
