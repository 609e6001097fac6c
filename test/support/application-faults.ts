import type { DemoFault } from '../../src/demo/types.ts';

export const jsonAnswer = (body: unknown): DemoFault => ({
  kind: 'body',
  type: 'application/json',
  body: JSON.stringify(body),
});

export const remoteError = [502, 'REMOTE_SERVICE_ERROR'] as const;
export const nullResponse = [502, 'NULL_RESPONSE'] as const;
export const tooLate = [504, 'TIMEOUT'] as const;
