import { Type } from '@sinclair/typebox';
import type { PortalDriver } from '../../contract/driver.ts';

/** For a campus without a portal: its systems are open to the network, so there is no portal password. */
export const direct: PortalDriver = {
  kind: 'portal',
  options: Type.Object({}),
  challenges: [],
  create: () => ({
    sealedAs: 'direct',
    signIn: () => Promise.resolve({ kind: 'signed-in' }),
    longestPassword: () => Number.POSITIVE_INFINITY,
    cookie: () => '',
    ownsCookie: () => false,
    isLoginRedirect: () => false,
    isLoginPage: () => false,
    mapAddress: () => [],
  }),
};
