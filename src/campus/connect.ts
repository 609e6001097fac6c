import { Value } from '@sinclair/typebox/value';
import { capabilitiesIn, type Supplies } from '../domain/capabilities.ts';
import type { Log } from '../domain/context.ts';
import { systemClock } from '../lib/time.ts';
import type { Access, ApplicationDriver, Driver, Drivers } from './contract/driver.ts';
import type { Manifest, ManifestPart } from './contract/manifest.ts';
import type { ConnectedCampus } from './session/addresses.ts';

/** The portal of a campus that has none. */
const noPortal: ManifestPart = { driver: 'direct', options: {} };

const plural = { portal: 'portals', login: 'unified logins', application: 'applications' } as const;

const isUsable = (value: unknown): boolean => !/^https?:/.test(String(value)) || URL.canParse(String(value));

const optionFaults = (place: string, { options: { properties } }: Driver, given: ManifestPart['options']): string[] => [
  ...Object.keys(given).flatMap((name) =>
    name in properties ? [] : [`${place}.${name} is no option here; there are ${Object.keys(properties).join(', ')}`],
  ),
  ...Object.entries(properties).flatMap(([name, schema]) => {
    const value = given[name];
    if (Value.Check(schema, value) && isUsable(value)) return [];
    return [`${place}.${name} is ${value === undefined ? 'missing' : 'wrong'}; give ${schema.description}`];
  }),
];

const partFaults = (place: string, kind: Driver['kind'], part: ManifestPart, drivers: Drivers): string[] => {
  // It was refused when it was read.
  if (part.driver === '') return [];
  const driver = drivers[part.driver];
  if (driver?.kind === kind) return optionFaults(place, driver, part.options);
  const names = Object.keys(drivers).filter((name) => drivers[name]?.kind === kind);
  return [`${place}: ${JSON.stringify(part.driver)} is no driver of ${plural[kind]}; there are ${names.join(', ')}`];
};

type Reach = Omit<Access<unknown>, 'options'>;

const applicationOf = ({ driver: name }: ManifestPart, drivers: Drivers): ApplicationDriver | null => {
  const driver = drivers[name];
  return driver?.kind === 'application' ? driver : null;
};

const suppliesOf = (part: ManifestPart, drivers: Drivers, reach: Reach): Supplies =>
  applicationOf(part, drivers)?.supplies({ ...reach, options: part.options }) ?? {};

/** Enough to learn what a driver supplies, which asks nothing. */
const nowhere: Reach = { sessions: { with: () => Promise.reject(new Error('not connected')) }, clock: systemClock };

const doubleFaults = (
  { applications }: Manifest,
  drivers: Drivers,
  isSound: (part: ManifestPart, at: number) => boolean,
): string[] => {
  const suppliers = new Map<string, string>();
  return applications.flatMap((part, at) => {
    if (!isSound(part, at)) return [];
    const own = `applications[${at}] (${part.driver})`;
    const capabilities = capabilitiesIn(suppliesOf(part, drivers, nowhere));
    const shared = Map.groupBy(capabilities, (capability) => suppliers.get(capability));
    for (const capability of capabilities) suppliers.set(capability, own);
    return [...shared].flatMap(([other, [first, ...more]]) => {
      if (other === undefined) return [];
      const what = more.length === 0 ? first : `${first} and ${more.length} more`;
      return [`${own} and ${other} both supply ${what}; keep one of them`];
    });
  });
};

/** Names everything that keeps a manifest from being served. */
export const manifestFaults = (manifest: Manifest, drivers: Drivers): string[] => {
  const { portal, login, applications } = manifest;
  const ofApplications = applications.map((part, at) =>
    partFaults(`applications[${at}]`, 'application', part, drivers),
  );
  // Only a known driver with valid options can say what it supplies.
  const isSound = ({ driver }: ManifestPart, at: number): boolean => driver !== '' && ofApplications[at]?.length === 0;
  const entryOf = (part: ManifestPart) => applicationOf(part, drivers)?.row.entry.kind;
  const mayVerify = applications.some((part, at) => !isSound(part, at) || entryOf(part) === 'service-ticket');
  const noVerifier = 'applications: none is entered with a service ticket of the login, which verifies a password';
  return [
    ...partFaults('portal', 'portal', portal ?? noPortal, drivers),
    ...partFaults('login', 'login', login, drivers),
    ...ofApplications.flat(),
    ...doubleFaults(manifest, drivers, isSound),
    ...(mayVerify ? [] : [noVerifier]),
  ];
};

const baseOf = ({ options: { url } }: ManifestPart): string => String(url).replace(/\/+$/, '');

/** Lists the systems of a manifest without faults, by the name people use. */
export const systemsOf = ({ portal, login, applications }: Manifest, drivers: Drivers) => [
  ...(portal ? [{ name: 'portal', url: baseOf(portal) }] : []),
  { name: 'unified login', url: baseOf(login) },
  ...applications.flatMap((part) => {
    const driver = applicationOf(part, drivers);
    return driver === null ? [] : [{ name: driver.row.system.replace('-', ' '), url: baseOf(part) }];
  }),
];

export interface Connection extends ConnectedCampus {
  /** The second steps that the portal may want. */
  readonly challenges: readonly string[];
  supplies(reach: Reach): Supplies[];
}

/** @throws Error with everything that is wrong with the manifest */
export const connect = (manifest: Manifest, drivers: Drivers, log?: Pick<Log, 'info'>): Connection => {
  const faults = manifestFaults(manifest, drivers);
  const { portal: gate, login, applications } = manifest;
  const portal = drivers[(gate ?? noPortal).driver];
  const entrance = drivers[login.driver];
  if (faults.length > 0 || portal?.kind !== 'portal' || entrance?.kind !== 'login') {
    throw new Error(`the manifest of ${manifest.id} is wrong: ${faults.join('; ')}`);
  }
  return {
    portal: portal.create((gate ?? noPortal).options, log),
    portalUrl: gate === null ? null : baseOf(gate),
    login: entrance.login,
    loginUrl: baseOf(login),
    applications: new Map(
      applications.flatMap((part) => {
        const driver = applicationOf(part, drivers);
        const { service } = part.options;
        if (driver === null) return [];
        const connected = { row: driver.row, url: baseOf(part), service: typeof service === 'string' ? service : null };
        return [[part.driver, connected] as const];
      }),
    ),
    challenges: portal.challenges,
    supplies: (reach) => applications.map((part) => suppliesOf(part, drivers, reach)),
  };
};
