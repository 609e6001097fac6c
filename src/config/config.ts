import type { Manifest, ManifestPart } from '../campus/contract/manifest.ts';
import { isDemoName } from '../lib/campus-identity.ts';
import { campusIdentity, customManifest, manifestPath, passwordHosts, readManifest } from './campus.ts';
import { demoInvite } from './demo.ts';
import { type ConfigFinding, InvalidConfig } from './finding.ts';
import {
  type CalendarAdjustments,
  type ConfiguredAnswerPools,
  readAdjustmentsFile,
  readAnswersFile,
} from './json-files.ts';
import { settingFaultOf } from './kinds.ts';
import { crossProblems, crossWarnings, unknownKeys } from './rules.ts';
import { type ReadSettings, settings, settingsByKey, wiringKeys } from './schema.ts';
import {
  type ConfigFiles,
  type Environment,
  secretFileKeys,
  secretKeys,
  withoutCreating,
  withSecretFiles,
} from './secrets.ts';
import { assembleSettings } from './setting.ts';
import { evaluationPauseMs } from './settings/features.ts';

/** Behind a balancer no call should be refused; on a developer’s machine no one wants to wait. */
const DRAIN_MS = { production: 5_000, development: 0, test: 0 };

const LONGEST_ATTEMPT_MS = 12_000;

/** Addresses alone do not say what their campus is called. */
const customName = { zh: '校园', en: 'Campus' };

/** Values and findings that come from files rather than from one setting. */
interface FileValues {
  readonly secretKeys: readonly Buffer[];
  readonly answers: ConfiguredAnswerPools | null;
  readonly adjustments: CalendarAdjustments;
  /** Null means the campus of the addresses, or the demo campus. */
  readonly manifest: Manifest | null;
  /** Its application with its own login. */
  readonly own: ManifestPart | null;
  /** Findings that do not prevent startup. */
  readonly warnings: readonly ConfigFinding[];
}

const assemble = ({ values, demo, given }: ReadSettings, found: FileValues) => {
  const { choice, wiring, cardUrl, scanSignBody: scan, timeZone, proxy, proxyAuthorization, ...campus } = values.campus;
  const wired = { ...wiring, cardUrl: cardUrl ?? undefined };
  const manifest = found.manifest ?? customManifest(wired, { id: 'custom', name: customName, timeZone, scan });
  const proxyAddress = proxy ?? manifest.proxy ?? null;
  const { keepCopies, ...reads } = values.reads;
  const { inviteCodes, ...accounts } = values.accounts;
  const { requestTimeoutMs } = values.server;
  // Adds the demo code, unless the operator has set other terms for it.
  const addsInvite = demo && !inviteCodes.some(({ code }) => code === demoInvite.code);
  return {
    ...values,
    // Each demo campus has its own file.
    storage:
      found.manifest !== null && demo && !given.has('DATABASE_URL')
        ? ({ kind: 'sqlite', path: `./data/${choice}.db` } as const)
        : values.storage,
    shutdown: { drainMs: values.shutdown.drainMs ?? DRAIN_MS[values.environment] },
    secretKeys: found.secretKeys,
    accounts: { ...accounts, inviteCodes: addsInvite ? [...inviteCodes, demoInvite] : inviteCodes },
    campus: {
      ...(demo ? ({ kind: 'demo', scan, manifest: found.manifest } as const) : ({ kind: 'wired', manifest } as const)),
      ...campus,
      timeZone: manifest.timeZone,
      proxy: proxyAddress === null ? null : { url: proxyAddress, authorization: proxyAuthorization },
      /** Says which campus the database must belong to. */
      identity: demo ? { CAMPUS: choice ?? 'demo' } : campusIdentity(manifest, found.own),
      attemptMs: campus.attemptMs ?? Math.min(LONGEST_ATTEMPT_MS, Math.round(requestTimeoutMs * 0.8)),
    },
    /** `copyMaxMs` 0: no copies are kept. */
    reads: { ...reads, copyMaxMs: keepCopies ? reads.copyMaxMs : 0 },
    calendar: { adjustments: found.adjustments },
    evaluation: {
      ...values.evaluation,
      timing: { ...values.evaluation.timing, pauseMs: evaluationPauseMs },
      answers: found.answers,
    },
    warnings: found.warnings,
  };
};

