import { Value } from '@sinclair/typebox/value';
import { capabilitiesIn, type Supplies } from '../domain/capabilities.ts';
import type { Log } from '../domain/context.ts';
import { type SignInStep, signInSteps } from '../domain/errors.ts';
import { systemClock } from '../lib/time.ts';
import type { ConnectedCampus } from './contract/addresses.ts';
import type { Access, ApplicationDriver, Driver, Drivers } from './contract/driver.ts';
import type { Manifest, ManifestPart } from './contract/manifest.ts';
import { entranceOf, type SessionEntry } from './contract/upstreams.ts';

/** The portal of a campus that has none. */
const noPortal: ManifestPart = { driver: 'direct', options: {} };

const plural = { portal: 'portals', login: 'unified logins', application: 'applications' } as const;

const isUsableAddress = (value: unknown): boolean => !/^https?:/.test(String(value)) || URL.canParse(String(value));

const optionFaults = (place: string, { options }: Driver, given: ManifestPart['options']): string[] => {
  const { properties, required = [] } = options;
  return [
    ...Object.keys(given).flatMap((name) =>
      name in properties ? [] : [`${place}.${name} is no option here; there are ${Object.keys(properties).join(', ')}`],
    ),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const value = given[name];
      if (value === undefined && !required.includes(name)) return [];
      if (Value.Check(schema, value) && isUsableAddress(value)) return [];
      return [`${place}.${name} is ${value === undefined ? 'missing' : 'wrong'}; give ${schema.description}`];
    }),
  ];
};

const partFaults = (place: string, kind: Driver['kind'], part: ManifestPart, drivers: Drivers): string[] => {
  // It was refused when it was read.
  if (part.driver === '') return [];
  const driver = drivers[part.driver];
  if (driver?.kind === kind) return optionFaults(place, driver, part.options);
  const names = Object.keys(drivers).filter((name) => drivers[name]?.kind === kind);
  return [`${place}: ${JSON.stringify(part.driver)} is no driver of ${plural[kind]}; there are ${names.join(', ')}`];
};

type ClientDeps = Omit<Access<unknown>, 'options'>;

const applicationOf = ({ driver: name }: ManifestPart, drivers: Drivers): ApplicationDriver | null => {
  const driver = drivers[name];
  return driver?.kind === 'application' ? driver : null;
};

const suppliesOf = (part: ManifestPart, drivers: Drivers, reach: ClientDeps): Supplies =>
  applicationOf(part, drivers)?.supplies({ ...reach, options: part.options }) ?? {};

/** Enough to learn what a driver supplies, which asks nothing. */
const nowhere: ClientDeps = {
  sessions: { with: () => Promise.reject(new Error('not connected')) },
  clock: systemClock,
};

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

/** How an application is entered at this campus; null: it cannot be. */
const entryOf = (login: Manifest['login'], driver: ApplicationDriver): SessionEntry['kind'] | null => {
  const { kind } = driver.row.entry;
  if (login !== null || kind === 'direct') return kind;
  return driver.ownLogin === undefined ? null : 'own-login';
};

const tickets: ReadonlySet<SessionEntry['kind'] | null> = new Set(['service-ticket', 'ticket-walk']);
const verifiers: ReadonlySet<SessionEntry['kind'] | null> = new Set(['own-login', 'service-ticket']);

/** Exactly one place takes `password`, at most one takes `vpn_password`, and one of the applications verifies it. */
const passwordFaults = ({ portal, login, applications }: Manifest, drivers: Drivers): string[] => {
  const gate = drivers[portal?.driver ?? ''];
  const known = applications.flatMap((part, at) => {
    const driver = applicationOf(part, drivers);
    if (driver === null) return [];
    const { service } = part.options;
    const entry = entryOf(login, driver);
    const verifies = verifiers.has(entry) || entranceOf(driver.row.entry) !== null;
    return [{ name: `applications[${at}] (${part.driver})`, entry, service, verifies }];
  });
  const faults = known.flatMap(({ name, entry, service }) => {
    if (entry === null) return [`${name} is entered through a unified login, and login is null; name the login`];
    if (entry === 'own-login' && login !== null) return [`${name} has its own login; give login: null`];
    if (entry === 'own-login' && service !== undefined) return [`${name}.service is for a campus with a login`];
    if (tickets.has(entry) && service === undefined) return [`${name}.service is missing; give what it calls itself`];
    return [];
  });
  const owns = login === null ? known.filter(({ entry }) => entry === 'own-login') : [];
  const [one, other] = owns.map(({ name }) => name);
  if (other !== undefined) faults.push(`${one} and ${other} both take the password; keep one of them`);
  if (gate?.kind === 'portal' && gate.takes === 'password') {
    faults.push(`portal (${portal?.driver}) takes the password that another place takes; leave it out`);
  }
  const mayVerify = known.length < applications.length || known.some(({ verifies }) => verifies);
  const noVerifier =
    login === null
      ? 'login: null, and no application has its own login; name the login'
      : 'applications: none is entered with a service ticket of the login, which verifies a password';
  return mayVerify || faults.length > 0 ? faults : [noVerifier];
};

