import type { Clock } from '../lib/time.ts';
import { startShuwei } from './eams5/campus.ts';
import { startLakeside } from './lakeside/campus.ts';
import type { SimulatedCampus } from './simulated-campus.ts';

/** The simulators of the manifests `demo-…`, by their names. */
export const simulators: Readonly<Record<string, (parts: { readonly clock: Clock }) => Promise<SimulatedCampus>>> = {
  'demo-lakeside': startLakeside,
  'demo-shuwei': startShuwei,
};
