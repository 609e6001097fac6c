import { type CampusIdentity, changedAddresses, demoIdentity, isDemo } from '../lib/campus-identity.ts';
import type { Finding } from './config.ts';
import { type ReadSettings, wantsDemo, wiringKeys } from './rules.ts';
import { type Settings, settings } from './schema.ts';
import type { ConfigFiles } from './secret-key.ts';
import { parseDatabaseUrl } from './structured.ts';

/** Paths may be corrected without becoming another campus; a host, port or scheme decides who gets the passwords. */
export const campusIdentity = (values: Settings, demo: boolean): CampusIdentity =>
  demo
    ? demoIdentity
    : Object.fromEntries(
        wiringKeys.map((key) => {
          const value = values[key] ?? '';
          return [key, URL.canParse(value) ? new URL(value).origin : value];
        }),
      );

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

const fileOf = (url: unknown): string | null => {
  const storage = typeof url === 'string' ? parseDatabaseUrl(url) : null;
  return storage?.kind === 'sqlite' ? storage.path : null;
};

/** The demo campus once had the same file as any other: whoever has tried it would find it empty, and wonder. */
export const movedDemoFile = (read: ReadSettings, files: ConfigFiles): Finding[] => {
  if (!wantsDemo(read) || read.given.has('DATABASE_URL')) return [];
  const former = fileOf(settings.properties.DATABASE_URL.default);
  const own = fileOf(settings.properties.DATABASE_URL.demoDefault);
  if (former === null || own === null || files.exists(own) || !files.exists(former)) return [];
  const problem = `not set, so the demo campus begins a file of its own, ${own}; ${former} is left as it is`;
  return [
    { key: 'DATABASE_URL', problem, hint: `give sqlite:${former} to go on with what the demo campus kept there` },
  ];
};
