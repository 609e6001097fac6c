import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DearFunction, MeterReply, MeterRequest } from './meter.ts';

/** The last core is for what is measured, one at a time, where the system can keep a process on a core. */
const core = String(availableParallelism() - 1);
const canPin = core !== '0' && spawnSync('taskset', ['-c', core, 'true']).status === 0;
const pinned = canPin ? { execPath: 'taskset', execArgv: ['-c', core, process.execPath, ...process.execArgv] } : {};

/** How servers are run, for the figures' readers. */
export const placeOfServers = canPin ? `servers on core ${core}` : 'servers on any core';

/** A server in a separate process. */
export class MeasuredProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** @param file says its address when it listens, and calls `addMeter` */
  static async start(file: string, env: Readonly<Record<string, string>> = {}): Promise<MeasuredProcess> {
    const child = fork(join(import.meta.dirname, file), {
      env: { ...process.env, ...env },
      ...pinned,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [url] = await once(child, 'message');
    return new MeasuredProcess(child, String(url));
  }

  async #ask(request: MeterRequest): Promise<MeterReply> {
    this.#child.send(request);
    const [{ reply }] = await once(this.#child, 'message');
    return reply;
  }

  /** Has the server itself do something: one order at a time. Resolves with what it replies. */
  async order(order: object): Promise<unknown> {
    this.#child.send(order);
    const [{ reply }] = await once(this.#child, 'message');
    return reply;
  }

  /** Microseconds since its start. */
  async processorTime(): Promise<number> {
    return Number(await this.#ask('processor time'));
  }

  /** Resident, in bytes. */
  async memory(): Promise<number> {
    return Number(await this.#ask('memory'));
  }

  /** Resident, in bytes, without what only waits to be collected. */
  async settledMemory(): Promise<number> {
    return Number(await this.#ask('settled memory'));
  }

  /** The functions that took most of its processor time during `work`. */
  async profile(work: () => Promise<unknown>): Promise<readonly DearFunction[]> {
    await this.#ask('start profile');
    await work();
    const found = await this.#ask('stop profile');
    return typeof found === 'object' && found !== null ? found : [];
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
