import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { findingLine } from '../../../src/config/finding.ts';
import { evaluationPauseMs } from '../../../src/config/settings/features.ts';
import { findings, key, load, memoryFiles, problems, wiring } from './support.ts';

const lines = (env: Record<string, string | undefined>): string[] => problems(env).map(findingLine);

describe('defaults', () => {
  it('serves the demo campus on loopback port 3000 when nothing is set', () => {
    const { server, environment, storage, campus, metrics, accounts, warnings } = load({});
    expect([server.host, server.port, server.publicUrl]).toEqual(['127.0.0.1', 3000, null]);
    expect([environment, metrics.enabled, warnings]).toEqual(['development', false, []]);
    expect(storage).toEqual({ kind: 'sqlite', path: './data/demo.db' });
    expect(campus).toMatchObject({ kind: 'demo', identity: { CAMPUS: 'demo' }, attemptMs: 12_000, manifest: null });
    expect(accounts).toMatchObject({
      tokenTtlMs: 30 * 86_400_000,
      inviteCodes: [{ code: 'DEMO-2026', maxUses: null }],
    });
  });

  it('counts an empty or blank value as not set', () => {
    expect(load({ PORT: '', HOST: '  ', CAMPUS_VPN_URL: '', SECRET_KEY: '' })).toEqual(load({}));
  });

  it('freezes the whole result', () => {
    const config = load({ ...wiring, TRUSTED_PROXIES: '10.0.0.1' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.server.trustedProxies)).toBe(true);
    expect(config.campus.kind === 'wired' && Object.isFrozen(config.campus.manifest.login?.options)).toBe(true);
  });
});

