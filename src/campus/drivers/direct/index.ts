import { Type } from '@sinclair/typebox';
import type { PortalDriver } from '../../driver.ts';

/** No portal: the systems are open to the network, and there is no portal password. */
export const direct: PortalDriver = {
  kind: 'portal',
  options: Type.Object({}),
  challenges: [],
  create: () => ({
    sealedAs: 'direct',
    signIn: () => Promise.resolve({ kind: 'signed-in', session: '' }),
    longestPassword: () => Number.POSITIVE_INFINITY,
    cookie: () => '',
    ownsCookie: () => false,
    isLoginRedirect: () => false,
    isLoginPage: () => false,
    mapped: () => [],
  }),
};
