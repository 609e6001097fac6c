import { Value } from '@sinclair/typebox/value';
import type { CampusWiring } from '../campus/wiring.ts';
import { campusIdentity } from './campus-identity.ts';
import type { AnswerPools, CalendarAdjustments, Config, Finding, InviteSeed } from './config.ts';
import { demoInvite } from './demo.ts';
import { type ReadSettings, wantsDemo, type wiringKeys } from './rules.ts';
import { type Settings, settings } from './schema.ts';
import { parseDatabaseUrl, parseInviteSeed } from './structured.ts';

const withDemoDefaults = (read: ReadSettings): Settings => {
  const values: Record<string, unknown> = { ...read.values };
  for (const [key, { demoDefault }] of Object.entries(settings.properties)) {
    if (demoDefault !== undefined && !read.given.has(key)) values[key] = demoDefault;
  }
  if (!Value.Check(settings, values)) throw new Error('a demo default of the configuration schema breaks its bounds');
  return values;
};

const wiringOf = (values: Settings): CampusWiring => {
  const at = (key: (typeof wiringKeys)[number]): string => {
    const value = values[key];
    if (value === undefined) throw new Error(`${key} is not set`);
    return value;
  };
  return {
    vpnUrl: at('CAMPUS_VPN_URL'),
    vpnDomain: at('CAMPUS_VPN_DOMAIN'),
    casUrl: at('CAMPUS_CAS_URL'),
    jwcUrl: at('CAMPUS_JWC_URL'),
    jwcService: at('CAMPUS_JWC_SERVICE'),
    aacUrl: at('CAMPUS_AAC_URL'),
    aacService: at('CAMPUS_AAC_SERVICE'),
    ldjlbUrl: at('CAMPUS_LDJLB_URL'),
    ldjlbService: at('CAMPUS_LDJLB_SERVICE'),
    isimUrl: at('CAMPUS_ISIM_URL'),
    competitionUrl: at('CAMPUS_COMPETITION_URL'),
  };
};

/** In demo mode the demo code is there too, unless the operator has set his own terms for it. */
const inviteSeeds = (texts: readonly string[], demo: boolean): InviteSeed[] => {
  const seeds = texts.flatMap((text) => parseInviteSeed(text) ?? []);
  return demo && !seeds.some(({ code }) => code === demoInvite.code) ? [...seeds, demoInvite] : seeds;
};

const seconds = (value: number): number => Math.round(value * 1000);

const attemptMs = ({ CAMPUS_ATTEMPT_SECONDS: given, REQUEST_TIMEOUT_SECONDS: total }: Settings): number =>
  given === undefined ? Math.min(12_000, seconds(total * 0.8)) : seconds(given);

/** Behind a balancer nobody should be refused; on a developer’s machine nobody wants to wait. */
const drainMs = ({ SHUTDOWN_DRAIN_SECONDS: given, NODE_ENV: environment }: Settings): number =>
  seconds(given ?? (environment === 'production' ? 5 : 0));

/** Turns checked settings into the nested form in which the service uses them. */
export const assemble = (
  read: ReadSettings,
  secretKeys: readonly Buffer[],
  { answers, adjustments }: { answers: AnswerPools | null; adjustments: CalendarAdjustments },
  warnings: readonly Finding[],
): Config => {
  const demo = wantsDemo(read);
  const values = demo ? withDemoDefaults(read) : read.values;
  const storage = parseDatabaseUrl(values.DATABASE_URL);
  if (storage === null) throw new Error('DATABASE_URL is not readable');
  return {
    environment: values.NODE_ENV,
    server: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL ?? null,
      trustedProxies: values.TRUSTED_PROXIES,
      trustedCallers: values.TRUSTED_CALLERS,
      maxConnections: values.MAX_CONNECTIONS,
      limits: { callsPerToken: values.LIMIT_CALLS_PER_TOKEN, callsPerAddress: values.LIMIT_CALLS_PER_ADDRESS },
      corsOrigins: values.CORS_ORIGINS,
      requestTimeoutMs: seconds(values.REQUEST_TIMEOUT_SECONDS),
    },
    shutdown: { drainMs: drainMs(values) },
    log: { level: values.LOG_LEVEL },
    docs: { enabled: values.DOCS, url: values.DOCS_URL },
    metrics: { enabled: values.METRICS },
    storage,
    secretKeys,
    accounts: {
      tokenTtlMs: values.TOKEN_TTL_DAYS * 86_400_000,
      tokenMaxMs: values.TOKEN_MAX_DAYS * 86_400_000,
      refusalsPerAddress: values.LIMIT_REFUSALS_PER_ADDRESS,
      campusRefusalsPerDay: values.CAMPUS_REFUSALS_PER_DAY,
      adminUserIds: values.ADMIN_USER_IDS,
      inviteCodes: inviteSeeds(values.INVITE_CODES, demo),
    },
    campus: {
      ...(demo ? { kind: 'demo' } : { kind: 'wired', wiring: wiringOf(values) }),
      identity: campusIdentity(values, demo),
      timeZone: values.CAMPUS_TIMEZONE,
      connections: values.CAMPUS_CONNECTIONS,
      attemptMs: attemptMs(values),
      vpnInsecureTls: values.CAMPUS_VPN_INSECURE_TLS,
      scanSignBody: values.SCAN_SIGN_BODY,
    },
    reads: {
      freshSeconds: values.FRESH_SECONDS,
      staleIfErrorSeconds: values.STALE_IF_ERROR_SECONDS,
      copyMaxMs: values.KEEP_COPIES ? values.COPY_MAX_DAYS * 86_400_000 : 0,
    },
    calendar: { adjustments },
    demoNight: values.DEMO_NIGHT,
    evaluation: {
      waitMs: seconds(values.EVALUATION_WAIT_SECONDS),
      pauseMs: seconds(values.EVALUATION_PAUSE_SECONDS),
      plan: values.EVALUATION_PLAN,
      openEveryMs: seconds(values.EVALUATION_OPEN_EVERY_SECONDS),
      maxRunning: values.EVALUATION_MAX_RUNNING,
      answers,
    },
    warnings,
  };
};
