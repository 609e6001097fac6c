import { isWideNetwork } from '../lib/address.ts';
import { DAY_MS, SECOND_MS } from '../lib/time.ts';
import { demoInvite } from './demo.ts';
import { type ConfigFinding, finding } from './finding.ts';
import { type ReadSettings, wiringKeys } from './schema.ts';
import { evaluationPauseMs } from './settings/features.ts';

/** Settings that belong to the addresses: a manifest says these itself. */
const besideWiring = ['CAMPUS_CARD_URL', 'CAMPUS_TIMEZONE', 'SCAN_SIGN_BODY'];

const campusProblems = (read: ReadSettings): ConfigFinding[] => {
  const { values, given, failed } = read;
  if (failed.has('CAMPUS')) return [];
  const { choice } = values.campus;
  const own = choice === null || choice === 'demo' ? wiringKeys : [...wiringKeys, ...besideWiring];
  const set = own.filter((key) => given.has(key));
  if (choice !== null) {
    if (set.length === 0) return [];
    const problem = `${choice}, although ${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set`;
    return [{ key: 'CAMPUS', problem, hint: 'remove either CAMPUS or the addresses' }];
  }
  if (set.length > 0) {
    return wiringKeys
      .filter((key) => !given.has(key))
      .map((key) =>
        finding(
          key,
          'not set, while other campus addresses are',
          'set it as well, or none of them for the demo campus',
        ),
      );
  }
  if (values.environment !== 'production') return [];
  return [
    finding(
      'CAMPUS',
      'not set, and no campus address is, in production',
      `set ${wiringKeys.join(', ')}, CAMPUS to a manifest, or CAMPUS=demo to serve the demo campus on purpose`,
    ),
  ];
};

const storageProblems = ({ values, given, failed }: ReadSettings): ConfigFinding[] => {
  const { storage } = values;
  const problems: ConfigFinding[] = [];
  if (values.environment === 'production' && storage.kind === 'sqlite' && storage.path === ':memory:') {
    problems.push(finding('DATABASE_URL', 'sqlite::memory: in production', 'give a file or postgres://'));
  }
  if (given.has('SECRET_KEY') || failed.has('DATABASE_URL')) return problems;
  const reason =
    values.environment === 'production' ? 'in production' : storage.kind === 'postgres' ? 'with postgres://' : null;
  if (reason !== null) {
    problems.push(
      finding(
        'SECRET_KEY',
        `not set ${reason}`,
        'give the output of `openssl rand -base64 32`, the same to every replica, and keep it: without it stored passwords cannot be read',
      ),
    );
  }
  return problems;
};

const serverProblems = ({ values, given, failed }: ReadSettings): ConfigFinding[] => {
  const problems: ConfigFinding[] = [];
  const { server, metrics, campus } = values;
  if (server.corsOrigins.includes('*') && server.corsOrigins.length > 1) {
    problems.push({ key: 'CORS_ORIGINS', problem: '* beside other origins', hint: 'give either * or the origins' });
  }
  if (server.port !== 0 && metrics.port === server.port) {
    const hint = 'give another port, or leave it out to serve the metrics at PORT';
    problems.push({ key: 'METRICS_PORT', problem: `"${server.port}", which is PORT`, hint });
  }
  const [attempt, total] = [(campus.attemptMs ?? 0) / SECOND_MS, server.requestTimeoutMs / SECOND_MS];
  if (attempt >= total && !failed.has('REQUEST_TIMEOUT_SECONDS')) {
    const limit = given.has('REQUEST_TIMEOUT_SECONDS') ? `${total}` : `${total}, its default`;
    problems.push(
      finding('CAMPUS_ATTEMPT_SECONDS', `"${attempt}"`, `give less than REQUEST_TIMEOUT_SECONDS (${limit})`),
    );
  }
  return problems;
};

const accountsProblems = ({ values, given, failed }: ReadSettings): ConfigFinding[] => {
  const [ttl, most] = [values.accounts.tokenTtlMs / DAY_MS, values.accounts.tokenMaxMs / DAY_MS];
  if (!given.has('TOKEN_TTL_DAYS') || failed.has('TOKEN_MAX_DAYS') || ttl <= most) return [];
  const limit = given.has('TOKEN_MAX_DAYS') ? `${most}` : `${most}, its default`;
  return [{ key: 'TOKEN_TTL_DAYS', problem: `"${ttl}"`, hint: `give at most TOKEN_MAX_DAYS (${limit})` }];
};

export const crossProblems = (read: ReadSettings): ConfigFinding[] => [
  ...serverProblems(read),
  ...storageProblems(read),
  ...accountsProblems(read),
  ...campusProblems(read),
];

const GUESSABLE = 10;

