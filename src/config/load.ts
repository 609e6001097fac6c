import type { Manifest } from '../campus/manifest.ts';
import { isDemoName } from '../lib/campus-identity.ts';
import { readAdjustmentsFile } from './adjustments-file.ts';
import { readAnswersFile } from './answers-file.ts';
import { campusIdentity, movedDemoFile, passwordHosts } from './campus-identity.ts';
import { assemble, type Config } from './config.ts';
import { type Finding, InvalidConfig } from './finding.ts';
import { faultOf } from './kinds.ts';
import { manifestPath, readManifest } from './manifest.ts';
import { crossProblems, crossWarnings } from './rules.ts';
import { type ReadSettings, settings, settingsByKey, wiringKeys } from './schema.ts';
import { type ConfigFiles, secretFileKeys, secretKeys, withoutCreating, withSecretFiles } from './secrets.ts';
import { assembled } from './setting.ts';
import { unknownKeys } from './unknown-keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const readAll = (from: Environment, files: ConfigFiles): { read: ReadSettings; problems: Finding[] } => {
  const { env, unread, problems: unreadable } = withSecretFiles(from, files);
  const texts = new Map<string, string>();
  for (const key of settingsByKey.keys()) {
    const text = env[key]?.trim() ?? '';
    if (text !== '') texts.set(key, text);
  }
  const wired = texts.has('CAMPUS') || wiringKeys.some((key) => texts.has(key));
  const demo = isDemoName(texts.get('CAMPUS') ?? '') || !wired;
  const failed = new Set<string>(unread);
  const problems: Finding[] = [...unreadable];
  const values = assembled(settings, ({ key, kind, unset, meta: { demoDefault, secret = false } }) => {
    const text = texts.get(key);
    if (text === undefined) return demo && demoDefault !== undefined ? kind.read(demoDefault) : unset;
    const value = kind.read(text);
    if (value !== null) return value;
    failed.add(key);
    problems.push({ key, problem: faultOf(kind, text, secret), hint: `give ${kind.expects}` });
    return unset;
  });
  return { read: { values, demo, given: new Set([...texts.keys(), ...unread]), failed }, problems };
};

const frozen = <T>(value: T): T => {
  // Bytes cannot be frozen, and nobody has a reason to write to a key.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};

/**
 * Reads and checks the whole configuration. Depends on nothing but its arguments; an empty value counts as not set.
 * A key file is created (through `files`) only when everything else is right.
 * @param faultsOf what the drivers of a manifest cannot work with
 * @throws InvalidConfig with every problem at once
 */
export const loadConfig = (
  env: Environment,
  files: ConfigFiles,
  faultsOf: (manifest: Manifest) => readonly string[] = () => [],
): Config => {
  const { read, problems } = readAll(env, files);
  const { evaluation, calendar } = read.values;
  problems.push(...crossProblems(read));
  const set = Object.keys(env).filter((key) => env[key]?.trim());
  const warnings = [
    ...crossWarnings(read),
    ...movedDemoFile(read, files),
    ...unknownKeys(set, [...settingsByKey.keys(), ...secretFileKeys.keys()]),
  ];
  const answers = readAnswersFile(evaluation.answers, files);
  const adjustments = readAdjustmentsFile(calendar.adjustments, files);
  problems.push(...answers.problems, ...adjustments.problems);
  const { choice } = read.values.campus;
  const path = choice === null || choice === 'demo' ? null : manifestPath(choice);
  const manifest = readManifest(path, files, faultsOf);
  const [entrance = ''] = manifest.value === null ? [] : passwordHosts(campusIdentity(manifest.value));
  if (entrance.startsWith('http:') && !read.demo) {
    const plain = 'use https:// outside tests: passwords travel unencrypted';
    warnings.push({ key: 'CAMPUS', problem: `${path}: passwords go to ${entrance}`, hint: plain });
  }
  problems.push(...manifest.problems);
  // Other problems first: nothing is created for a start that will not happen.
  const keys = secretKeys(read, problems.length === 0 ? files : withoutCreating(files));
  if ('problem' in keys) problems.push(keys.problem);
  if (problems.length > 0 || 'problem' in keys) throw new InvalidConfig(problems, warnings);
  const found = {
    secretKeys: keys.keys,
    answers: answers.value,
    adjustments: adjustments.value,
    manifest: manifest.value,
    warnings,
  };
  return frozen(assemble(read, found));
};
