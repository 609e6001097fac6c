import { type Config, loadConfig } from '../../../src/config/config.ts';
import type { ConfigFinding } from '../../../src/config/finding.ts';
import { InvalidConfig } from '../../../src/config/finding.ts';
import type { ConfigFiles } from '../../../src/config/secrets.ts';

export const key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');
export const otherKey = Buffer.from('fedcba9876543210fedcba9876543210').toString('base64');

/** All campus addresses, as one machine with one port per system. */
export const wiring: Readonly<Record<string, string>> = {
  CAMPUS_VPN_URL: 'https://127.0.0.1:8443',
  CAMPUS_VPN_DOMAIN: '127.0.0.1',
  CAMPUS_CAS_URL: 'http://127.0.0.1:8101/cas',
  CAMPUS_JWC_URL: 'http://127.0.0.1:8102',
  CAMPUS_JWC_SERVICE: 'http://jwc.example.edu/j_spring_cas_security_check',
  CAMPUS_AAC_URL: 'http://127.0.0.1:8103',
  CAMPUS_AAC_SERVICE: 'http://aac.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  CAMPUS_LDJLB_URL: 'http://127.0.0.1:8104',
  CAMPUS_LDJLB_SERVICE: 'http://ldjlb.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  CAMPUS_ISIM_URL: 'http://127.0.0.1:8105',
  CAMPUS_COMPETITION_URL: 'http://127.0.0.1:8106',
};

/** Files in memory; `created` tells what a load has written. */
export const memoryFiles = (content: Record<string, string> = {}) => {
  const held = new Map(Object.entries(content));
  const created: string[] = [];
  const files: ConfigFiles = {
    read: (path) => held.get(path) ?? null,
    exists: (path) => held.has(path),
    createOnce: (path, text) => {
      created.push(path);
      const kept = held.get(path) ?? text;
      held.set(path, kept);
      return kept;
    },
    freshKey: () => key,
  };
  return { files, created, held };
};

type Environment = Record<string, string | undefined>;

export const load = (env: Environment, files: ConfigFiles = memoryFiles().files): Config => loadConfig(env, files);

/** The campus of an environment that wires one. */
export const manifestOf = (env: Environment, files?: ConfigFiles) => {
  const { campus } = load(env, files);
  if (campus.kind === 'demo') throw new Error('the demo campus');
  return campus.manifest;
};

export const findings = (
  env: Environment,
  files: ConfigFiles = memoryFiles().files,
  faultsOf?: Parameters<typeof loadConfig>[2],
): InvalidConfig => {
  try {
    loadConfig(env, files, faultsOf);
  } catch (error) {
    if (error instanceof InvalidConfig) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

/** Files that this user may not read. */
export const unreadable = (text: string, held: Record<string, string> = {}): ConfigFiles => ({
  ...memoryFiles(held).files,
  read: () => {
    throw Object.assign(new Error(text), { code: 'EACCES' });
  },
});

/** The problems of a configuration that must be refused. */
export const problems = (...given: Parameters<typeof findings>): readonly ConfigFinding[] =>
  findings(...given).problems;
