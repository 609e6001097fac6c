import type { DemoFault } from '../../src/demo/types.ts';

export const academicsDown = '教务系统暂不可用，请稍后重试';
const signInDown = '校园网络暂不可用，请稍后重试';
const remoteError = [502, 'REMOTE_SERVICE_ERROR'] as const;

/** What a read answers: its message on surface A (one of these), status and code on surface B. */
export interface Expected {
  readonly a: readonly string[];
  readonly b: readonly [status: number, code: string];
}

export type Misbehaviour = [name: string, fault: DemoFault, expected: Expected];

/** Every way in which a system of the campus can answer nothing that is data. `down` is what surface A calls it then. */
export const misbehaviours = (down: string): Misbehaviour[] => {
  const unavailable: Expected = { a: [down], b: remoteError };
  /** The renewal after the first bad answer meets the same answer. */
  const signIn: Expected = { a: [signInDown], b: remoteError };
  /** A strange page where a page was due is no sign of expiry; where data was due, one renewal is tried. */
  const either: Expected = { a: [down, signInDown], b: remoteError };
  const tooLate: Expected = { a: [down], b: [504, 'TIMEOUT'] };
  return [
    ['resets the connection', { kind: 'reset' }, unavailable],
    ['answers 500', { kind: 'status', status: 500 }, unavailable],
    ['answers 503', { kind: 'status', status: 503 }, unavailable],
    ['answers 403', { kind: 'status', status: 403 }, unavailable],
    ['answers nothing', { kind: 'empty' }, unavailable],
    ['answers with an unrelated page', { kind: 'html' }, either],
    ['goes on redirecting to the login', { kind: 'login-redirect' }, signIn],
    ['goes on showing the login page', { kind: 'login-page' }, signIn],
    ['goes on showing the portal', { kind: 'portal-redirect' }, unavailable],
    ['answers something malformed', { kind: 'malformed' }, unavailable],
    ['breaks off half-way', { kind: 'cut' }, unavailable],
    ['sends 20 MB', { kind: 'huge', bytes: 20 * 1024 * 1024 }, unavailable],
    ['redirects in a circle', { kind: 'redirect-loop' }, unavailable],
    ['redirects to another host', { kind: 'redirect-away' }, unavailable],
    ['redirects to nowhere', { kind: 'redirect-nowhere' }, unavailable],
    ['never answers', { kind: 'hang' }, tooLate],
    ['drips', { kind: 'drip', bytesPerTick: 1, tickMs: 50 }, tooLate],
  ];
};
