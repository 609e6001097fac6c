import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startService, workingDirectory } from '../support/service-process.ts';

const run = promisify(execFile);

const guideLines = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('curl '));

/** Runs one printed line as a visitor would, in a shell; gives the parsed answer. */
const paste = async (line: string): Promise<unknown> => {
  const { stdout } = await run('sh', ['-c', line]);
  return JSON.parse(stdout);
};

/** The blocks of the README that call a running service, as one script. */
const readmeCalls = (address: string): string =>
  [...readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('$BASE'))
    .join('\n')
    .replace('BASE=http://127.0.0.1:3000', `BASE=${address}`)
    // One answer per line.
    .replaceAll(/^curl -s /gm, "curl -s -w '\\n' ");

describe('the README', () => {
  it('shows calls that work on both surfaces', async () => {
    const service = await startService(workingDirectory());
    const { stdout } = await run('sh', ['-c', readmeCalls(service.address)]);
    const answers: unknown[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { success: true, data: { token: expect.any(String) } },
      { success: true, data: { gpa: expect.any(Number) } },
      { success: true, data: expect.any(Array) },
      { code: 200, data: { is_logged_in: true, userid: '2023000001' } },
      { code: 200, data: { gpa: expect.any(Number) } },
      { success: true, data: { url: expect.stringMatching(/\/calendar\/[\w-]{43}\.ics$/) } },
    ]);
  });
});

describe('a start without any setting', () => {
  it('prints the students, the invite code and three curl lines that work one after the other', async () => {
    const service = await startService(workingDirectory());
    await service.printed(/jwc\/academic\/info.*\n/);
    const stdout = service.stdout();
    expect(stdout).toContain('2023000001  password demo-password  VPN password demo-vpn\n');
    expect(stdout).toContain('2023000002  password demo-password-2  VPN password demo-vpn-2\n');
    expect(stdout).toContain('Invite code: DEMO-2026\n');

    const [verify = '', register = '', read = '', ...more] = guideLines(stdout);
    expect(more).toEqual([]);
    expect(await paste(verify)).toMatchObject({ success: true, data: { invite_token: expect.any(String) } });
    expect(await paste(register)).toMatchObject({ success: true, data: { token: expect.any(String) } });
    expect(await paste(read)).toMatchObject({ success: true, data: { gpa: expect.any(Number) } });
  });

  it('goes on working when the lines are pasted a second time after a restart', async () => {
    const cwd = workingDirectory();
    const first = await startService(cwd);
    await first.printed(/jwc\/academic\/info.*\n/);
    for (const line of guideLines(first.stdout())) await paste(line);
    first.kill('SIGTERM');
    await first.ended;

    const second = await startService(cwd);
    await second.printed(/jwc\/academic\/info.*\n/);
    const [verify = '', register = '', read = ''] = guideLines(second.stdout());
    expect(await paste(verify)).toMatchObject({ success: true });
    expect(await paste(register)).toMatchObject({ success: false, error: { code: 'USERID_EXISTS' } });
    expect(await paste(read)).toMatchObject({ success: true });
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
