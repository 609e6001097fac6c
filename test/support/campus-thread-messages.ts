import type { DemoWiring } from '../../src/demo/types.ts';

export interface Student {
  readonly userid: string;
  readonly password: string;
  readonly vpnPassword: string;
}

export type Notice = { readonly kind: 'listening'; readonly wiring: DemoWiring } | { readonly kind: 'admitted' };

export const isNotice = (message: unknown): message is Notice =>
  typeof message === 'object' &&
  message !== null &&
  'kind' in message &&
  (message.kind === 'admitted' || message.kind === 'listening');
