import { vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { FaultWorld, stillGateway, stopTime, turn } from '../faults/world.ts';
import type { Gateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { CampusTraffic } from './campus-traffic.ts';

/** Turns of the event loop in which nothing happens at the campus before time is moved. */
const QUIET_TURNS = 24;
const LONGEST_STEP_MS = 1_000;
const LONGEST_IDLE_STEP_MS = 4_000;

/** A numbered place in time for each case, so that none depends on how long the one before took. */
const SLOT_MS = 700_000;
const MORNING = Date.UTC(2026, 2, 18, 0, 0, 0);

/** The same numbers in every run. */
const seeded = (): (() => number) => {
  let state = 20260318;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
};

/**
 * A gateway and its campus in lock step: the campus answers nothing until everything that is on its way to it has
 * arrived, and time moves only while nobody has anything else to do. So what happens, and in which order, is the same
 * in every run.
 */
export class GoldenWorld extends FaultWorld {
  readonly traffic: CampusTraffic;
  #slots = 0;

  private constructor(gateway: Gateway, clock: ManualClock) {
    super(gateway, clock);
    this.traffic = new CampusTraffic(gateway.demo.wiring, () => clock.now());
  }

  static async open(): Promise<GoldenWorld> {
    const clock = new ManualClock(MORNING);
    // The campus waits one moment of the clock before each answer, so that answers can be held back.
    const demo = await startDemoCampus({ clock, latencyMs: 1, portalKeyPem: TEST_KEY_PEM });
    demo.switches.portalIdleSeconds = 10_000_000;
    const gateway = await stillGateway({ clock, demo, silent: true });
    stopTime();
    vi.spyOn(Math, 'random').mockImplementation(seeded());
    return new GoldenWorld(gateway, clock);
  }

  /** Moves to the next place in time: pauses, breakers and what is kept for a while are over. */
  async nextSlot(): Promise<void> {
    this.#slots = Math.max(this.#slots + 1, Math.ceil((this.clock.now() - MORNING) / SLOT_MS));
    await this.within(0);
    this.forgetSteps();
  }

  /** Moves on within the place in time, exactly that far from its beginning. */
  async within(ms: number): Promise<void> {
    // Background work must not be cut off by the leap: limits of requests run on this clock too.
    await this.drain();
    this.clock.advance(Math.max(0, MORNING + this.#slots * SLOT_MS + ms - this.clock.now()));
  }

  override async timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
    const startedAt = this.clock.now();
    let settled = false;
    const end = () => {
      settled = true;
    };
    work.then(end, end);
    await this.#lockStep(() => settled);
    return { result: await work, ms: this.clock.now() - startedAt };
  }

  /** Lets that much time pass, with whatever goes on by itself meanwhile. */
  async idle(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await this.#lockStep(() => this.clock.now() >= end, QUIET_TURNS, LONGEST_IDLE_STEP_MS);
  }

  /** Until what is on its way at the campus is answered. */
  override async drain(): Promise<void> {
    await this.#lockStep(() => this.traffic.active === 0, QUIET_TURNS);
  }

  /** @param rest turns of quiet that have to go before the end counts */
  async #lockStep(isOver: () => boolean, rest = 0, longest = LONGEST_STEP_MS): Promise<void> {
    let [events, bytes, quiet, step] = [-1, -1, 0, 1];
    while (!isOver() || quiet < rest) {
      await turn();
      quiet += 1;
      if (this.traffic.events !== events) step = 1;
      if (this.traffic.events !== events || this.traffic.bytes !== bytes) quiet = 0;
      ({ events, bytes } = this.traffic);
      if (quiet < QUIET_TURNS || isOver()) continue;
      this.pass(step);
      step = Math.min(step * 2, longest);
      quiet = 0;
    }
  }

  override async close(): Promise<void> {
    this.traffic.close();
    await super.close();
    await this.gateway.demo.close();
  }
}
