import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import { wiringKeys } from '../../../src/config/schema.ts';
import { key, load, manifestOf, problems, wiring } from './support.ts';

const production = { NODE_ENV: 'production', SECRET_KEY: key };

describe('choice of the campus', () => {
  it('is the demo campus when no address is set, outside production', () => {
    expect(load({}).campus.kind).toBe('demo');
    expect(load({ NODE_ENV: 'test' }).campus.kind).toBe('demo');
  });

  it('is the wired campus when all addresses are set, with the probe page left to choice', () => {
    const callback = 'User/Index/CoreLoginCallback?isCASGateway=true';
    const service = 'http://jwc.example.edu/j_spring_cas_security_check';
    expect(manifestOf(wiring)).toMatchObject({
      id: 'custom',
      timeZone: 'Asia/Shanghai',
      portal: { driver: 'ssl-vpn', options: { url: 'https://127.0.0.1:8443', domain: '127.0.0.1' } },
      login: { driver: 'cas', options: { url: 'http://127.0.0.1:8101/cas' } },
      applications: [
        { driver: 'jwc', options: { url: 'http://127.0.0.1:8102', service } },
        { driver: 'aac', options: { url: 'http://127.0.0.1:8103', service: `http://aac.example.edu/${callback}` } },
        {
          driver: 'ldjlb',
          options: { url: 'http://127.0.0.1:8104', service: `http://ldjlb.example.edu/${callback}`, scan: 'form' },
        },
        { driver: 'isim', options: { url: 'http://127.0.0.1:8105' } },
        { driver: 'competition', options: { url: 'http://127.0.0.1:8106' } },
      ],
    });
  });

  it('sends a scanned code to the labor club as SCAN_SIGN_BODY says', () => {
    const { applications } = manifestOf({ ...wiring, SCAN_SIGN_BODY: 'json' });
    expect(applications.find(({ driver }) => driver === 'ldjlb')?.options).toMatchObject({ scan: 'json' });
  });

  it.each(wiringKeys)('is refused when only %s is missing', (missing) => {
    expect(problems({ ...wiring, [missing]: '' }).map(findingLine)).toEqual([
      `${missing}: not set, while other campus addresses are; set it as well, or none of them for the demo campus`,
    ]);
  });

  it.each(wiringKeys)('names all that is missing when only %s is set', (only) => {
    expect(problems({ [only]: wiring[only] }).map((problem) => problem.key)).toEqual(
      wiringKeys.filter((name) => name !== only),
    );
  });

  it('names a malformed address once, beside the missing ones', () => {
    const { CAMPUS_ISIM_URL: _, ...rest } = wiring;
    expect(problems({ ...rest, CAMPUS_JWC_URL: 'jwc.example.edu' }).map((problem) => problem.key)).toEqual([
      'CAMPUS_JWC_URL',
      'CAMPUS_ISIM_URL',
    ]);
  });

  it('must be made on purpose in production', () => {
    const [problem, ...more] = problems(production);
    expect(more).toEqual([]);
    expect(problem?.key).toBe('CAMPUS');
    expect(problem && findingLine(problem)).toContain('CAMPUS=demo to serve the demo campus on purpose');
    for (const name of wiringKeys) expect(problem?.hint).toContain(name);
    expect(load({ ...production, CAMPUS: 'demo' }).campus.kind).toBe('demo');
    expect(load({ ...production, ...wiring }).campus.kind).toBe('wired');
  });

  it('cannot be the demo campus and a wired one', () => {
    expect(problems({ CAMPUS: 'demo', CAMPUS_VPN_URL: 'https://vpn.example.edu' }).map(findingLine)).toEqual([
      'CAMPUS: demo, although CAMPUS_VPN_URL is set; remove either CAMPUS or the addresses',
    ]);
  });

  it('is a manifest that exists, by a name or a path', () => {
    expect(problems({ CAMPUS: 'real' }).map(findingLine)).toEqual([
      expect.stringMatching(
        /^CAMPUS: .*src.campuses.real\.json: does not exist; give demo, the name of a file of src\/campuses, or the path of a JSON file/,
      ),
    ]);
    expect(problems({ CAMPUS: '../up' }).map(findingLine)).toEqual([
      expect.stringMatching(/^CAMPUS: "\.\.\/up"; give demo/),
    ]);
  });
});

describe('campus addresses', () => {
  it('lose a trailing slash; the service values of the unified login stay exactly as given', () => {
    const service = 'http://jwc.example.edu:80/j_spring_cas_security_check/?A=%41';
    const given = { ...wiring, CAMPUS_CAS_URL: 'http://127.0.0.1:8101/cas/', CAMPUS_JWC_SERVICE: service };
    const { login, applications } = manifestOf(given);
    expect([login?.options.url, applications[0]?.options.service]).toEqual(['http://127.0.0.1:8101/cas', service]);
  });

  it.each(['https://vpn.example.edu', 'vpn.example.edu:8118', 'vpn.example.edu/', '.example.edu', 'a b'])(
    'refuse %s as the portal’s domain',
    (text) => {
      expect(problems({ ...wiring, CAMPUS_VPN_DOMAIN: text }).map((problem) => problem.key)).toEqual([
        'CAMPUS_VPN_DOMAIN',
      ]);
    },
  );

  it('may be http:// for the portal, with a warning', () => {
    expect(load(wiring).warnings).toEqual([]);
    const config = load({ ...wiring, CAMPUS_VPN_URL: 'http://127.0.0.1:8100' });
    expect(config.warnings.map(findingLine)).toEqual([
      'CAMPUS_VPN_URL: begins with http://; use https:// outside tests: passwords travel unencrypted',
    ]);
  });

  it('are verified unless that is turned off for the portal, with a warning', () => {
    expect(load(wiring).campus.vpnInsecureTls).toBe(false);
    const config = load({ ...wiring, CAMPUS_VPN_INSECURE_TLS: 'on' });
    expect(config.campus.vpnInsecureTls).toBe(true);
    expect(config.warnings.map((warning) => warning.key)).toEqual(['CAMPUS_VPN_INSECURE_TLS']);
  });
});