describe('values', () => {
  it.each(['on', 'true', '1', 'yes', 'ON', 'True'])('reads the switch %s as on', (text) => {
    expect(load({ METRICS: text }).metrics.enabled).toBe(true);
  });

  it.each(['off', 'false', '0', 'no', 'OFF'])('reads the switch %s as off', (text) => {
    expect(load({ DOCS: text, DOCS_URL: '/elsewhere' }).docs).toEqual({ enabled: false, url: '/elsewhere' });
  });

  it('adds the demo code in the demo campus only, on the terms that are set for it', () => {
    expect(load({ INVITE_CODES: 'FRIEND-1' }).accounts.inviteCodes.map(({ code }) => code)).toEqual([
      'FRIEND-1',
      'DEMO-2026',
    ]);
    expect(load({ INVITE_CODES: 'DEMO-2026:5' }).accounts.inviteCodes).toEqual([{ code: 'DEMO-2026', maxUses: 5 }]);
    expect(load(wiring).accounts.inviteCodes).toEqual([]);
  });

  it.each<[string, string, (config: Config) => unknown, unknown]>([
    ['HOST', ' ::1 ', ({ server }) => server.host, '::1'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1,,', ({ server }) => server.trustedProxies, ['10.0.0.0/8', '::1']],
    ['ADMIN_USER_IDS', '2023000001,2023000002', ({ accounts }) => accounts.adminUserIds, ['2023000001', '2023000002']],
    ['CORS_ORIGINS', 'https://App.edu,app://x', ({ server }) => server.corsOrigins, ['https://app.edu', 'app://x']],
    ['PUBLIC_URL', 'https://example.edu/campus/', ({ server }) => server.publicUrl, 'https://example.edu/campus'],
    ['OPERATOR_CONTACT', 'it@example.edu', ({ server }) => server.operator.contact, 'mailto:it@example.edu'],
    ['OPERATOR_CONTACT', 'https://example.edu/a', ({ server }) => server.operator.contact, 'https://example.edu/a'],
    ['OPERATOR_NAME', ' 示例大学 (IT) ', ({ server }) => server.operator.name, '示例大学 (IT)'],
    ['INVITE_CODES', 'SPRING-2026:50', ({ accounts }) => accounts.inviteCodes[0]?.maxUses, 50],
    ['INVITE_CODES', 'FRIEND-1', ({ accounts }) => accounts.inviteCodes[0]?.maxUses, 1],
  ])('reads %s=%j', (name, text, memberOf, value) => {
    expect(memberOf(load({ [name]: text }))).toEqual(value);
  });

  it.each([
    ['sqlite:./x/campus.db', { kind: 'sqlite', path: './x/campus.db' }],
    ['sqlite:/var/lib/campus.db', { kind: 'sqlite', path: '/var/lib/campus.db' }],
    ['sqlite:///var/lib/campus.db', { kind: 'sqlite', path: '/var/lib/campus.db' }],
    ['sqlite::memory:', { kind: 'sqlite', path: ':memory:' }],
    ['postgres://u:p@db:5432/campus', { kind: 'postgres', url: 'postgres://u:p@db:5432/campus' }],
    ['postgresql://db/campus', { kind: 'postgres', url: 'postgresql://db/campus' }],
  ])('reads the storage %s', (text, storage) => {
    expect(load({ DATABASE_URL: text, SECRET_KEY: key }).storage).toEqual(storage);
  });

  it.each([
    ['sqlite:~/c.db', 'home folder'],
    ['sqlite:~student/c.db', 'home folder'],
    ['postgres://u:p#ss@db/campus', '%23'],
    ['postgresql://u:p#s#s@db:5432/campus', '%23'],
  ])('refuses the storage %s with words, and without the password', (text, words) => {
    const problem = JSON.stringify(problems({ DATABASE_URL: text, SECRET_KEY: key }));
    expect(problem).toContain(words);
    expect(problem).not.toContain('#ss');
  });

  it('reads the evaluation settings', () => {
    expect(load({ ...wiring, EVALUATION_PLAN: 'sequential' }).evaluation).toEqual({
      plan: 'sequential',
      timing: { waitMs: 140_000, pauseMs: evaluationPauseMs, openEveryMs: 6000 },
      maxRunning: 200,
      answers: null,
    });
  });

  it('keeps evaluation waits short in the demo campus, unless they are set', () => {
    expect(load({}).evaluation.timing).toMatchObject({ waitMs: 6000, openEveryMs: 1000 });
    expect(load({ EVALUATION_WAIT_SECONDS: '140' }).evaluation.timing.waitMs).toBe(140_000);
  });
});

const refused: Readonly<Record<string, readonly string[]>> = {
  NODE_ENV: ['prod'],
  PORT: ['3000.5', '-1', '0x10', '1e3', 'NaN', ' 3 000', '９'],
  REQUEST_TIMEOUT_SECONDS: ['Infinity', '1e2', '0', '-3', '301', '30s'],
  TRUSTED_PROXIES: ['0.0.0.0/0', '::/0', '10.0.0.0/', '10.0.0.0/8/8', 'loopback', '300.0.0.1', 'true'],
  CORS_ORIGINS: ['https://app.example.edu/', 'app.example.edu', 'https://*.example.edu', 'null'],
  PUBLIC_URL: ['campus.example.edu', 'ftp://example.edu', 'https://example.edu/?a=1', 'https://example.edu/#a'],
  DOCS_URL: ['//evil.example', '/\\evil.example', 'docs', 'javascript:alert(1)'],
  OPERATOR_CONTACT: ['the porter', 'http://example.edu/', 'https://example.edu/报', 'a@b@c', 'mailto:a@b.edu'],
  OPERATOR_NAME: ['a <b>', '[a](b)', 'a`b', 'a\u0007b', 'x'.repeat(101)],
  WEBHOOK_ALLOW: ['0.0.0.0/0', '::/0', '10.0.0.1:0', '10.0.0.1:65536', '10.0.0.1:', 'host:443', '[10.0.0.1', '*'],
  WEBHOOK_DENY: ['0.0.0.0/0', 'https://example.net', '*.example.net'],
};

it.each(Object.entries(refused).flatMap(([name, texts]) => texts.map((text) => [name, text])))(
  'a start with %s=%j is refused',
  (name = '', text = '') => {
    expect(problems({ [name]: text }).map((problem) => problem.key)).toEqual([name]);
  },
);

describe('printed problems', () => {
  it('names every wrong key at once, with what was given and what to give', () => {
    expect(lines({ PORT: '99999', HOST: 'a b', LOG_LEVEL: 'loud', METRICS: 'maybe', TOKEN_TTL_DAYS: '0' })).toEqual([
      'HOST: "a b"; give an address or host name to listen on',
      'PORT: "99999"; give a whole number from 0 to 65535',
      'LOG_LEVEL: "loud"; give one of fatal, error, warn, info, debug, trace, silent',
      'METRICS: "maybe"; give on or off',
      'TOKEN_TTL_DAYS: "0"; give a whole number from 1 to 3650',
    ]);
  });

  it('reads networks that hooks may call, each at one port, and what they may not', () => {
    const allow = '10.20.0.0/28:8443, 192.0.2.7,[fd00:1::/64]:444,fd00:2::1';
    expect(load({ WEBHOOK_ALLOW: allow, WEBHOOK_DENY: 'Example.NET,198.51.100.0/24' }).webhooks).toEqual({
      allow: [
        { network: '10.20.0.0/28', port: 8443 },
        { network: '192.0.2.7', port: 443 },
        { network: 'fd00:1::/64', port: 444 },
        { network: 'fd00:2::1', port: 443 },
      ],
      deny: ['example.net', '198.51.100.0/24'],
    });
  });

  it('names all wrong items of a list at once, up to twenty', () => {
    const [line = ''] = lines({ TRUSTED_PROXIES: 'a,10.0.0.1,10.0.0.0/33,b' });
    expect(line).toContain('item 1 of 4: "a", item 3 of 4: "10.0.0.0/33", item 4 of 4: "b"; give a comma list');
    const [long = ''] = lines({ TRUSTED_PROXIES: Array(30).fill('x').join() });
    expect(long).toContain('item 20 of 30: "x", and 10 more; give');
  });

  it('refuses tokens that last longer by use than they may at all', () => {
    expect(lines({ TOKEN_TTL_DAYS: '40', TOKEN_MAX_DAYS: '30' })).toEqual([
      'TOKEN_TTL_DAYS: "40"; give at most TOKEN_MAX_DAYS (30)',
    ]);
    expect(lines({ TOKEN_TTL_DAYS: '200' })).toEqual([
      'TOKEN_TTL_DAYS: "200"; give at most TOKEN_MAX_DAYS (180, its default)',
    ]);
    expect(load({ TOKEN_MAX_DAYS: '14' }).accounts.tokenMaxMs).toBe(14 * 86_400_000);
    expect(load({ TOKEN_TTL_DAYS: '30', TOKEN_MAX_DAYS: '30' }).accounts.tokenTtlMs).toBe(30 * 86_400_000);
  });

  it('refuses * beside other origins', () => {
    expect(lines({ CORS_ORIGINS: '*,https://app.example.edu' })).toEqual([
      'CORS_ORIGINS: * beside other origins; give either * or the origins',
    ]);
  });

  it('says how many problems there are, without values', () => {
    expect(findings({ PORT: 'x', SECRET_KEY: 'hunter2' }).message).toBe(
      'the configuration has 2 problem(s): PORT, SECRET_KEY',
    );
  });

  it('cuts a long value', () => {
    expect(problems({ HOST: 'x'.repeat(5000) })[0]?.problem.length).toBeLessThan(120);
  });
});

describe('deadline of one request to the campus', () => {
  it('must be below the deadline of the call', () => {
    expect(lines({ CAMPUS_ATTEMPT_SECONDS: '30' })).toEqual([
      'CAMPUS_ATTEMPT_SECONDS: "30"; give less than REQUEST_TIMEOUT_SECONDS (30, its default)',
    ]);
    expect(lines({ CAMPUS_ATTEMPT_SECONDS: '9', REQUEST_TIMEOUT_SECONDS: '8' })).toEqual([
      'CAMPUS_ATTEMPT_SECONDS: "9"; give less than REQUEST_TIMEOUT_SECONDS (8)',
    ]);
    expect(load({ CAMPUS_ATTEMPT_SECONDS: '7.5', REQUEST_TIMEOUT_SECONDS: '8' }).campus.attemptMs).toBe(7500);
  });

  it('shrinks by itself with the deadline of the call', () => {
    expect(load({ REQUEST_TIMEOUT_SECONDS: '5' }).campus.attemptMs).toBe(4000);
    expect(load({ REQUEST_TIMEOUT_SECONDS: '300' }).campus.attemptMs).toBe(12_000);
  });
});

describe('invite codes that can be guessed', () => {
  const warned = (env: Record<string, string>): string[] =>
    load(env)
      .warnings.filter((warning) => warning.key === 'INVITE_CODES')
      .map(findingLine);

  it('give a warning that does not name them', () => {
    expect(warned({ INVITE_CODES: 'NINE-CHAR:5,TEN-CHARAC,SHORT' })).toEqual([
      'INVITE_CODES: 2 of its codes have fewer than 10 characters; take longer ones, or those of `campus invite create`: short ones can be guessed',
    ]);
    expect(warned({ INVITE_CODES: 'TEN-CHARAC' })).toEqual([]);
  });

  it('are no news of the demo campus’s own', () => {
    expect(warned({})).toEqual([]);
    expect(warned({ INVITE_CODES: 'DEMO-2026:50' })).toEqual([]);
    expect(warned({ ...wiring, INVITE_CODES: 'DEMO-2026:50' })).toHaveLength(1);
  });
});

describe('unknown keys', () => {
  const warned = (env: Record<string, string>): string[] => load(env).warnings.map(findingLine);

  it('warns about a key that is nearly one of ours', () => {
    expect(warned({ SECRET_KEYS: key })).toEqual([
      'SECRET_KEYS: no setting of this name; write SECRET_KEY if that was meant',
    ]);
    const near = { TRUST_PROXY: '10.0.0.1', LOGLEVEL: 'debug', port: '3001', EVALUATION_WIAT_SECONDS: '3' };
    expect(warned(near)).toHaveLength(4);
  });

  it('warns about every unknown key that begins with CAMPUS_', () => {
    expect(warned({ CAMPUS_COLOUR: 'blue' })).toEqual([
      'CAMPUS_COLOUR: no setting of this name; remove it; no setting has this name',
    ]);
  });

  it('ignores what was a setting in the release before, and says what holds now', () => {
    expect(warned({ EVALUATION_PAUSE_SECONDS: '9' })).toEqual([
      `EVALUATION_PAUSE_SECONDS: no setting any more; remove it; the plan \`sequential\` always pauses for ${evaluationPauseMs / 1_000} s`,
    ]);
    expect(load({ EVALUATION_PAUSE_SECONDS: '9' }).evaluation.timing.pauseMs).toBe(evaluationPauseMs);
  });

  it('says nothing about the rest of an ordinary environment', () => {
    const ordinary = { PATH: '/bin', HOSTNAME: 'x', LANG: 'C', PWD: '/', CI: '1', npm_config_cache: '/x', TZ: 'UTC' };
    expect(warned(ordinary)).toEqual([]);
  });

  it('still warns when the configuration is refused', () => {
    expect(findings({ PORT: 'x', SECRET_KEYS: key }).warnings.map((warning) => warning.key)).toEqual(['SECRET_KEYS']);
  });
});

describe('the port of the metrics', () => {
  it('is none of the service, and none unless set', () => {
    expect(load({ METRICS: 'on' }).metrics).toEqual({ enabled: true, port: null });
    expect(load({ METRICS: 'on', METRICS_PORT: '9464' }).metrics).toEqual({ enabled: true, port: 9464 });
    expect(() => load({ METRICS: 'on', METRICS_PORT: '3000' })).toThrow('METRICS_PORT');
    expect(() => load({ METRICS: 'on', METRICS_PORT: '65536' })).toThrow('METRICS_PORT');
  });
});

describe('other warnings', () => {
  it('name networks of proxies and callers that hold more than a /24, or a /64 of IPv6', () => {
    const warned = (env: Record<string, string>) => load(env).warnings.map(({ key, problem }) => `${key} ${problem}`);
    expect(warned({ TRUSTED_PROXIES: '10.7.0.0/24,10.8.0.1,fd00:1::/64' })).toEqual([]);
    expect(warned({ TRUSTED_PROXIES: '10.0.0.0/8,10.7.0.0/24,fd00::/8', TRUSTED_CALLERS: '192.0.2.0/23' })).toEqual([
      'TRUSTED_PROXIES 10.0.0.0/8, fd00::/8: everything in there can say that it calls for any address',
      'TRUSTED_CALLERS 192.0.2.0/23: nothing in there has a limit per address',
    ]);
  });

  it('warns in production where clients would be sent to an address of this machine', () => {
    const env = { ...wiring, NODE_ENV: 'production', SECRET_KEY: key, HOST: '0.0.0.0' };
    expect(load(env).warnings.map(findingLine)).toEqual([
      'PUBLIC_URL: not set in production: addresses of images and calendar feeds begin with http://127.0.0.1; give the address under which clients reach the service',
    ]);
    expect(load({ ...env, PUBLIC_URL: 'https://api.example.edu' }).warnings).toEqual([]);
    expect(load({ HOST: '0.0.0.0' }).warnings).toEqual([]);
  });

  it('warns about documentation that is off without another address', () => {
    expect(load({ DOCS: 'off' }).warnings.map((warning) => warning.key)).toEqual(['DOCS_URL']);
    expect(load({ DOCS: 'off', DOCS_URL: 'https://docs.example.edu/' }).warnings).toEqual([]);
  });
});

describe('no file is created', () => {
  it('when anything else is wrong', () => {
    const { files, created } = memoryFiles();
    expect(problems({ PORT: 'x' }, files)).toHaveLength(1);
    expect(created).toEqual([]);
  });
});
