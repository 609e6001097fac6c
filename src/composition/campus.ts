import type { Manifest, ManifestPart } from '../campus/contract/manifest.ts';
import { customManifest } from '../config/campus.ts';
import type { Config } from '../config/config.ts';
import { demoName } from '../config/demo.ts';
import { simulators } from '../demo/campuses.ts';
import { demoWiringAt, letNightFall, startDemoCampus, wantChallenge } from '../demo/demo-campus.ts';
import type { SimulatedCampus } from '../demo/simulated-campus.ts';
import type { DemoCampus, DemoMessage, DemoOptions, DemoWiring } from '../demo/types.ts';
import { type Clock, campusDate, DAY_MS, dayNumber, movedClock, systemClock } from '../lib/time.ts';

/** For `DEMO_EVENTS`: short enough to wait for a mark. */
const DEMO_MARK_MINUTES = 3;

/** The clock of the machine, or one on the day that `DEMO_DATE` names. */
export const campusClockOf = ({ campus, demoDate }: Pick<Config, 'campus' | 'demoDate'>): Clock => {
  if (campus.kind !== 'demo' || demoDate === null) return systemClock;
  const today = dayNumber(campusDate(systemClock.now(), campus.timeZone));
  const wanted = dayNumber(demoDate);
  return today === null || wanted === null ? systemClock : movedClock(systemClock, (wanted - today) * DAY_MS);
};

interface OpenCampus {
  readonly manifest: Manifest;
  /** Null: another campus is served. */
  readonly demo: DemoCampus | null;
  /** The simulator of a manifest `demo-…`. */
  readonly simulated: SimulatedCampus | null;
  close(): Promise<void>;
}

/** Moves the hosts of the campus to other addresses. Its systems still call themselves by their own names. */
const locate = (manifest: Manifest, origins: Readonly<Record<string, string>>): Manifest => {
  const there = ({ driver, options }: ManifestPart): ManifestPart => {
    // What a system calls itself at the login is no address of ours.
    const moved = Object.entries(options).map(([name, value]) => {
      const url = name === 'service' ? null : URL.parse(String(value));
      const origin = url === null ? undefined : origins[url.origin];
      return [name, url === null || origin === undefined ? value : `${origin}${url.pathname}`];
    });
    return { driver, options: Object.fromEntries(moved) };
  };
  return {
    ...manifest,
    login: manifest.login && there(manifest.login),
    applications: manifest.applications.map(there),
  };
};

export const startConfiguredDemo = async (
  { demoNight, demoEvents, demoChallenge }: Pick<Config, 'demoNight' | 'demoEvents' | 'demoChallenge'>,
  options: DemoOptions,
): Promise<DemoCampus> => {
  const demo = await startDemoCampus(options);
  if (demoNight) letNightFall(demo);
  if (demoEvents) demo.switches.markEveryMinutes = DEMO_MARK_MINUTES;
  wantChallenge(demo, demoChallenge);
  return demo;
};

/** Opens the configured campus, and starts its simulator where it is a demo. */
export const openCampus = async (
  { campus, demoHost, demoNight, demoEvents, demoChallenge }: Config,
  {
    clock,
    demo: given,
    onDemoMessage,
  }: {
    readonly clock: Clock;
    readonly demo?: DemoCampus | undefined;
    readonly onDemoMessage?: ((message: DemoMessage) => void) | undefined;
  },
): Promise<OpenCampus> => {
  const none = { demo: given ?? null, simulated: null, close: async () => {} };
  if (campus.kind === 'wired') return { ...none, manifest: campus.manifest };
  if (campus.manifest !== null) {
    const parts = { clock, onMessage: onDemoMessage, challenge: demoChallenge };
    const simulated = await simulators[campus.manifest.id]?.(parts);
    if (simulated === undefined) throw new Error(`${campus.manifest.id} has no simulator`);
    return {
      ...none,
      manifest: locate(campus.manifest, simulated.origins),
      simulated,
      close: () => simulated.close(),
    };
  }
  // The demo campus has the systems of any campus, at ports chosen now.
  const { timeZone, scan } = campus;
  const at = (wiring: DemoWiring) => customManifest(wiring, { id: 'demo', name: demoName, timeZone, scan });
  if (demoHost !== null && given === undefined) return { ...none, manifest: at(demoWiringAt(demoHost)) };
  const options = { clock, onMessage: onDemoMessage };
  const demo = given ?? (await startConfiguredDemo({ demoNight, demoEvents, demoChallenge }, options));
  const manifest = at(demo.wiring);
  return { ...none, manifest, demo, close: async () => (demo === given ? undefined : demo.close()) };
};
