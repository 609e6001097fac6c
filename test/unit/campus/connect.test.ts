import { describe, expect, it } from 'vitest';
import { connect, manifestFaults } from '../../../src/campus/connect.ts';
import { Addresses } from '../../../src/campus/contract/addresses.ts';
import type { Manifest, ManifestPart } from '../../../src/campus/contract/manifest.ts';
import type { SessionAccess } from '../../../src/campus/contract/upstream-session.ts';
import { drivers } from '../../../src/campus/drivers.ts';
import { failures } from '../../../src/domain/errors.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { manifestOf } from '../../support/addresses-of.ts';
import { unusedWiring } from '../../support/unused-wiring.ts';

const whole = manifestOf(unusedWiring);
const jwc: ManifestPart = {
  driver: 'jwc',
  options: { url: 'http://jwc.example.edu', service: 'http://jwc.inner.edu/check?a=b' },
};

const faults = (changes: Partial<Manifest>): string[] => manifestFaults({ ...whole, ...changes }, drivers);

describe('the drivers of a campus', () => {
  it('take a manifest that they understand', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ applications: [jwc] })).toEqual([]);
  });

  it('name everything that they do not, at once', () => {
    expect(
      faults({
        portal: { driver: 'jwc', options: {} },
        login: { driver: 'cas', options: { url: 'cas.example.edu', colour: 'blue' } },
        applications: [
          { driver: 'constructor', options: {} },
          { driver: 'jwc', options: { url: 'http://jwc.example.edu:99999' } },
          { driver: 'ldjlb', options: { url: 'http://user:hunter2@here', service: 'http://a.edu', scan: 'xml' } },
        ],
      }),
    ).toEqual([
      expect.stringMatching(/^portal: "jwc" is no driver of portals; there are .*ssl-vpn/),
      'login.colour is no option here; there are url',
      'login.url is wrong; give an http:// or https:// address without query or user information',
      expect.stringMatching(/^applications\[0\]: "constructor" is no driver of applications; there are jwc, aac, /),
      'applications[1].url is wrong; give an http:// or https:// address without query or user information',
      'applications[2].url is wrong; give an http:// or https:// address without query or user information',
      'applications[2].scan is wrong; give form or json',
      'applications[1] (jwc).service is missing; give what it calls itself',
    ]);
  });

  it('never share a capability', () => {
    expect(faults({ applications: [jwc, jwc] })).toEqual([
      expect.stringMatching(
        /^applications\[1\] \(jwc\) and applications\[0\] \(jwc\) both supply academics\.summary and \d\d more; keep one of them$/,
      ),
    ]);
  });

  it('need one application whose ticket verifies a password', () => {
    expect(faults({ applications: [{ driver: 'isim', options: { url: 'http://isim.example.edu' } }] })).toEqual([
      'applications: none is entered with a service ticket of the login, which verifies a password',
    ]);
  });

  it('verify one as well by an entrance that names its service', () => {
    const emap = { driver: 'emap', options: { url: 'https://jw.lake.edu', ehall: 'https://ehall.lake.edu/new' } };
    const manifest = { ...whole, applications: [emap] };
    expect(manifestFaults(manifest, drivers)).toEqual([]);
    const addresses = new Addresses(connect(manifest, drivers));
    expect(addresses.verifyingApplication).toBe('emap');
    expect(addresses.originsOf('emap')).toEqual(['https://jw.lake.edu', 'https://ehall.lake.edu']);
    expect(addresses.url('emap', '/appShow?appId=1', 'ehall').href).toBe('https://ehall.lake.edu/new/appShow?appId=1');
    // What is opened for everybody verifies nobody.
    const competition = { driver: 'competition', options: { url: 'https://xs.lake.edu' } };
    expect(faults({ applications: [competition] })).toEqual([expect.stringContaining('none is entered')]);
  });

  it('are not connected when the manifest is wrong', () => {
    expect(() => connect({ ...whole, login: { driver: 'none', options: {} } }, drivers)).toThrow(
      /^the manifest of test is wrong: login: "none" is no driver of unified logins; there are cas/,
    );
  });
});

describe('an application', () => {
  const applications = Object.entries(drivers).flatMap(([name, driver]) =>
    driver.kind === 'application' ? [{ name, driver }] : [],
  );

  it.each(applications)(
    '$name is asked by that name in every method, and knows its service where it needs one',
    async ({ name, driver }) => {
      const asked = new Set<string>();
      const sessions: SessionAccess = {
        with: (_student, application) => {
          asked.add(application);
          return Promise.reject(failures.upstreamUnavailable(undefined));
        },
      };
      const supplies = driver.supplies({ sessions, clock: systemClock, options: {} });
      const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
      const call = [{ userid: '1' }, { log }, { log }, { log }, { log }, { log }];
      for (const method of Object.values(supplies).flatMap((methods) => Object.values(methods))) {
        await Promise.resolve()
          .then(() => Reflect.apply(method, null, call))
          .catch(() => {});
      }
      expect([...asked]).toEqual([name]);
      const needsService = ['service-ticket', 'ticket-walk'].includes(driver.row.entry.kind);
      expect('service' in driver.options.properties).toBe(needsService);
    },
  );
});