/** Everything that can be set, checked and frozen. Times are milliseconds; null: not set. */
export type Config = Readonly<ReturnType<typeof assemble>>;

const readAll = (from: Environment, files: ConfigFiles): { read: ReadSettings; problems: ConfigFinding[] } => {
  const { env, unread, problems: unreadable } = withSecretFiles(from, files);
  const texts = new Map<string, string>();
  for (const key of settingsByKey.keys()) {
    const text = env[key]?.trim() ?? '';
    if (text !== '') texts.set(key, text);
  }
  const wired = texts.has('CAMPUS') || wiringKeys.some((key) => texts.has(key));
  const demo = isDemoName(texts.get('CAMPUS') ?? '') || !wired;
  const failed = new Set<string>(unread);
  const problems: ConfigFinding[] = [...unreadable];
  const values = assembleSettings(settings, ({ key, kind, unset, meta: { demoDefault, secret = false } }) => {
    const text = texts.get(key);
    if (text === undefined) return demo && demoDefault !== undefined ? kind.read(demoDefault) : unset;
    const value = kind.read(text);
    if (value !== null) return value;
    failed.add(key);
    problems.push({ key, problem: settingFaultOf(kind, text, secret), hint: `give ${kind.expects}` });
    return unset;
  });
  return { read: { values, demo, given: new Set([...texts.keys(), ...unread]), failed }, problems };
};

const freeze = <T>(value: T): T => {
  // Buffers cannot be frozen.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
};

/**
 * Depends on nothing but its arguments; an empty value counts as not set. A key file is created only when everything
 * else is right.
 * @param faultsOf what the drivers of a manifest cannot work with
 * @param ownLoginOf its application with its own login, which only drivers know
 * @throws InvalidConfig with every problem at once
 */
export const loadConfig = (
  env: Environment,
  files: ConfigFiles,
  faultsOf: (manifest: Manifest) => readonly string[] = () => [],
  ownLoginOf: (manifest: Manifest) => ManifestPart | null = () => null,
): Config => {
  const { read, problems } = readAll(env, files);
  const { evaluation, calendar } = read.values;
  problems.push(...crossProblems(read));
  const set = Object.keys(env).filter((key) => env[key]?.trim());
  const warnings = [...crossWarnings(read), ...unknownKeys(set, [...settingsByKey.keys(), ...secretFileKeys.keys()])];
  const answers = readAnswersFile(evaluation.answers, files);
  const adjustments = readAdjustmentsFile(calendar.adjustments, files);
  problems.push(...answers.problems, ...adjustments.problems);
  const { choice } = read.values.campus;
  const path = choice === null || choice === 'demo' ? null : manifestPath(choice);
  const manifest = readManifest(path, files, faultsOf);
  const own = manifest.value === null ? null : ownLoginOf(manifest.value);
  for (const host of manifest.value === null ? [] : passwordHosts(campusIdentity(manifest.value, own))) {
    if (!host.startsWith('http:') || read.demo) continue;
    const plain = 'use https:// outside tests: passwords travel unencrypted';
    warnings.push({ key: 'CAMPUS', problem: `${path}: passwords go to ${host}`, hint: plain });
  }
  problems.push(...manifest.problems);
  const keys = secretKeys(read, problems.length === 0 ? files : withoutCreating(files));
  if ('problem' in keys) problems.push(keys.problem);
  if (problems.length > 0 || 'problem' in keys) throw new InvalidConfig(problems, warnings);
  const found = {
    secretKeys: keys.keys,
    answers: answers.value,
    adjustments: adjustments.value,
    manifest: manifest.value,
    own,
    warnings,
  };
  return freeze(assemble(read, found));
};
