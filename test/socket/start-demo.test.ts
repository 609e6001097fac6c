import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startService, workingDirectory } from '../support/service-process.ts';

const run = promisify(execFile);

const guideLines = (stdout: string): string[] => stdout.split('\n').filter((line) => line.includes('curl '));

/** Runs one printed line as a visitor would, in a shell; gives the parsed answer. */
const paste = async (line: string): Promise<unknown> => {
  const { stdout } = await run('sh', ['-c', line]);
  return JSON.parse(stdout);
};

/** The blocks of a document that call a running service, as one script. */
const callsOf = (document: string, address: string): string =>
  [...readFileSync(join(import.meta.dirname, '../..', document), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('$BASE'))
    .join('\n')
    .replace('BASE=http://127.0.0.1:3000', `BASE=${address}`)
    // One answer per line.
    .replaceAll(/^curl -s /gm, "curl -s -w '\\n' ");

/** What each line of a script printed. */
const answersOf = async (script: string): Promise<unknown[]> => {
  const { stdout } = await run('sh', ['-c', script]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('the documents for a first try', () => {
  it('show calls that work: the README after the printed line, the quick start on both surfaces', async () => {
    const service = await startService(workingDirectory());
    await service.printed(/jwc\/academic\/info.*\n/);
    for (const line of guideLines(service.stdout())) await paste(line);
    expect(await answersOf(callsOf('README.md', service.address))).toMatchObject([
      { success: true, data: { gpa: expect.any(Number) } },
      { success: true, data: { exams: expect.any(Array) } },
    ]);

    const other = await startService(workingDirectory());
    expect(await answersOf(callsOf('docs/quick-start.md', other.address))).toMatchObject([
      { success: true, data: { token: expect.any(String) } },
      { success: true, data: { gpa: expect.any(Number) } },
      { success: true, data: expect.any(Array) },
      { code: 200, data: { is_logged_in: true, userid: '2023000001' } },
      { code: 200, data: { gpa: expect.any(Number) } },
      { code: 200, data: expect.anything() },
      { success: true, data: { url: expect.stringMatching(/\/calendar\/[\w-]{43}\.ics$/) } },
    ]);
  });

  it.each(['README.md', 'docs/zh/README.md'])('are short: %s has at most 500 words', (path) => {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    // A Chinese word has about one and a half characters.
    const chinese = (text.match(/\p{Script=Han}/gu) ?? []).length / 1.5;
    const others = text
      .replaceAll(/\p{Script=Han}/gu, ' ')
      .split(/\s+/)
      .filter((word) => /\w/.test(word)).length;
    expect(chinese + others).toBeLessThanOrEqual(500);
  });
});

describe('a start without any setting', () => {
  it('prints the documentation, two students, the invite code and one line that registers, logs in and reads', async () => {
    const service = await startService(workingDirectory());
    await service.printed(/jwc\/academic\/info.*\n/);
    const stdout = service.stdout();
    expect(stdout).toContain(`Documentation  ${service.address}/docs\n`);
    expect(stdout).toContain('2023000001  password demo-password  VPN password demo-vpn\n');
    expect(stdout).toContain('2023000002  password demo-password-2  VPN password demo-vpn-2\n');
    expect(stdout).toContain('Invite code    DEMO-2026\n');
    const [line = '', ...more] = guideLines(stdout);
    expect(more).toEqual([]);
    expect(await paste(line)).toMatchObject({ success: true, data: { gpa: expect.any(Number) } });
  });

  it('goes on working when the line is pasted a second time after a restart, and leaves no variable behind', async () => {
    const cwd = workingDirectory();
    const first = await startService(cwd);
    await first.printed(/jwc\/academic\/info.*\n/);
    for (const line of guideLines(first.stdout())) await paste(line);
    first.kill('SIGTERM');
    await first.ended;

    const second = await startService(cwd);
    await second.printed(/jwc\/academic\/info.*\n/);
    const [line = ''] = guideLines(second.stdout());
    expect(await paste(line)).toMatchObject({ success: true, data: { gpa: expect.any(Number) } });
    const { stdout } = await run('sh', ['-c', `${line} > /dev/null; echo "[$B$S$I$T]"`]);
    expect(stdout).toBe('[]\n');
  });

  it('logs JSON lines beside the guide, and no password, token or student id in them', async () => {
    const service = await startService(workingDirectory(), { LOG_LEVEL: 'trace' });
    await service.printed(/jwc\/academic\/info.*\n/);
    for (const line of guideLines(service.stdout())) await paste(line);
    service.kill('SIGTERM');
    const { stdout } = await service.ended;
    const logged = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(5);
    for (const line of logged) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
    for (const secret of ['demo-password', 'demo-vpn', '2023000001', 'DEMO-2026', 'Bearer']) {
      expect(logged.join('\n')).not.toContain(secret);
    }
  });
});
