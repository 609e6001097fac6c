import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src/campus/contract/manifest.ts';
import { manifestPath } from '../../../src/config/campus.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { findingLine, InvalidConfig } from '../../../src/config/finding.ts';
import { load, manifestOf, memoryFiles, problems, wiring } from './support.ts';

const written = {
  name: { zh: '湖畔大学', en: 'Lakeside University' },
  time_zone: 'Asia/Urumqi',
  portal: { driver: 'ssl-vpn', url: 'https://vpn.lake.edu', domain: 'vpn.lake.edu' },
  login: { driver: 'cas', url: 'http://cas.lake.edu/cas' },
  applications: [{ driver: 'jwc', url: 'http://jwc.lake.edu', service: 'http://jwc.lake.edu/in' }],
  notes: ['The winter break moves every year.'],
};

const filesWith = (content: unknown) => memoryFiles({ 'lake.json': JSON.stringify(content) }).files;
const env = { CAMPUS: 'lake.json' };

describe('a manifest', () => {
  it('is read from a path, or by its name from those that come with the service', () => {
    expect(manifestOf(env, filesWith(written))).toEqual({
      id: 'lake',
      name: written.name,
      timeZone: 'Asia/Urumqi',
      portal: { driver: 'ssl-vpn', options: { url: 'https://vpn.lake.edu', domain: 'vpn.lake.edu' } },
      login: { driver: 'cas', options: { url: 'http://cas.lake.edu/cas' } },
      applications: [{ driver: 'jwc', options: { url: 'http://jwc.lake.edu', service: 'http://jwc.lake.edu/in' } }],
      proxy: null,
      notes: written.notes,
    });
    expect(manifestPath('lakeside')).toMatch(/[/\\]src[/\\]campuses[/\\]lakeside\.json$/);
  });

  it('decides the time zone, and by its hosts that get passwords which database is its own', () => {
    const { campus, storage } = load(env, filesWith(written));
    expect(campus.timeZone).toBe('Asia/Urumqi');
    expect(campus.identity).toMatchObject({
      CAMPUS_VPN_URL: 'https://vpn.lake.edu',
      CAMPUS_CAS_URL: 'http://cas.lake.edu',
    });
    expect(storage).toEqual({ kind: 'sqlite', path: './data/campus.db' });
  });

  it('may do without a portal, without applications of its drivers’ choosing, and without notes', () => {
    const { portal: _, notes: __, ...open } = written;
    expect(manifestOf(env, filesWith(open))).toMatchObject({ portal: null, notes: [] });
  });

  it('names a proxy for all systems, which a setting moves, and whose password only a secret setting holds', () => {
    const proxied = filesWith({ ...written, proxy: 'http://127.0.0.1:1080' });
    const proxyOf = (more: Record<string, string> = {}, files = proxied) =>
      load({ ...env, ...more }, files).campus.proxy;
    expect(proxyOf()).toEqual({ url: 'http://127.0.0.1:1080', authorization: null });
    expect(proxyOf({ CAMPUS_PROXY: 'socks5://vpn-client:1080', CAMPUS_PROXY_AUTHORIZATION: 'vpn:pass-1' })).toEqual({
      url: 'socks5://vpn-client:1080',
      authorization: 'vpn:pass-1',
    });
    expect([proxyOf({}, filesWith(written)), load({ CAMPUS_PROXY: 'http://127.0.0.1:1' }).campus.proxy?.url]).toEqual([
      null,
      'http://127.0.0.1:1',
    ]);
    for (const wrong of ['http://vpn:pass-1@127.0.0.1:1080', 'ftp://127.0.0.1:1', 'socks5://127.0.0.1', 7]) {
      const files = filesWith({ ...written, proxy: wrong });
      expect(problems(env, files).map(findingLine).join()).toContain('proxy: is not an http:// or socks5:// address');
    }
  });

  it('is refused with all that is wrong, and with what its drivers say', () => {
    const wrong = {
      name: { zh: '湖畔大学' },
      time_zone: 'Lake/Side',
      portal: 'vpn',
      login: { url: 'http://cas' },
      applications: [{ driver: 'jwc' }, 7],
      notes: [''],
      secrets: 1,
    };
    // An unreadable part keeps its place, so that drivers speak of the right ones.
    const drivers = ({ login, applications }: Manifest) =>
      [login, ...applications].map((part, at) => `${at} is ${JSON.stringify(part?.driver)}`);
    expect(problems(env, filesWith(wrong), drivers).map(({ problem }) => problem)).toEqual([
      'lake.json: "secrets" is not one of name, time_zone, portal, login, applications, proxy, notes',
      'lake.json: name.en: is no text',
      'lake.json: time_zone: is not an IANA time zone such as Asia/Shanghai',
      'lake.json: portal: "vpn" names no driver',
      'lake.json: login: {"url":"http://cas"} names no driver',
      'lake.json: applications[1]: 7 names no driver',
      'lake.json: notes[0]: is no text',
      'lake.json: 0 is ""',
      'lake.json: 1 is "jwc"',
      'lake.json: 2 is ""',
    ]);
    const refusing = () => loadConfig({ ...env, PORT: 'x' }, filesWith(written), () => ['login.url is wrong']);
    expect(refusing).toThrow(InvalidConfig);
    try {
      refusing();
    } catch (error) {
      expect(error instanceof InvalidConfig && error.problems.map(findingLine)).toEqual([
        expect.stringMatching(/^PORT: /),
        'CAMPUS: lake.json: login.url is wrong; correct it in the file',
      ]);
    }
  });

  it('is told once of each member that is missing, and of names that no member has', () => {
    const files = filesWith({ name: { zh: '湖畔大学', 'e/n': '' }, applications: {} });
    expect(problems(env, files).map(({ problem }) => problem)).toEqual([
      'lake.json: name: "e/n" is not one of zh, en',
      'lake.json: name.en: is no text',
      'lake.json: time_zone: is not an IANA time zone such as Asia/Shanghai',
      'lake.json: login: nothing names no driver',
      'lake.json: applications: is no list',
    ]);
  });

  it('stands alone: nothing of it is said by a setting as well', () => {
    const doubled = { ...env, CAMPUS_CAS_URL: wiring.CAMPUS_CAS_URL, CAMPUS_TIMEZONE: 'Asia/Shanghai' };
    expect(problems(doubled, filesWith(written)).map(findingLine)).toEqual([
      'CAMPUS: lake.json, although CAMPUS_CAS_URL, CAMPUS_TIMEZONE are set; remove either CAMPUS or the addresses',
    ]);
  });

  it('is warned of each place where a password travels in clear', () => {
    const login = { driver: 'cas', url: 'https://cas.lake.edu' };
    const open = { ...written, portal: { driver: 'ssl-vpn', url: 'http://vpn.lake.edu', domain: 'vpn.lake.edu' } };
    const clear = (host: string) =>
      `CAMPUS: lake.json: passwords go to ${host}; use https:// outside tests: passwords travel unencrypted`;
    const warned = (manifest: object) => load(env, filesWith(manifest)).warnings.map(findingLine);
    expect(warned({ ...written, login })).toEqual([]);
    expect(warned({ ...written, portal: null })).toEqual([clear('http://cas.lake.edu')]);
    expect(warned(open)).toEqual([clear('http://vpn.lake.edu'), clear('http://cas.lake.edu')]);
  });
});
