import type { DemoFault } from '../../src/demo/types.ts';

export const jsonAnswer = (body: unknown): DemoFault => ({
  kind: 'body',
  type: 'application/json',
  body: JSON.stringify(body),
});

export const remoteError = [502, 'REMOTE_SERVICE_ERROR'] as const;
export const nullResponse = [502, 'NULL_RESPONSE'] as const;
export const tooLate = [504, 'TIMEOUT'] as const;

/** What spoils the walk on which an application hands out its ticket. */
export const spoiltWalks: ReadonlyArray<[name: string, fault: DemoFault]> = [
  ['shows no redirect', { kind: 'html' }],
  ['redirects to nowhere', { kind: 'redirect-nowhere' }],
  ['redirects to another host', { kind: 'redirect-away' }],
  ['redirects in a circle', { kind: 'redirect-loop' }],
  ['answers 500', { kind: 'status', status: 500 }],
];
