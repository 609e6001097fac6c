import { vi } from 'vitest';

/** `vi.waitFor` and `vi.waitUntil` give up after a second; a process that starts on a busy machine needs longer. */
const patient =
  <Wait extends typeof vi.waitFor | typeof vi.waitUntil>(wait: Wait) =>
  (done: never, options?: number | { timeout?: number; interval?: number }) =>
    wait(done, { timeout: 20_000, ...(typeof options === 'number' ? { timeout: options } : options) });

/** Set once per process, however many files share it. */
const set = Symbol.for('campus.patient-waits');
if (!(set in vi)) {
  Object.assign(vi, { [set]: true, waitFor: patient(vi.waitFor), waitUntil: patient(vi.waitUntil) });
}
