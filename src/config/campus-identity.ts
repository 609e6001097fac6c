import { type CampusIdentity, changedAddresses, demoIdentity, isDemo } from '../lib/campus-identity.ts';
import type { Finding } from './finding.ts';
import { type ReadSettings, settings, type Values } from './schema.ts';
import type { ConfigFiles } from './secret-key.ts';

/** Paths may be corrected without becoming another campus; a host, port or scheme decides who gets the passwords. */
export const campusIdentity = (wiring: Values['campus']['wiring'], demo: boolean): CampusIdentity => {
  if (demo) return demoIdentity;
  const addresses: Readonly<Record<string, string>> = wiring;
  const entries = Object.entries(settings.campus.wiring).map(([member, { key }]) => {
    const value = addresses[member] ?? '';
    return [key, URL.canParse(value) ? new URL(value).origin : value];
  });
  return Object.fromEntries(entries);
};

/** For people. The addresses of a campus hold no user information, see forms.ts. */
export const campusName = (identity: CampusIdentity): string =>
  isDemo(identity) ? 'the demo campus' : `the campus at ${identity.CAMPUS_VPN_URL ?? 'an unknown address'}`;

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
  return {
    key,
    problem: changes.length === 0 ? names : `${names} (${changes.join('; ')})`,
    hint: `name another database, or take this one over: \`campus adopt\` says what that changes`,
  };
};

/** The demo campus once had the same file as any other: who has tried it would find it empty, and wonder. */
export const movedDemoFile = ({ demo, given }: ReadSettings, files: ConfigFiles): Finding[] => {
  if (!demo || given.has('DATABASE_URL')) return [];
  const { default: standing, meta } = settings.storage;
  const [former = '', own = ''] = [standing, meta.demoDefault].map((url) => url?.slice('sqlite:'.length));
  if (files.exists(own) || !files.exists(former)) return [];
  const problem = `not set, so the demo campus begins a file of its own, ${own}; ${former} is left as it is`;
  return [{ key: 'DATABASE_URL', problem, hint: `give ${standing} to go on with what the demo campus kept there` }];
};
