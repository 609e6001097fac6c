import { expect, it } from 'vitest';
import { type CallContext, noDirectives, withReads, withSignal } from '../../../src/domain/context.ts';
import { NotedReads } from '../../../src/domain/reads/call-reads.ts';
import { Deadline } from '../../../src/lib/time.ts';
import { recordingLog } from '../../support/campus-rig.ts';

/** As the platform makes them: what most calls never ask for is worked out on demand. */
class OnDemand implements CallContext {
  readonly traceId = 'trace';
  readonly address = '192.0.2.1';
  readonly bearer = 'token';
  readonly userAgent = 'CampusApp/2.3';
  readonly reads = new NotedReads(noDirectives);
  readonly #log = recordingLog();
  readonly #deadline = new Deadline(1_000);
  readonly #signal = new AbortController().signal;

  get log() {
    return this.#log;
  }

  get deadline() {
    return this.#deadline;
  }

  get signal() {
    return this.#signal;
  }
}

it('a call is handed on whole with another signal, also where members are worked out on demand', () => {
  const call = new OnDemand();
  const { signal } = new AbortController();
  const { traceId, address, bearer, userAgent, reads, log, deadline } = call;
  const handedOn = withSignal(call, signal);
  expect(handedOn).toMatchObject({ traceId, address, bearer, userAgent, reads, log, deadline, signal });
  expect(handedOn.log).toBe(log);
  expect(withReads(handedOn, new NotedReads(noDirectives)).signal).toBe(signal);
});

it('a spread copy of a call is none for the compiler', () => {
  const call: CallContext = new OnDemand();
  // @ts-expect-error: what is worked out on demand is missing in it
  const copy: CallContext = { ...call, signal: call.signal };
  expect(copy.log).toBeUndefined();
});
