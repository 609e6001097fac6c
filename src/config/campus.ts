import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { CampusWiring, Manifest, ManifestPart } from '../campus/contract/manifest.ts';
import { type CampusIdentity, changedAddresses, isDemo } from '../lib/campus-identity.ts';
import { isRecord } from '../lib/text.ts';
import { type ConfigFinding, finding } from './finding.ts';
import { closedObject, jsonFileReader, kindFault, quoteValue, rule } from './json-files.ts';
import { proxyUrl, timeZone } from './kinds.ts';
import type { ConfigFiles } from './secrets.ts';

/** The manifests that come with the service. */
const folder = join(import.meta.dirname, '..', 'campuses');

/** A choice is a name among these, or the path of a file elsewhere. */
export const manifestPath = (choice: string): string =>
  choice.endsWith('.json') ? choice : join(folder, `${choice}.json`);

const idOf = (path: string): string => /([^/\\]*)\.json$/.exec(path)?.[1] ?? path;

type WrittenPart = Readonly<Record<string, unknown>> & { readonly driver: string };

const partFault = (value: unknown): string | null =>
  isRecord(value) && typeof value.driver === 'string' && value.driver !== ''
    ? null
    : `${quoteValue(value)} names no driver`;

/** Stands for a part that could not be read, so that the others keep their places. */
const part = rule<WrittenPart>(partFault, { driver: '' });
const partOrNull = rule<WrittenPart | null>((value) => (value === null ? null : partFault(value)), { driver: '' });

const partOf = ({ driver, ...options }: WrittenPart): ManifestPart => ({ driver, options });

const manifestText = Type.String({ maxLength: 500, pattern: '\\S', default: '' });

const ManifestFile = closedObject({
  name: closedObject({ zh: manifestText, en: manifestText }),
  time_zone: rule((value) => kindFault(timeZone, value), 'UTC'),
  portal: Type.Optional(partOrNull),
  /** Only null says that there is none: one that was forgotten is a fault. */
  login: partOrNull,
  applications: Type.Array(part, { maxItems: 50 }),
  proxy: Type.Optional(rule<string | null>((value) => (value === null ? null : kindFault(proxyUrl, value)), null)),
  notes: Type.Optional(Type.Array(manifestText, { maxItems: 100 })),
});

/** @param faultsOf what its drivers cannot work with; told together with what cannot be read */
export const readManifest = (
  path: string | null,
  files: ConfigFiles,
  faultsOf: (manifest: Manifest) => readonly string[],
) =>
  jsonFileReader<typeof ManifestFile, Manifest | null>(
    'CAMPUS',
    ManifestFile,
    null,
    ({ name, time_zone: zone, portal = null, login, applications, proxy = null, notes = [] }, faults) => {
      const manifest: Manifest = {
        id: idOf(path ?? ''),
        name,
        timeZone: timeZone.read(zone) ?? zone,
        portal: portal && partOf(portal),
        login: login && partOf(login),
        applications: applications.map(partOf),
        proxy,
        notes,
      };
      faults.push(...faultsOf(manifest));
      return manifest;
    },
    'give demo, the name of a file of src/campuses, or the path of a JSON file',
  )(path, files);

interface CustomFacts extends Pick<Manifest, 'id' | 'name' | 'timeZone'> {
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
 * A campus is told apart by the hosts that get passwords, and the products there. Paths may be corrected, and
 * applications may come and go. `own`: the application that takes the password where there is no unified login; without
 * it that half is left out, which compares with any.
 */
export const campusIdentity = ({ portal, login }: Manifest, own: ManifestPart | null = null): CampusIdentity => {
  const place = login ?? own;
  return {
    CAMPUS_VPN_URL: portal === null ? NO_PORTAL : originOf(portal),
    ...(portal !== null && { CAMPUS_VPN_DRIVER: portal.driver }),
    ...(place !== null && { CAMPUS_CAS_URL: originOf(place), CAMPUS_CAS_DRIVER: place.driver }),
  };
};

const halfByAddress = { CAMPUS_VPN: 'portal', CAMPUS_CAS: 'unified-login' } as const;

/** The passwords that another place takes now. */
export const movedHalves = (before: CampusIdentity, now: CampusIdentity) => {
  const changed = changedAddresses(before, now);
  return Object.entries(halfByAddress).flatMap(([key, half]) =>
    changed.some((name) => name.startsWith(key)) ? [half] : [],
  );
};

/** A portal whose driver takes no address gets no password. */
export const passwordHosts = ({ CAMPUS_VPN_URL = '', CAMPUS_CAS_URL = '' }: CampusIdentity): string[] =>
  [CAMPUS_VPN_URL, CAMPUS_CAS_URL].filter((host) => host !== '' && host !== NO_PORTAL);

/** Names the campus for people. Its addresses hold no user information: the kinds of its settings refuse that. */
export const campusName = (identity: CampusIdentity): string =>
  isDemo(identity)
    ? `the demo campus${identity.CAMPUS === 'demo' ? '' : ` ${identity.CAMPUS}`}`
    : `the campus at ${passwordHosts(identity)[0] ?? 'an unknown address'}`;

export const changeLines = (before: CampusIdentity, now: CampusIdentity): string[] =>
  changedAddresses(before, now).map((key) => `${key} was ${before[key]} and is ${now[key]} now`);

export const foreignDatabase = (database: string, owner: CampusIdentity, present: CampusIdentity): ConfigFinding => {
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
