import type { Finding } from './config.ts';
import type { SettingKey, Settings } from './schema.ts';
import { parseDatabaseUrl } from './structured.ts';

/** The addresses without which the campus cannot be reached: all of them, or none for the demo campus. */
export const wiringKeys = [
  'CAMPUS_VPN_URL',
  'CAMPUS_VPN_DOMAIN',
  'CAMPUS_CAS_URL',
  'CAMPUS_JWC_URL',
  'CAMPUS_JWC_SERVICE',
  'CAMPUS_AAC_URL',
  'CAMPUS_AAC_SERVICE',
  'CAMPUS_LDJLB_URL',
  'CAMPUS_LDJLB_SERVICE',
  'CAMPUS_ISIM_URL',
  'CAMPUS_COMPETITION_URL',
] as const satisfies readonly SettingKey[];

/** What was read, with defaults for what was not given or not readable. */
export interface ReadSettings {
  readonly values: Settings;
  /** Given and not empty, readable or not. */
  readonly given: ReadonlySet<string>;
  /** Given and not readable: rules that lean on these say nothing more. */
  readonly failed: ReadonlySet<string>;
}

export const wantsDemo = ({ values, given }: ReadSettings): boolean =>
  values.CAMPUS === 'demo' || !wiringKeys.some((key) => given.has(key));

const campusProblems = (read: ReadSettings): Finding[] => {
  const { values, given, failed } = read;
  if (failed.has('CAMPUS')) return [];
  const set = wiringKeys.filter((key) => given.has(key));
  if (values.CAMPUS === 'demo') {
    if (set.length === 0) return [];
    const problem = `demo, although ${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set`;
    return [{ key: 'CAMPUS', problem, hint: 'remove either CAMPUS or the addresses' }];
  }
  if (set.length > 0) {
    return wiringKeys
      .filter((key) => !given.has(key))
      .map((key) => ({
        key,
        problem: 'not set, while other campus addresses are',
        hint: 'set it as well, or none of them for the demo campus',
      }));
  }
  if (values.NODE_ENV !== 'production') return [];
  return [
    {
      key: 'CAMPUS',
      problem: 'not set, and no campus address is, in production',
      hint: `set ${wiringKeys.join(', ')}, or CAMPUS=demo to serve the demo campus on purpose`,
    },
  ];
};

const storageProblems = ({ values, given, failed }: ReadSettings): Finding[] => {
  const storage = parseDatabaseUrl(values.DATABASE_URL);
  const problems: Finding[] = [];
  if (values.NODE_ENV === 'production' && storage?.kind === 'sqlite' && storage.path === ':memory:') {
    problems.push({
      key: 'DATABASE_URL',
      problem: 'sqlite::memory: in production',
      hint: 'give a file or postgres://',
    });
  }
  if (given.has('SECRET_KEY') || failed.has('DATABASE_URL')) return problems;
  const reason =
    values.NODE_ENV === 'production' ? 'in production' : storage?.kind === 'postgres' ? 'with postgres://' : null;
  if (reason !== null) {
    problems.push({
      key: 'SECRET_KEY',
      problem: `not set ${reason}`,
      hint: 'give the output of `openssl rand -base64 32`, the same to every replica, and keep it: without it stored passwords cannot be read',
    });
  }
  return problems;
};

const serverProblems = ({ values, given, failed }: ReadSettings): Finding[] => {
  const problems: Finding[] = [];
  if (values.CORS_ORIGINS.includes('*') && values.CORS_ORIGINS.length > 1) {
    problems.push({ key: 'CORS_ORIGINS', problem: '* beside other origins', hint: 'give either * or the origins' });
  }
  const { CAMPUS_ATTEMPT_SECONDS: attempt, REQUEST_TIMEOUT_SECONDS: total } = values;
  if (attempt !== undefined && attempt >= total && !failed.has('REQUEST_TIMEOUT_SECONDS')) {
    const limit = given.has('REQUEST_TIMEOUT_SECONDS') ? `${total}` : `${total}, its default`;
    problems.push({
      key: 'CAMPUS_ATTEMPT_SECONDS',
      problem: `"${attempt}"`,
      hint: `give less than REQUEST_TIMEOUT_SECONDS (${limit})`,
    });
  }
  return problems;
};

/** Rules over several keys at once. */
export const crossProblems = (read: ReadSettings): Finding[] => [
  ...serverProblems(read),
  ...storageProblems(read),
  ...campusProblems(read),
];

/** What works, but is probably not meant. */
export const crossWarnings = ({ values, given }: ReadSettings): Finding[] => {
  const warnings: Finding[] = [];
  if (values.CAMPUS_VPN_URL?.startsWith('http:')) {
    const hint = 'use https:// outside tests: passwords travel unencrypted';
    warnings.push({ key: 'CAMPUS_VPN_URL', problem: 'begins with http://', hint });
  }
  if (values.CAMPUS_VPN_INSECURE_TLS) {
    const hint = 'turn it off outside tests: anyone on the way can read passwords';
    warnings.push({ key: 'CAMPUS_VPN_INSECURE_TLS', problem: 'on', hint });
  }
  if (!values.DOCS && !given.has('DOCS_URL')) {
    const hint = 'set it to your documentation: GET / redirects to /docs, which answers 404 while DOCS is off';
    warnings.push({ key: 'DOCS_URL', problem: 'not set', hint });
  }
  return warnings;
};
