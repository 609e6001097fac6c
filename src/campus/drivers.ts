import { aac } from './aac/index.ts';
import { card } from './card/index.ts';
import { competition } from './competition/index.ts';
import type { Drivers } from './driver.ts';
import { cas, plainCas } from './drivers/cas/index.ts';
import { direct } from './drivers/direct/index.ts';
import { sslVpn } from './drivers/ssl-vpn/index.ts';
import { isim } from './isim/index.ts';
import { jwc } from './jwc/index.ts';
import { lakeside } from './lakeside/index.ts';
import { ldjlb } from './ldjlb/index.ts';

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
