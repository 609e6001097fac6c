import { Type } from '@sinclair/typebox';
import { address, domain, type PortalDriver } from '../driver.ts';
import { createSslVpn } from './ssl-vpn.ts';

const options = Type.Object({ url: address, domain });

/** The SSL VPN that shows every inner host under a name of its own domain. */
export const sslVpn: PortalDriver<typeof options> = {
  kind: 'portal',
  options,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  create: ({ url, domain: vpnDomain }, log) => createSslVpn({ vpnUrl: url, vpnDomain: vpnDomain.toLowerCase() }, log),
};
