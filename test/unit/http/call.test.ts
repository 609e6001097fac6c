import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../../../src/domain/context.ts';
import { noDirectives } from '../../../src/domain/context.ts';
import { asFailure, failures } from '../../../src/domain/errors.ts';
import { NotedReads } from '../../../src/domain/reads/call-reads.ts';
import { failureOfError, runCall } from '../../../src/http/call/call.ts';
import { Call } from '../../../src/http/call/call-context.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const apps: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

interface Running {
  readonly begun: Promise<CallContext>;
  readonly end: AbortController;
  readonly clock: ManualClock;
  /** The value of the call, or the kind of its failure. */
  readonly outcome: Promise<unknown>;
}

/** One call of a listening route whose time ends when the test says so. */
const start = (
  writes: boolean,
  work: (context: CallContext) => Promise<string>,
  reads = new NotedReads(noDirectives),
): Running => {
  const app = fastify();
  apps.push(app);
  const clock = new ManualClock();
  const end = new AbortController();
  const begun = Promise.withResolvers<CallContext>();
  app.decorateRequest('call');
  app.addHook('onRequest', async (request, reply) => {
    const call = new Call(request, reply, '127.0.0.1', 60_000);
    request.call = call;
    const interrupt = () => call.interrupt(asFailure(end.signal.reason));
    if (end.signal.aborted) interrupt();
    else end.signal.addEventListener('abort', interrupt, { once: true });
  });
  app.get('/', async (request) => {
    try {
      const { call } = request;
      call.reads = reads;
      const begin = () => {
        begun.resolve(call);
        return work(call);
      };
      return await runCall(call, { clock, writes }, begin, (text) => text);
    } catch (error) {
      return failureOfError(asFailure(error)).kind;
    }
  });
  return { begun: begun.promise, end, clock, outcome: app.inject('/').then((answer) => answer.body) };
};

const never = () => new Promise<string>(() => {});

describe('the work of a call', () => {
  it('is not begun for a client that has left', async () => {
    let begun = false;
    const call = start(false, async () => {
      begun = true;
      return 'done';
    });
    call.end.abort(failures.clientGone());
    expect(await call.outcome).toBe('client-gone');
    expect(begun).toBe(false);
  });

  describe('whose reads may be answered with a stale copy', () => {
    const withStaleCopy = () => {
      const reads = new NotedReads(noDirectives);
      reads.allowStaleIfError();
      return reads;
    };
    const copy = Promise.withResolvers<string>();
    const late = Promise.withResolvers<string>();

    it('is the copy when its time is over', async () => {
      const call = start(false, () => copy.promise, withStaleCopy());
      await call.begun;
      call.end.abort(failures.timedOut());
      copy.resolve('copy');
      expect(await call.outcome).toBe('copy');
      expect(call.clock.waiting).toBe(0);
    });

    it('has timed out when the copy is not there within 250 ms', async () => {
      const call = start(false, () => late.promise, withStaleCopy());
      await call.begun;
      call.end.abort(failures.timedOut());
      while (call.clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      call.clock.advance(250);
      expect(await call.outcome).toBe('timed-out');
      late.resolve('copy');
    });

    it('has timed out when there is no copy, also where the search for one fails', async () => {
      const call = start(
        false,
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(failures.storageFailed()));
          }),
        withStaleCopy(),
      );
      await call.begun;
      call.end.abort(failures.timedOut());
      expect(await call.outcome).toBe('timed-out');
    });

    it('is over with its caller, who is not there to read a copy', async () => {
      const call = start(false, never, withStaleCopy());
      await call.begun;
      call.end.abort(failures.clientGone());
      expect(await call.outcome).toBe('client-gone');
      expect(call.clock.waiting).toBe(0);
    });
  });

  it('of an interrupted write is told as the write tells it', async () => {
    const report = Promise.withResolvers<string>();
    const call = start(true, () => report.promise);
    await call.begun;
    call.end.abort(failures.timedOut());
    report.reject(failures.upstreamRefused(undefined));
    expect(await call.outcome).toBe('upstream-refused');
    expect(call.clock.waiting).toBe(0);
  });

  it('of an interrupted write that stays silent has an unknown outcome, by the clock of the service', async () => {
    const call = start(true, never);
    await call.begun;
    call.end.abort(failures.timedOut());
    while (call.clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    call.clock.advance(249);
    await new Promise((resolve) => setImmediate(resolve));
    expect(call.clock.waiting).toBe(1);
    call.clock.advance(1);
    expect(await call.outcome).toBe('outcome-unknown');
  });
});
