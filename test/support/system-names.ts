import type { DemoSystem } from '../../src/demo/types.ts';

/** The name under which logs, metrics and answers show a system of the demo campus. */
export const systemNames: Readonly<Record<DemoSystem, string>> = {
  vpn: 'portal',
  cas: 'unified-login',
  jwc: 'academics',
  aac: 'activity-score',
  ldjlb: 'labor-club',
  isim: 'electricity',
  competition: 'competitions',
  card: 'card',
};
