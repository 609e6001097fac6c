import type { DemoFault } from '../../src/demo/types.ts';

export const jsonAnswer = (body: unknown): DemoFault => ({
  kind: 'body',
  type: 'application/json',
  body: JSON.stringify(body),
});

export const remoteError = [502, 'REMOTE_SERVICE_ERROR'] as const;
export const nullResponse = [502, 'NULL_RESPONSE'] as const;
export const tooLate = [504, 'TIMEOUT'] as const;

/** What spoils any read of a ticket application beside what the fault matrix tries on all of them (`test/faults`). */
export const spoiltReads: ReadonlyArray<[name: string, fault: DemoFault, expected: readonly [number, string]]> = [
  ['answers text for data', jsonAnswer({ code: 0, msg: '', data: 'text' }), remoteError],
  ['answers a list for an answer', jsonAnswer([]), remoteError],
  ['answers half of it', { kind: 'truncated' }, remoteError],
  ['answers 401', { kind: 'status', status: 401 }, remoteError],
  ['answers 404', { kind: 'status', status: 404 }, remoteError],
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
