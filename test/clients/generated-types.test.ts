import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { compiler, hasTools, needsTools } from '../support/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The program of a developer's first day: log in, read scores on both surfaces, tell failures by their codes. */
const program = `
import type { components, paths } from './api.d.ts';

type Schemas = components['schemas'];
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<Path extends keyof paths, Method extends keyof paths[Path]> =
  paths[Path][Method] extends { responses: { 200: infer Answer } } ? Json<Answer> : never;

const [base = '', userid = '', password = '', vpn_password = ''] = process.argv.slice(2);
const headers = { 'content-type': 'application/json' };

const pair: Schemas['LoginRequest'] = { userid, password, vpn_password };
const login = await fetch(base + '/auth/login/next', { method: 'POST', headers, body: JSON.stringify(pair) });
const { data: { token } } = (await login.json()) as Success<'/auth/login/next', 'post'>;

const authorization = { authorization: 'Bearer ' + token };
const scores = await fetch(base + '/jwc/score/2025-2026-1-1/list', { headers: authorization });
const { data } = (await scores.json()) as Success<'/jwc/score/{term_code}/list', 'get'>;
const names: string[] = data.records.map((row) => row.course_name_cn);
const retake: string | null = data.records[0]?.retake_score ?? null;

const told = (answer: Success<'/api/v1/jwc/fetch_academic_info', 'post'>): string => {
  if (answer.code === 401) return 'log in again';
  // Codes of failures may become more, so the data tells a success.
  const data = 'data' in answer ? answer.data : null;
  return data ? data.gpa.toFixed(1) : String(answer.message);
};
const summary = async (own: string): Promise<string> => {
  const body: Schemas['V1AuthmeRequest'] = { token: own };
  const answer = await fetch(base + '/api/v1/jwc/fetch_academic_info', { method: 'POST', headers, body: JSON.stringify(body) });
  return told((await answer.json()) as Success<'/api/v1/jwc/fetch_academic_info', 'post'>);
};

const refused = await fetch(base + '/jwc/academic/info', { headers: { authorization: 'Bearer wrong' } });
const { error } = (await refused.json()) as Schemas['FailureEnvelope'];
const reaction = (code: Schemas['ErrorCode']): string => (code === 'INVALID_AUTHENTICATION' ? 'log in again' : 'try later');

const result = [names.length > 0, retake, await summary(token), await summary('wrong'), reaction(error.code)];
process.stdout.write(JSON.stringify(result));
`;

const misspelled =
  "import type { components } from './api.d.ts';\nexport const code: components['schemas']['ErrorCode'] = 'TIMEUOT';\n";

const options =
  '--ignoreConfig --strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess --allowImportingTsExtensions --module nodenext --target esnext --types node --typeRoots';

const compile = (folder: string, file: string) =>
  run(process.execPath, [compiler, ...options.split(' '), join(root, 'node_modules/@types'), join(folder, file)]);

describe.skipIf(!hasTools)(`types generated from the interface description (${needsTools})`, () => {
  let gateway: Gateway;
  const folder = mkdtempSync(join(tmpdir(), 'campus-types-'));

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.register(first);
    const document = await (await fetch(`${gateway.url}/openapi.json`)).text();
    const { default: openapiTS, astToString } = await import(
      '../../tools/node_modules/openapi-typescript/dist/index.mjs'
    );
    const nodes = await openapiTS(document, { defaultNonNullable: false });
    writeFileSync(join(folder, 'api.d.ts'), astToString(nodes));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'misspelled.ts'), misspelled);
  }, 120_000);
  afterAll(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  it('compile strictly, and a program with them logs in, reads scores and tells failures by their codes', async () => {
    await compile(folder, 'program.ts');
    const { userid, password, vpnPassword } = first;
    const file = join(folder, 'program.ts');
    const { stdout } = await run(process.execPath, [file, gateway.url, userid, password, vpnPassword]);
    const [hasScores, retake, gpa, ...reactions] = JSON.parse(stdout);
    expect({ hasScores, reactions }).toEqual({ hasScores: true, reactions: ['log in again', 'log in again'] });
    expect(retake === null || typeof retake === 'string').toBe(true);
    expect(gpa).toMatch(/^\d\.\d$/);
  }, 120_000);

  it('know every code of a failure', async () => {
    await expect(compile(folder, 'misspelled.ts')).rejects.toMatchObject({
      stdout: expect.stringContaining('TIMEUOT'),
    });
  }, 60_000);
});
