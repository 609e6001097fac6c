import { join } from 'node:path';
import type { Manifest, ManifestPart } from '../campus/manifest.ts';
import type { CampusWiring } from '../campus/wiring.ts';
import { isRecord } from '../lib/records.ts';
import { itemsOf, jsonFileReader, shown } from './json-file.ts';
import { timeZone } from './kinds.ts';

/** The manifests that come with the service. */
const folder = join(import.meta.dirname, '..', 'campuses');

const MOST_APPLICATIONS = 50;
const MOST_NOTES = 100;
const LONGEST_TEXT = 500;

/** By its name, or by the path of a file elsewhere. */
export const manifestPath = (choice: string): string =>
  choice.endsWith('.json') ? choice : join(folder, `${choice}.json`);

const idOf = (path: string): string => /([^/\\]*)\.json$/.exec(path)?.[1] ?? path;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT;

type Read<T> = { readonly value: T } | { readonly fault: string };

const partOf = (value: unknown): Read<ManifestPart> => {
  if (!isRecord(value) || typeof value.driver !== 'string' || value.driver === '')
    return { fault: `${shown(value)} names no driver` };
  const { driver, ...options } = value;
  return { value: { driver, options } };
};

/** Keeps the place of what could not be read. */
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
 * A campus as somebody has written it down.
 * @param faultsOf what its drivers cannot work with; told together with what cannot be read
 */
export const readManifest = (
  path: string | null,
  files: Parameters<ReturnType<typeof jsonFileReader>>[1],
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