/** The demo's own code is meant to be public. */
const shortCodes = ({ values, demo }: ReadSettings): number =>
  values.accounts.inviteCodes.filter(({ code }) => code.length < GUESSABLE && !(demo && code === demoInvite.code))
    .length;

export const crossWarnings = (read: ReadSettings): ConfigFinding[] => {
  const { values, given } = read;
  const warnings: ConfigFinding[] = [];
  const { server, campus, metrics, docs } = values;
  for (const [key, networks, what] of [
    ['TRUSTED_PROXIES', server.trustedProxies, 'everything in there can say that it calls for any address'],
    ['TRUSTED_CALLERS', server.trustedCallers, 'nothing in there has a limit per address'],
  ] as const) {
    const wide = networks.filter(isWideNetwork);
    const hint = 'name the machines themselves, or at most a /24 (IPv6: /64)';
    if (wide.length > 0) warnings.push({ key, problem: `${wide.join(', ')}: ${what}`, hint });
  }
  if (campus.wiring.vpnUrl.startsWith('http:')) {
    const hint = 'use https:// outside tests: passwords travel unencrypted';
    warnings.push({ key: 'CAMPUS_VPN_URL', problem: 'begins with http://', hint });
  }
  if (campus.cardUrl !== null && read.demo) {
    const hint = 'set the other campus addresses as well, or remove it';
    warnings.push({ key: 'CAMPUS_CARD_URL', problem: 'set, while the demo campus is used, which has its own', hint });
  }
  if (campus.vpnInsecureTls) {
    const hint = 'turn it off outside tests: anyone on the way can read passwords';
    warnings.push({ key: 'CAMPUS_VPN_INSECURE_TLS', problem: 'on', hint });
  }
  if (!metrics.enabled && metrics.port !== null) {
    warnings.push(finding('METRICS_PORT', 'set, while METRICS is off', 'set METRICS=on to serve metrics'));
  }
  if (!docs.enabled && !given.has('DOCS_URL')) {
    const hint = 'set it to your documentation: GET / redirects to /docs, which answers 404 while DOCS is off';
    warnings.push({ key: 'DOCS_URL', problem: 'not set', hint });
  }
  if (values.environment === 'production' && server.publicUrl === null) {
    const problem = 'not set in production: addresses of images and calendar feeds begin with http://127.0.0.1';
    warnings.push(finding('PUBLIC_URL', problem, 'give the address under which clients reach the service'));
  }
  const short = shortCodes(read);
  if (short > 0) {
    const problem = `${short} of its codes ${short === 1 ? 'has' : 'have'} fewer than ${GUESSABLE} characters`;
    const hint = 'take longer ones, or those of `campus invite create`: short ones can be guessed';
    warnings.push({ key: 'INVITE_CODES', problem, hint });
  }
  return warnings;
};

/** Counts the inserted, deleted and replaced characters between two texts. */
const distance = (a: string, b: string): number => {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1)));
    }
    last = row;
  }
  return last[b.length] ?? 0;
};

/** Names that other programs use for a setting of ours. */
const otherNames: ReadonlyMap<string, string> = new Map([['TRUST_PROXY', 'TRUSTED_PROXIES']]);

/** Settings of the last release, which are ignored so that an upgrade starts. */
const former: ReadonlyMap<string, string> = new Map([
  ['EVALUATION_PAUSE_SECONDS', `the plan \`sequential\` always pauses for ${evaluationPauseMs / 1_000} s`],
]);

/** Guesses which setting was meant. A longer key may have more slips; a short one must match. */
const findMeant = (key: string, settings: readonly string[]): string | null => {
  const upper = key.toUpperCase();
  const other = otherNames.get(upper);
  if (other !== undefined && settings.includes(other)) return other;
  let best: { key: string; slips: number } | null = null;
  for (const candidate of settings) {
    const allowed = Math.floor(candidate.length / 5);
    if (Math.abs(candidate.length - upper.length) > allowed) continue;
    const slips = distance(upper, candidate);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { key: candidate, slips };
  }
  return best?.key ?? null;
};

/** Finds variables that look like ours and are not: without a word, a misspelt setting would be its default. */
export const unknownKeys = (given: readonly string[], settings: readonly string[]): ConfigFinding[] => {
  const names = new Set(settings);
  return given.flatMap((key) => {
    if (names.has(key) || key.length > 64) return [];
    const instead = former.get(key);
    if (instead !== undefined) return [{ key, problem: 'no setting any more', hint: `remove it; ${instead}` }];
    const guess = findMeant(key, settings);
    if (guess === null && !key.startsWith('CAMPUS_')) return [];
    const hint = guess === null ? 'remove it; no setting has this name' : `write ${guess} if that was meant`;
    return [{ key, problem: 'no setting of this name', hint }];
  });
};
