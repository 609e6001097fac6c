import type { DemoWiring } from '../../src/demo/types.ts';

/** The environment in which the service talks to that campus. */
export const wiringEnv = (wiring: DemoWiring): Record<string, string> => ({
  CAMPUS_VPN_URL: wiring.vpnUrl,
  CAMPUS_VPN_DOMAIN: wiring.vpnDomain,
  CAMPUS_CAS_URL: wiring.casUrl,
  CAMPUS_JWC_URL: wiring.jwcUrl,
  CAMPUS_JWC_SERVICE: wiring.jwcService,
  CAMPUS_AAC_URL: wiring.aacUrl,
  CAMPUS_AAC_SERVICE: wiring.aacService,
  CAMPUS_LDJLB_URL: wiring.ldjlbUrl,
  CAMPUS_LDJLB_SERVICE: wiring.ldjlbService,
  CAMPUS_ISIM_URL: wiring.isimUrl,
  CAMPUS_COMPETITION_URL: wiring.competitionUrl,
  ...(wiring.cardUrl === undefined ? {} : { CAMPUS_CARD_URL: wiring.cardUrl }),
});
