import { join } from 'node:path';
import type { CampusWiring, Manifest, ManifestPart } from '../campus/manifest.ts';
import { type CampusIdentity, changedAddresses, isDemo } from '../lib/campus-identity.ts';
import { isRecord } from '../lib/text.ts';
import { type Finding, finding } from './finding.ts';
import { itemsOf, jsonFileReader, type Read, shown } from './json-files.ts';
import { timeZone } from './kinds.ts';
import type { ConfigFiles } from './secrets.ts';

/** The manifests that come with the service. */
const folder = join(import.meta.dirname, '..', 'campuses');

const MOST_APPLICATIONS = 50;
const MOST_NOTES = 100;
const LONGEST_TEXT = 500;

/** A choice is a name among these, or the path of a file elsewhere. */
export const manifestPath = (choice: string): string =>
  choice.endsWith('.json') ? choice : join(folder, `${choice}.json`);

const idOf = (path: string): string => /([^/\\]*)\.json$/.exec(path)?.[1] ?? path;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT;

const partOf = (value: unknown): Read<ManifestPart> => {
  if (!isRecord(value) || typeof value.driver !== 'string' || value.driver === '')
    return { fault: `${shown(value)} names no driver` };
  const { driver, ...options } = value;
  return { value: { driver, options } };
};

/** Stands for a part that could not be read, so that the others keep their places. */
const nowhere: ManifestPart = { driver: '', options: {} };
const partOrNowhere = (value: unknown): ManifestPart => {
  const read = partOf(value);
  return 'value' in read ? read.value : nowhere;
};

const nameOf = (value: unknown): Read<Manifest['name']> => {
  const { zh, en, ...rest } = isRecord(value) ? value : {};
  return isText(zh) && isText(en) && Object.keys(rest).length === 0
    ? { value: { zh, en } }
    : { fault: 'name is no object with zh and en' };
};

const noteOf = (value: unknown): Read<string> => (isText(value) ? { value } : { fault: 'is no text' });

/**
 * Reads the manifest that describes a campus.
 * @param faultsOf what its drivers cannot work with; told together with what cannot be read
 */
export const readManifest = (
  path: string | null,
  files: ConfigFiles,
  faultsOf: (manifest: Manifest) => readonly string[],
) =>
  jsonFileReader<Manifest | null>(
    'CAMPUS',
    ['name', 'time_zone', 'portal', 'login', 'applications', 'notes'],
    null,
    (members) => {
      const name = nameOf(members.get('name'));
      const zoneText = members.get('time_zone');
      const zone = isText(zoneText) ? timeZone.read(zoneText) : null;
      const gate = members.get('portal') ?? null;
      const portal: Read<ManifestPart | null> = gate === null ? { value: null } : partOf(gate);
      const login = partOf(members.get('login'));
      const listed = members.get('applications') ?? null;
      const applications = itemsOf('applications', listed, MOST_APPLICATIONS, partOf);
      const notes = itemsOf('notes', members.get('notes'), MOST_NOTES, noteOf);
      const manifest: Manifest = {
        id: idOf(path ?? ''),
        name: 'value' in name ? name.value : { zh: '', en: '' },
        timeZone: zone ?? 'UTC',
        portal: 'value' in portal ? portal.value : null,
        login: 'value' in login ? login.value : nowhere,
        applications: Array.isArray(listed) ? listed.slice(0, MOST_APPLICATIONS).map(partOrNowhere) : [nowhere],
        notes: notes.values,
      };
      return {
        value: manifest,
        faults: [
          ...('fault' in name ? [name.fault] : []),
          ...(zone === null ? [`time_zone is not ${timeZone.expects}`] : []),
          ...('fault' in portal ? [`portal: ${portal.fault}`] : []),
          ...('fault' in login ? [`login: ${login.fault}`] : []),
          ...applications.faults,
          ...notes.faults,
          ...faultsOf(manifest),
        ],
      };
    },
    'give demo, the name of a file of src/campuses, or the path of a JSON file',
  )(path, files);

interface CustomFacts extends Pick<Manifest, 'id' | 'name' | 'timeZone'> {
  /** How the labor club is sent a scanned code. */
  readonly scan: 'form' | 'json';
}

/** The campus of the settings `CAMPUS_…`, and the demo campus, which has the same systems. */
export const customManifest = (wiring: CampusWiring, { scan, ...facts }: CustomFacts): Manifest => ({
  ...facts,
  portal: { driver: 'ssl-vpn', options: { url: wiring.vpnUrl, domain: wiring.vpnDomain } },
  login: { driver: 'cas', options: { url: wiring.casUrl } },
  applications: [
    { driver: 'jwc', options: { url: wiring.jwcUrl, service: wiring.jwcService } },
    { driver: 'aac', options: { url: wiring.aacUrl, service: wiring.aacService } },
    { driver: 'ldjlb', options: { url: wiring.ldjlbUrl, service: wiring.ldjlbService, scan } },
    { driver: 'isim', options: { url: wiring.isimUrl } },
    { driver: 'competition', options: { url: wiring.competitionUrl } },
    ...(wiring.cardUrl === undefined ? [] : [{ driver: 'card', options: { url: wiring.cardUrl } }]),
  ],
  notes: [],
});

/** Stands for the portal of a campus without one: a campus that gets a portal counts as another campus. */
const NO_PORTAL = 'none';

const originOf = ({ options: { url } }: ManifestPart): string => URL.parse(String(url))?.origin ?? '';

/**
 * A campus is told apart by the hosts that get passwords, under the names of their settings. Paths may be corrected, and
 * applications may come and go, without making it another campus.
 */
export const campusIdentity = ({ portal, login }: Manifest): CampusIdentity => ({
  CAMPUS_VPN_URL: portal === null ? NO_PORTAL : originOf(portal),
  CAMPUS_CAS_URL: originOf(login),
});

export const passwordHosts = (identity: CampusIdentity): string[] =>
  [identity.CAMPUS_VPN_URL, identity.CAMPUS_CAS_URL].flatMap((host = NO_PORTAL) => (host === NO_PORTAL ? [] : [host]));

/** Names the campus for people. Its addresses hold no user information: the kinds of its settings refuse that. */
export const campusName = (identity: CampusIdentity): string =>
  isDemo(identity)
    ? `the demo campus${identity.CAMPUS === 'demo' ? '' : ` ${identity.CAMPUS}`}`
    : `the campus at ${passwordHosts(identity)[0] ?? 'an unknown address'}`;

/** Writes one line per address that has changed. */
export const changeLines = (before: CampusIdentity, now: CampusIdentity): string[] =>
  changedAddresses(before, now).map((key) => `${key} was ${before[key]} and is ${now[key]} now`);

/** Why a database cannot be used with the campus of the settings, and what to do about it. */
export const foreignDatabase = (database: string, owner: CampusIdentity, present: CampusIdentity): Finding => {
  const key = 'DATABASE_URL';
  const names = `${database} belongs to ${campusName(owner)}, and the settings name ${campusName(present)}`;
  if (isDemo(present)) {
    const hint = 'leave DATABASE_URL out for the demo’s own file, name another database, or set the campus addresses';
    return { key, problem: names, hint };
  }
  const changes = changeLines(owner, present);
  const moved = 'name another database, or start once with --same-campus if the campus has moved to these addresses';
  return finding(
    key,
    changes.length === 0 ? names : `${names} (${changes.join('; ')})`,
    isDemo(owner) ? 'name another database' : moved,
  );
};
