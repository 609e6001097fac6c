import { beforeAll, describe, expect, it } from 'vitest';
import { simulators } from '../../src/demo/campuses.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { systemClock } from '../../src/lib/time.ts';
import { campusCommand } from '../support/campus-command.ts';
import { freePort } from '../support/nginx.ts';
import { needsProxy, startProxy } from '../support/outgoing-proxies.ts';
import { afterAllTests } from '../support/service-process.ts';

const atEnd = afterAllTests();
let demo: DemoCampus;
beforeAll(async () => {
  demo = await startDemoCampus({ clock: systemClock });
  atEnd(() => demo.close());
});

const told = async (line: string, env: Record<string, string> = {}) => {
  const { code, out, err } = await campusCommand(['doctor', '--detect', ...line.split(' ')], {
    CAMPUS: 'demo',
    ...env,
  });
  return { code, err, lines: out.split('\n').filter((each) => /^(?:sure|likely|unknown|through) /.test(each)), out };
};

describe('the simulators', () => {
  it('show the portal for sure, and the login of what stands behind it', async () => {
    const { vpnUrl, jwcUrl } = demo.wiring;
    demo.resetRequests();
    const portal = await told(`${vpnUrl}/por/login_auth.csp?apiversion=1`);
    expect(portal).toMatchObject({ code: 0, lines: ['sure     Sangfor SSL VPN (EasyConnect): driver ssl-vpn'] });
    expect(JSON.parse(portal.out.split('\n').find((line) => line.startsWith('{')) ?? '')).toMatchObject({
      portal: { driver: 'ssl-vpn', url: vpnUrl, domain: '127.0.0.1' },
    });
    expect(demo.requests().map(({ method }) => method)).toEqual(['GET']);
    demo.resetRequests();
    expect(await told(jwcUrl)).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('the login is at https://127.0.0.1'), expect.stringContaining('unknown')],
    });
    expect(demo.requests().map(({ method }) => method)).toEqual(Array.from({ length: 6 }, () => 'GET'));
  });

  it('show a login that may be of several kinds, and nothing at an academic system of no product', async () => {
    const campus = await simulators['demo-lakeside']?.({ clock: systemClock });
    atEnd(async () => campus?.close());
    const { 'http://login.lakeside.test': login, 'http://academics.lakeside.test': academics } = campus?.origins ?? {};
    expect(await told(`${login}/cas/login`)).toMatchObject({
      code: 0,
      lines: [expect.stringContaining('CAS without encryption: driver cas-plain')],
    });
    expect(await told(`${academics}`)).toMatchObject({ code: 1, lines: [expect.stringContaining('unknown')] });
  });

  it('show no product at what is none, nor at what stands behind a portal', async () => {
    const { casUrl, aacUrl, ldjlbUrl, isimUrl } = demo.wiring;
    for (const none of [casUrl, aacUrl, ldjlbUrl, isimUrl]) {
      demo.resetRequests();
      const { code, lines } = await told(none);
      expect([none, code, lines.at(-1)]).toEqual([none, 1, expect.stringContaining('unknown')]);
      expect(demo.requests().every(({ method }) => method === 'GET')).toBe(true);
    }
  });

  it.each([
    ['demo-shuwei', 'http://academics.shuwei.test', '/', '树维 EAMS 5: driver eams5', 'eams5', '/student'],
    [
      'demo-zhengfang',
      'http://academics.zhengfang.test',
      '/jwglxt',
      '正方 jwglxt, its own login: driver jwglxt',
      'jwglxt',
      '/jwglxt',
    ],
    ['demo-hillside', 'http://academics.hillside.test', '/', 'URP, its own login: driver jwc', 'jwc', ''],
    [
      'demo-jinzhi',
      'http://ehall.jinzhi.test',
      '/appShow?appId=4770397878132218',
      '金智 emap: driver emap',
      'emap',
      '',
    ],
    [
      'demo-jinzhi',
      'http://academics.jinzhi.test',
      '/jwapp/sys/wdkb/*default/index.do',
      '金智 emap: driver emap',
      'emap',
      '',
    ],
    [
      'demo-zhengfang',
      'http://academics.zhengfang.test',
      '/',
      '正方 jwglxt, its own login: driver jwglxt',
      'jwglxt',
      '/jwglxt',
    ],
    [
      'demo-seaside',
      'http://login.seaside.test',
      '/authserver/login?service=http%3A%2F%2Facademics.seaside.test%2Fj_spring_cas_security_check',
      '金智 authserver: driver authserver',
      'authserver',
      '/authserver',
    ],
  ])(
    'of %s shows its product for sure, with the address of its manifest',
    async (name, host, typed, what, driver, path) => {
      const campus = await simulators[name]?.({ clock: systemClock });
      atEnd(async () => campus?.close());
      const origin = campus?.origins[host];
      const { lines, out, code } = await told(`${origin}${typed}`);
      expect([code, lines]).toEqual([0, [`sure     ${what}`]]);
      const { login, applications } = JSON.parse(out.split('\n').find((line) => line.startsWith('{')) ?? '');
      expect(login ?? applications[0]).toEqual({ driver, url: `${origin}${path}` });
      expect(campus?.requests().every(({ method }) => method === 'GET')).toBe(true);
      expect(campus?.requests().length).toBeLessThanOrEqual(6);
    },
  );
});

it('tells the login of 金智 also where it leads to an emap, which is at another address', async () => {
  const campus = await simulators['demo-jinzhi']?.({ clock: systemClock });
  atEnd(async () => campus?.close());
  const { 'http://login.jinzhi.test': login, 'http://academics.jinzhi.test': academics } = campus?.origins ?? {};
  const service = encodeURIComponent(`${academics}/jwapp/sys/wdkb/*default/index.do`);
  const { code, lines, out } = await told(`${login}/authserver/login?service=${service}`);
  expect([code, lines]).toEqual([0, ['sure     金智 authserver: driver authserver']]);
  const draft = JSON.parse(out.split('\n').find((line) => line.startsWith('{')) ?? '');
  expect([draft.login, draft.applications]).toEqual([{ driver: 'authserver', url: `${login}/authserver` }, []]);
});

describe('a proxy', () => {
  it('is asked where one is named, by the line or by the settings, and never passed by', async (context) => {
    needsProxy('tinyproxy', context);
    const address = `${demo.wiring.vpnUrl}/por/login_auth.csp?apiversion=1`;
    const proxy = await startProxy('tinyproxy');
    const through = [`through  ${proxy}`, expect.stringContaining('ssl-vpn')];
    expect(await told(`${address} --proxy ${proxy}`)).toMatchObject({ code: 0, lines: through });
    expect(await told(address, { CAMPUS_PROXY: proxy })).toMatchObject({ code: 0, lines: through });
    demo.resetRequests();
    const gone = `http://127.0.0.1:${await freePort()}`;
    expect((await told(address, { CAMPUS_PROXY: gone })).out).toContain('not-sent, proxy');
    expect(demo.requests()).toEqual([]);
  });
});

it.each(['vpn.example.edu', 'http://user:pass-1@vpn.example.edu', 'http://vpn.example.edu --proxy ftp://x'])(
  '%s is a wrong command line, and asks nothing',
  async (line) => expect(await told(line)).toMatchObject({ code: 2, out: '' }),
);
