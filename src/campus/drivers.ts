import type { Drivers } from './contract/driver.ts';
import { aac } from './products/aac/index.ts';
import { authserver } from './products/authserver/index.ts';
import { card } from './products/card/index.ts';
import { cas, croypto, plainCas } from './products/cas/index.ts';
import { competition } from './products/competition/index.ts';
import { direct } from './products/direct/index.ts';
import { eams5 } from './products/eams5/index.ts';
import { emap } from './products/emap/index.ts';
import { isim } from './products/isim/index.ts';
import { jwglxt } from './products/jwglxt/index.ts';
import { lakeside } from './products/lakeside/index.ts';
import { ldjlb } from './products/ldjlb/index.ts';
import { sslVpn } from './products/ssl-vpn/index.ts';
import { jwc } from './products/urp/index.ts';

/** Every product that we speak with. */
export const drivers: Drivers = {
  'ssl-vpn': sslVpn,
  direct,
  cas,
  'cas-plain': plainCas,
  'cas-croypto': croypto,
  authserver,
  jwc,
  aac,
  ldjlb,
  isim,
  competition,
  card,
  lakeside,
  eams5,
  emap,
  jwglxt,
};