/** Names everything that keeps a manifest from being served. */
export const manifestFaults = (manifest: Manifest, drivers: Drivers): string[] => {
  const { portal, login, applications } = manifest;
  const ofApplications = applications.map((part, at) =>
    partFaults(`applications[${at}]`, 'application', part, drivers),
  );
  // Only a known driver with valid options can say what it supplies.
  const isSound = ({ driver }: ManifestPart, at: number): boolean => driver !== '' && ofApplications[at]?.length === 0;
  return [
    ...partFaults('portal', 'portal', portal ?? noPortal, drivers),
    ...(login === null ? [] : partFaults('login', 'login', login, drivers)),
    ...ofApplications.flat(),
    ...doubleFaults(manifest, drivers, isSound),
    ...passwordFaults(manifest, drivers),
  ];
};

/** The application that takes the password, where that is its own login. */
export const ownLoginOf = ({ login, applications }: Manifest, drivers: Drivers): ManifestPart | null =>
  applications.find((part) => {
    const driver = applicationOf(part, drivers);
    return driver !== null && entryOf(login, driver) === 'own-login';
  }) ?? null;

/** Where each half goes. */
const placesOf = (manifest: Manifest, drivers: Drivers): Record<SignInStep, ManifestPart | null> => ({
  portal: manifest.portal,
  'unified-login': manifest.login ?? ownLoginOf(manifest, drivers),
});

/** The places at which every login shows an image. */
export const attendedHalves = (manifest: Manifest, drivers: Drivers): SignInStep[] => {
  const places = placesOf(manifest, drivers);
  return signInSteps.filter((step) => {
    const place = places[step];
    const attended = place === null ? undefined : drivers[place.driver]?.attended;
    return typeof attended === 'function' ? attended(place?.options ?? {}) : attended === true;
  });
};

/** The halves that the campus takes, in the order of asking. */
export const takenHalves = (manifest: Manifest, drivers: Drivers): SignInStep[] =>
  signInSteps.filter((step) => placesOf(manifest, drivers)[step] !== null);

const baseOf = ({ options: { url } }: ManifestPart): string => String(url).replace(/\/+$/, '');

/** Lists the systems of a manifest without faults, by the name people use. */
export const systemsOf = ({ portal, login, applications }: Manifest, drivers: Drivers) => [
  ...(portal ? [{ name: 'portal', url: baseOf(portal) }] : []),
  ...(login === null ? [] : [{ name: 'unified login', url: baseOf(login) }]),
  ...applications.flatMap((part) => {
    const driver = applicationOf(part, drivers);
    return driver === null ? [] : [{ name: driver.row.system.replace('-', ' '), url: baseOf(part) }];
  }),
];

const furtherOf = ({ driver: name, options }: ManifestPart, drivers: Drivers): Readonly<Record<string, string>> => {
  const driver = drivers[name];
  const names = (driver !== undefined && 'further' in driver && driver.further) || [];
  return Object.fromEntries(names.flatMap((at) => (typeof options[at] === 'string' ? [[at, options[at]]] : [])));
};

export interface Connection extends ConnectedCampus {
  /** The steps that a login may want of a person. */
  readonly challenges: readonly string[];
  supplies(reach: ClientDeps): Supplies[];
}

/** @throws Error with everything that is wrong with the manifest */
export const connect = (manifest: Manifest, drivers: Drivers, log?: Pick<Log, 'info'>): Connection => {
  const faults = manifestFaults(manifest, drivers);
  const { portal: gate, login, applications } = manifest;
  const attended = attendedHalves(manifest, drivers);
  const own = ownLoginOf(manifest, drivers);
  const ownChallenges = (own && applicationOf(own, drivers)?.challenges) ?? [];
  const portal = drivers[(gate ?? noPortal).driver];
  const entrance = login === null ? null : drivers[login.driver];
  if (faults.length > 0 || portal?.kind !== 'portal' || (entrance !== null && entrance?.kind !== 'login')) {
    throw new Error(`the manifest of ${manifest.id} is wrong: ${faults.join('; ')}`);
  }
  return {
    portal: portal.create((gate ?? noPortal).options, log),
    portalUrl: gate === null ? null : baseOf(gate),
    login: entrance?.create(login?.options ?? {}) ?? null,
    loginUrl: login && baseOf(login),
    attended,
    further: new Map([
      ...(login === null ? [] : [['unified-login', furtherOf(login, drivers)] as const]),
      ...applications.map((part) => [part.driver, furtherOf(part, drivers)] as const),
    ]),
    applications: new Map(
      applications.flatMap((part) => {
        const driver = applicationOf(part, drivers);
        const { service } = part.options;
        if (driver === null) return [];
        const own = entryOf(login, driver) === 'own-login';
        const connected = {
          row: own ? { ...driver.row, entry: { kind: 'own-login' as const } } : driver.row,
          url: baseOf(part),
          service: typeof service === 'string' ? service : null,
          ownLogin: (own && driver.ownLogin?.(part.options)) || null,
        };
        return [[part.driver, connected] as const];
      }),
    ),
    challenges: [
      ...new Set([
        ...(attended.length > 0 ? ['captcha'] : []),
        ...portal.challenges,
        ...(entrance?.challenges ?? ownChallenges),
      ]),
    ],
    supplies: (reach) => applications.map((part) => suppliesOf(part, drivers, reach)),
  };
};
