import { SslVpn } from '../../src/campus/drivers/ssl-vpn/index.ts';
import type { CampusWiring } from '../../src/campus/manifest.ts';
import type { Portal } from '../../src/campus/portal/portal.ts';
import type { DemoPortal, PortalState } from '../../src/demo/campus-state.ts';
import { createDemoFormPortal, createFormPortal } from './form-portal.ts';

/** A portal in two halves, ours and that of the demo campus, and what its login looks like on the wire. */
export interface PortalKind {
  readonly name: string;
  readonly cookie: string;
  /** Before the credentials. */
  readonly challenge: { readonly method: 'GET'; readonly path: string };
  readonly credentials: { readonly method: 'POST'; readonly path: string };
  readonly create: (wiring: CampusWiring) => Portal;
  /** Missing: the portal that the demo campus has by itself. */
  readonly createDemo?: (state: PortalState) => DemoPortal;
}

export const sslVpn: PortalKind = {
  name: 'SSL VPN',
  cookie: 'TWFID',
  challenge: { method: 'GET', path: '/por/login_auth.csp' },
  credentials: { method: 'POST', path: '/por/login_psw.csp' },
  create: ({ vpnUrl, vpnDomain }) => new SslVpn({ url: vpnUrl, domain: vpnDomain }),
};

const form: PortalKind = {
  name: 'login form',
  cookie: 'GATE',
  challenge: { method: 'GET', path: '/login' },
  credentials: { method: 'POST', path: '/login' },
  create: createFormPortal,
  createDemo: createDemoFormPortal,
};

/** The session suites run behind each of them: nothing but its own folder may depend on the kind of portal. */
export const portalKinds: readonly PortalKind[] = [sslVpn, form];

/** The two requests of a login, as `wire` shows them. */
export const loginOf = ({ challenge, credentials }: PortalKind): [string, string] => [
  `vpn ${challenge.method} ${challenge.path}`,
  `vpn ${credentials.method} ${credentials.path}`,
];
