import type { CampusWiring } from '../../src/campus/contract/manifest.ts';

/** Addresses of a campus that is never asked. */
export const unusedWiring = {
  vpnUrl: 'http://127.0.0.1:4001',
  vpnDomain: '127.0.0.1',
  casUrl: 'http://127.0.0.1:4002/cas',
  jwcUrl: 'http://127.0.0.1:4003',
  jwcService: 'http://jwc.campus.example/j_spring_cas_security_check',
  aacUrl: 'http://127.0.0.1:4004',
  aacService: 'http://aac.campus.example/callback',
  ldjlbUrl: 'http://127.0.0.1:4005',
  ldjlbService: 'http://ldjlb.campus.example/callback',
  isimUrl: 'http://127.0.0.1:4006',
  competitionUrl: 'http://127.0.0.1:4007',
};

/** Systems behind a portal that maps their hosts. */
export const mappedWiring: CampusWiring = {
  vpnUrl: 'https://vpn.campus.example',
  vpnDomain: 'vpn.campus.example',
  casUrl: 'http://cas-campus-example.vpn.campus.example:8118/cas',
  jwcUrl: 'http://jwc-campus-example.vpn.campus.example:8118',
  jwcService: 'http://jwc.campus.example/j_spring_cas_security_check',
  aacUrl: 'http://api-club-example-s.vpn.campus.example:8118',
  aacService: 'http://api.inner.example/User/Index/CoreLoginCallback?isCASGateway=true',
  ldjlbUrl: 'http://labor-club-example.vpn.campus.example:8118',
  ldjlbService: 'http://labor.club.example/User/Index/CoreLoginCallback?isCASGateway=true',
  isimUrl: 'http://isim-campus-example.vpn.campus.example',
  competitionUrl: 'http://10-1-2-3.vpn.campus.example:8118',
};
