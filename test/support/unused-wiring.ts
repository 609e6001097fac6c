/** Addresses of a campus that nobody asks. */
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
