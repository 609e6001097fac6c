import type { Manifest, ManifestPart } from '../campus/manifest.ts';
import { type CampusIdentity, changedAddresses, isDemo } from '../lib/campus-identity.ts';
import { type Finding, finding } from './finding.ts';
import { type ReadSettings, settings } from './schema.ts';
import type { ConfigFiles } from './secrets.ts';

/** In place of the address of a portal: a campus that gets one is another campus. */
const NO_PORTAL = 'none';

const originOf = ({ options: { url } }: ManifestPart): string => URL.parse(String(url))?.origin ?? '';

/**
 * By the hosts that get passwords, under the names of their settings. Their paths may be corrected, and applications come
 * and go, without making it another campus.
 */
export const campusIdentity = ({ portal, login }: Manifest): CampusIdentity => ({
  CAMPUS_VPN_URL: portal === null ? NO_PORTAL : originOf(portal),
  CAMPUS_CAS_URL: originOf(login),
});

export const passwordHosts = (identity: CampusIdentity): string[] =>
  [identity.CAMPUS_VPN_URL, identity.CAMPUS_CAS_URL].flatMap((host = NO_PORTAL) => (host === NO_PORTAL ? [] : [host]));

/** For people. The addresses of a campus hold no user information, see forms.ts. */
export const campusName = (identity: CampusIdentity): string =>
  isDemo(identity)
    ? `the demo campus${identity.CAMPUS === 'demo' ? '' : ` ${identity.CAMPUS}`}`
    : `the campus at ${passwordHosts(identity)[0] ?? 'an unknown address'}`;

/** One line per address that is another one now. */
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
  return finding(
    key,
    changes.length === 0 ? names : `${names} (${changes.join('; ')})`,
    `name another database, or take this one over: \`campus adopt\` says what that changes`,
  );
};

/** The demo campus once had the same file as any other: who has tried it would find it empty, and wonder. */
export const movedDemoFile = ({ demo, given, values }: ReadSettings, files: ConfigFiles): Finding[] => {
  const { choice } = values.campus;
  if (!demo || given.has('DATABASE_URL') || (choice !== null && choice !== 'demo')) return [];
  const { default: standing, meta } = settings.storage;
  const [former = '', own = ''] = [standing, meta.demoDefault].map((url) => url?.slice('sqlite:'.length));
  if (files.exists(own) || !files.exists(former)) return [];
  const problem = `not set, so the demo campus begins a file of its own, ${own}; ${former} is left as it is`;
  return [{ key: 'DATABASE_URL', problem, hint: `give ${standing} to go on with what the demo campus kept there` }];
};
