import type { Manifest, ManifestPart } from './campus/manifest.ts';
import { customManifest } from './config/campus.ts';
import type { Config } from './config/config.ts';
import { demoName } from './config/demo.ts';
import { letNightFall, startDemoCampus, wantChallenge } from './demo/demo-campus.ts';
import { type LakesideCampus, startLakeside } from './demo/lakeside/campus.ts';
import type { DemoCampus, DemoMessage } from './demo/types.ts';
import type { Clock } from './lib/clock.ts';

/** Often enough to wait for, with `DEMO_EVENTS`. */
const DEMO_MARK_MINUTES = 3;

interface OpenCampus {
  readonly manifest: Manifest;
  /** The simulator behind the service; null when another campus is served. */
  readonly demo: DemoCampus | null;
  readonly lakeside: LakesideCampus | null;
  /** Ends what was started here. */
  close(): Promise<void>;
}

/** The same campus, whose hosts are somewhere else at the moment; what its systems call themselves stays. */
const located = (manifest: Manifest, origins: Readonly<Record<string, string>>): Manifest => {
  const there = ({ driver, options }: ManifestPart): ManifestPart => {
    const url = new URL(String(options.url));
    return { driver, options: { ...options, url: `${origins[url.origin] ?? url.origin}${url.pathname}` } };
  };
  return { ...manifest, login: there(manifest.login), applications: manifest.applications.map(there) };
};

/** The campus of the configuration, with its simulator where it is a demo campus. */
export const openCampus = async (
  { campus, demoNight, demoEvents, demoChallenge }: Config,
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
  const none = { demo: given ?? null, lakeside: null, close: async () => {} };
  if (campus.kind === 'wired') return { ...none, manifest: campus.manifest };
  if (campus.manifest !== null) {
    const lakeside = await startLakeside({ clock });
    return { ...none, manifest: located(campus.manifest, lakeside.origins), lakeside, close: () => lakeside.close() };
  }
  const demo = given ?? (await startDemoCampus({ clock, onMessage: onDemoMessage }));
  if (demo !== given) {
    if (demoNight) letNightFall(demo);
    if (demoEvents) demo.switches.markEveryMinutes = DEMO_MARK_MINUTES;
    wantChallenge(demo, demoChallenge);
  }
  // It has the systems of any campus that is described by addresses, at addresses of the moment.
  const { timeZone, scan } = campus;
  const manifest = customManifest(demo.wiring, { id: 'demo', name: demoName, timeZone, scan });
  return { ...none, manifest, demo, close: async () => (demo === given ? undefined : demo.close()) };
};
