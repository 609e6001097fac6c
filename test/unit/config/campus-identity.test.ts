import { describe, expect, it } from 'vitest';
import { campusIdentity, foreignDatabase, passwordHosts } from '../../../src/config/campus.ts';
import { findingLine } from '../../../src/config/finding.ts';
import {
  type CampusIdentity,
  demoIdentity,
  identityText,
  isSameCampus,
  readIdentity,
} from '../../../src/lib/campus-identity.ts';
import { load, manifestOf, wiring } from './support.ts';

const of = (env: Record<string, string>) => load(env).campus.identity;

describe('the identity of a campus', () => {
  it('is just the demo for the demo campus', () => {
    expect(of({})).toEqual({ CAMPUS: 'demo' });
  });

  it('is where passwords go: origin and product of portal and unified login', () => {
    expect(of(wiring)).toEqual({
      CAMPUS_VPN_URL: 'https://127.0.0.1:8443',
      CAMPUS_VPN_DRIVER: 'ssl-vpn',
      CAMPUS_CAS_URL: 'http://127.0.0.1:8101',
      CAMPUS_CAS_DRIVER: 'cas',
    });
  });

  it.each([
    ['CAMPUS_CAS_URL', 'HTTP://127.0.0.1:8101/cas/'],
    ['CAMPUS_CAS_URL', 'http://127.0.0.1:8101/sso/cas'],
    ['CAMPUS_JWC_URL', 'http://10.0.0.1:8102'],
    ['CAMPUS_CARD_URL', 'http://10.0.0.1:8107'],
  ])('does not change with the spelling or path of a login, nor with an application: %s=%s', (key, value) => {
    expect(isSameCampus(of({ ...wiring, [key]: value }), of(wiring))).toBe(true);
  });

  it.each([
    ['CAMPUS_VPN_URL', 'https://other.edu/cas'],
    ['CAMPUS_CAS_URL', 'https://other.edu/cas'],
    ['CAMPUS_VPN_URL', 'https://127.0.0.1:8444'],
    ['CAMPUS_VPN_URL', 'http://127.0.0.1:8443'],
  ])('is another one with another host, port or scheme: %s=%s', (key, value) => {
    expect(isSameCampus(of({ ...wiring, [key]: value }), of(wiring))).toBe(false);
  });

  it('is another one with a portal than without, and without one passwords go to the login alone', () => {
    const { id, name, timeZone, portal, login, applications, notes } = manifestOf(wiring);
    const open = campusIdentity({ id, name, timeZone, portal: null, login, applications, notes });
    expect(portal).not.toBeNull();
    expect([isSameCampus(open, of(wiring)), isSameCampus(of(wiring), open)]).toEqual([false, false]);
    expect(passwordHosts(open)).toEqual(['http://127.0.0.1:8101']);
    const direct = { driver: 'direct', options: {} };
    const named = campusIdentity({ id, name, timeZone, portal: direct, login, applications, notes });
    expect(passwordHosts(named)).toEqual(['http://127.0.0.1:8101']);
  });

  it('of the demo is never that of addresses, either way', () => {
    expect([isSameCampus(demoIdentity, of(wiring)), isSameCampus(of(wiring), demoIdentity)]).toEqual([false, false]);
  });

  it('stays the same when a version asks for one address more or less', () => {
    const more = { ...of(wiring), CAMPUS_ISIM_URL: 'http://127.0.0.1:8105' };
    expect([isSameCampus(more, of(wiring)), isSameCampus(of(wiring), more)]).toEqual([true, true]);
  });

  it('comes back from its text as it was', () => {
    const identity = { ...of(wiring), ODD: 'a=b=' };
    expect(readIdentity(identityText(identity))).toEqual(identity);
  });
});

describe('a database of another campus', () => {
  const database = 'SQLite ./data/campus.db';
  const line = (owner: CampusIdentity, present: CampusIdentity) =>
    findingLine(foreignDatabase(database, owner, present));

  it('is refused with both names', () => {
    expect(line(demoIdentity, of(wiring))).toBe(
      'DATABASE_URL: SQLite ./data/campus.db belongs to the demo campus, and the settings name the campus at ' +
        'https://127.0.0.1:8443; name another database',
    );
    expect(line(of(wiring), demoIdentity)).toMatch(
      /belongs to the campus at https:\/\/127\.0\.0\.1:8443, and the settings name the demo campus; leave DATABASE_URL out/,
    );
  });

  it('is refused with every address that differs', () => {
    const moved = of({ ...wiring, CAMPUS_CAS_URL: 'https://sso.edu/cas', CAMPUS_VPN_URL: 'https://gate.edu' });
    expect(line(of(wiring), moved)).toContain(
      '(CAMPUS_VPN_URL was https://127.0.0.1:8443 and is https://gate.edu now; ' +
        'CAMPUS_CAS_URL was http://127.0.0.1:8101 and is https://sso.edu now); name another database, or start once ' +
        'with --same-campus if the campus has moved to these addresses',
    );
  });
});
