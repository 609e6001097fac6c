import type { Clock } from '../lib/time.ts';
import { startShuwei } from './eams5/campus.ts';
import { startJinzhi } from './emap/campus.ts';
import { startHillside } from './hillside/campus.ts';
import { startZhengfang } from './jwglxt/campus.ts';
import { startLakeside } from './lakeside/campus.ts';
import { startSeaside } from './seaside/campus.ts';
import type { SimulatedCampus } from './simulated-campus.ts';
import type { DemoChallenge, DemoMessage } from './types.ts';

/** `challenge`: what its login wants beside the password, where it can. */
interface SimulatorParts {
  readonly clock: Clock;
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
  readonly challenge?: DemoChallenge | undefined;
}

/** The simulators of the manifests `demo-…`, by their names. */
export const simulators: Readonly<Record<string, (parts: SimulatorParts) => Promise<SimulatedCampus>>> = {
  'demo-lakeside': startLakeside,
  'demo-shuwei': startShuwei,
  'demo-jinzhi': startJinzhi,
  'demo-seaside': startSeaside,
  'demo-hillside': startHillside,
  'demo-zhengfang': startZhengfang,
};
