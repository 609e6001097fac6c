import { aac } from './aac/index.ts';
import { card } from './card/index.ts';
import { competition } from './competition/index.ts';
import { direct } from './direct/index.ts';
import type { Drivers } from './driver.ts';
import { isim } from './isim/index.ts';
import { jwc } from './jwc/index.ts';
import { lakeside } from './lakeside/index.ts';
import { ldjlb } from './ldjlb/index.ts';

import { sslVpn } from './portal/index.ts';
import { cas, plainCas } from './unified-login/index.ts';

/** Every product that we speak with. */
export const drivers: Drivers = {
  'ssl-vpn': sslVpn,
  direct,
  cas,
  'cas-plain': plainCas,
  jwc,
  aac,
  ldjlb,
  isim,
  competition,
  card,
  lakeside,
};
