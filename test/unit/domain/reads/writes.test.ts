import { describe, expect, it } from 'vitest';
import { type CallContext, silentLog } from '../../../../src/domain/context.ts';
import { type FailureKind, failureOf, failures } from '../../../../src/domain/errors.ts';
import type { MarkStore } from '../../../../src/domain/reads/ports.ts';
import { Writes } from '../../../../src/domain/reads/writes.ts';
import { Deadline } from '../../../../src/lib/time.ts';
import { failureKinds } from '../../../support/failure-kinds.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { calmMarks } from '../../../support/test-reads.ts';

const clock = new ManualClock();
const student = { userid: '2023000001' };
const context = (log = silentLog): CallContext => ({
  traceId: '0'.repeat(32),
  signal: new AbortController().signal,
  deadline: new Deadline(30_000),
  log,
  address: '',
});

/** Writes whose steps are told in order, and the times that were announced. */
const writing = (more: Partial<MarkStore> = {}) => {
  const steps: string[] = [];
  const marks: MarkStore = {
    ...calmMarks,
    announceWrite: async (_userid, application, mark) => {
      const marked = mark(0);
      // The deadline runs by the machine, which may be busy.
      const rest = marked.until - clock.now();
      steps.push(`announced ${application} for ${rest > 20_000 && rest <= 30_000 ? 'the rest of its call' : rest}`);
      return { count: 1, ...marked };
    },
    endWrite: async (_userid, application) => void steps.push(`ended ${application}`),
    ...more,
  };
  const send = async (): Promise<string> => {
    steps.push('sent');
    return 'done';
  };
  return { steps, send, writes: new Writes({ marks, clock }) };
};

describe('a write', () => {
  it('is marked for the rest of its call before it is sent, and the mark ends with it', async () => {
    const { steps, send, writes } = writing();
    expect(await writes.during(student, 'labor-club', context(), send)).toBe('done');
    expect(steps).toEqual(['announced labor-club for the rest of its call', 'sent', 'ended labor-club']);
  });

  it('is not sent when its mark cannot be stored', async () => {
    const { steps, send, writes } = writing({
      announceWrite: async () => {
        throw failures.storageFailed();
      },
    });
    await expect(writes.during(student, 'academics', context(), send)).rejects.toMatchObject({
      kind: 'storage-failed',
    });
    expect(steps).toEqual([]);
  });

  it('is not sent for a student who is gone', async () => {
    const { steps, send, writes } = writing({ announceWrite: async () => null });
    await expect(writes.during(student, 'academics', context(), send)).rejects.toMatchObject({
      kind: 'token-user-gone',
    });
    expect(steps).toEqual([]);
  });

  it('keeps its result when the end of its mark cannot be stored, and the log says so', async () => {
    const told: string[] = [];
    const log = { ...silentLog, warn: (_fields: unknown, message: string) => void told.push(message) };
    const { send, writes } = writing({
      endWrite: async () => {
        throw failures.storageFailed();
      },
    });
    expect(await writes.during(student, 'electricity', context(log), send)).toBe('done');
    expect(told).toEqual(['end of a write not stored']);
  });

  it('keeps its mark when its result does not tell its outcome', async () => {
    const { steps, send, writes } = writing();
    await writes.during(student, 'academics', context(), send, (result) => result !== 'done');
    expect(steps).toEqual(['announced academics for the rest of its call', 'sent']);
  });

  const ending: readonly FailureKind[] = [
    'sign-in-guarded',
    'person-needed',
    'sign-in-unavailable',
    'stored-credentials-refused',
    'stored-credentials-unreadable',
    'ticket-unavailable',
    'token-user-gone',
    'upstream-refused',
    'upstream-unavailable',
    'session-lost',
    'overloaded',
    'rate-limited',
  ];

  it('ends its mark after a failure only where nothing can have been done', async () => {
    const ended: FailureKind[] = [];
    for (const kind of failureKinds) {
      const { steps, writes } = writing();
      const send = async () => {
        throw failureOf(kind);
      };
      await writes.during(student, 'labor-club', context(), send).catch(() => {});
      if (steps.includes('ended labor-club')) ended.push(kind);
    }
    expect(ended.toSorted()).toEqual(ending.toSorted());
  });

  it('keeps its mark after a defect of ours', async () => {
    const { steps, writes } = writing();
    const send = async () => {
      throw new Error('defect');
    };
    await expect(writes.during(student, 'labor-club', context(), send)).rejects.toThrow('defect');
    expect(steps).not.toContain('ended labor-club');
  });
});
