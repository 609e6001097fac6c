import type { DemoFault } from '../../src/demo/types.ts';

export const jsonAnswer = (body: unknown): DemoFault => ({
  kind: 'body',
  type: 'application/json',
  body: JSON.stringify(body),
});

export const remoteError = [502, 'REMOTE_SERVICE_ERROR'] as const;
export const nullResponse = [502, 'NULL_RESPONSE'] as const;
export const tooLate = [504, 'TIMEOUT'] as const;

/** What spoils any read of a ticket application, with the answer of the surface that has error codes. */
export const spoiltReads: ReadonlyArray<[name: string, fault: DemoFault, expected: readonly [number, string]]> = [
  ['answers text for data', jsonAnswer({ code: 0, msg: '', data: 'text' }), remoteError],
  ['answers a list for an answer', jsonAnswer([]), remoteError],
  ['answers nothing', { kind: 'empty' }, remoteError],
  ['answers with an unrelated page', { kind: 'html' }, remoteError],
  ['answers something malformed', { kind: 'malformed' }, remoteError],
  ['answers half of it', { kind: 'truncated' }, remoteError],
  ['breaks off half-way', { kind: 'cut' }, remoteError],
  ['resets the connection', { kind: 'reset' }, remoteError],
  ['answers 401', { kind: 'status', status: 401 }, remoteError],
  ['answers 403', { kind: 'status', status: 403 }, remoteError],
  ['answers 404', { kind: 'status', status: 404 }, remoteError],
  ['answers 500', { kind: 'status', status: 500 }, remoteError],
  ['answers 503', { kind: 'status', status: 503 }, remoteError],
  ['sends 20 MB', { kind: 'huge', bytes: 20 * 1024 * 1024 }, remoteError],
  ['goes on redirecting to the login', { kind: 'login-redirect' }, remoteError],
  ['goes on showing the login page', { kind: 'login-page' }, remoteError],
  ['goes on redirecting to the portal', { kind: 'portal-redirect' }, remoteError],
  ['goes on showing the portal', { kind: 'portal-page', marker: 'svpn_name' }, remoteError],
  ['redirects in a circle', { kind: 'redirect-loop' }, remoteError],
  ['redirects to another host', { kind: 'redirect-away' }, remoteError],
  ['redirects to nowhere', { kind: 'redirect-nowhere' }, remoteError],
];

/** Answers that do not come, or not in time. */
export const lateAnswers: ReadonlyArray<[name: string, fault: DemoFault]> = [
  ['never answers', { kind: 'hang' }],
  ['drips', { kind: 'drip', bytesPerTick: 1, tickMs: 400 }],
];

/** What spoils the walk on which an application hands out its ticket. */
export const spoiltWalks: ReadonlyArray<[name: string, fault: DemoFault]> = [
  ['shows no redirect', { kind: 'html' }],
  ['redirects to nowhere', { kind: 'redirect-nowhere' }],
  ['redirects to another host', { kind: 'redirect-away' }],
  ['redirects in a circle', { kind: 'redirect-loop' }],
  ['answers 500', { kind: 'status', status: 500 }],
];
