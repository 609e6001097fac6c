import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { call, enroll } from '../support/replicas.ts';
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
    .filter((block) => /\$BASE|^BASE=/m.test(block))
    // The README starts the service in the line before.
    .map((block) => block.replace(/^\{ npm ci.*\n/, ''))
    .join('\n')
    .replace('BASE=http://127.0.0.1:3000', `BASE=${address}`)
    // One answer per line.
    .replaceAll(/^curl -s /gm, "curl -s -w '\\n' ");

/** The output of each line of a script. */
const answersOf = async (script: string): Promise<unknown[]> => {
  const { stdout } = await run('sh', ['-c', script]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('a start without any setting', () => {
  it('prints where to log in while the portal wants a code, and no line that would only fail', async () => {
    const { stdout, address, printed } = await startService(workingDirectory(), { DEMO_CHALLENGE: 'sms' });
    await printed(/printed here/);
    expect(guideLines(stdout())).toEqual([]);
    expect(stdout()).toContain(`log in at ${address}/challenge`);
    expect((await fetch(`${address}/challenge`)).status).toBe(200);
  });

  it('prints the documentation, two students, the invite code and one line that works, as does the README; logs in JSON without secrets', async () => {
    const cwd = workingDirectory();
    const first = await startService(cwd, { LOG_LEVEL: 'trace' });
    await first.printed(/jwc\/academic\/info.*\n/);
    const guide = first.stdout();
    expect(guide).toMatch(/^Campus Gateway \d+\.\d+\.\d+\S* \((?:[0-9a-f]{7}|unknown)\) listens on /m);
    expect(guide).toContain(`Documentation  ${first.address}/docs\n`);
    expect(guide).toContain('2023000001  password demo-password  VPN password demo-vpn\n');
    expect(guide).toContain('2023000002  password demo-password-2  VPN password demo-vpn-2\n');
    expect(guide).toContain('Invite code    DEMO-2026\n');
    const [line = '', ...more] = guideLines(guide);
    expect(more).toEqual([]);
    expect(await paste(line)).toMatchObject({ success: true, data: { gpa: expect.any(Number) } });
    // The block of the README, for the second student, is pasted whole, and pasted again.
    const script = callsOf('README.md', first.address)
      .replace('2023000001', '2023000002')
      .replace('demo-password', 'demo-password-2')
      .replace('demo-vpn', 'demo-vpn-2');
    const read = [
      { success: true, data: { gpa: expect.any(Number) } },
      { success: true, data: { exams: expect.any(Array) } },
    ];
    expect(await answersOf(script)).toMatchObject([{ success: true, data: { token: expect.any(String) } }, ...read]);
    expect(await answersOf(script)).toMatchObject([{ error: { code: 'USERID_EXISTS' } }, ...read]);
    first.kill('SIGTERM');
    const { stdout } = await first.ended;
    // The demo campus has its own file, and there is none that it no longer uses.
    expect(stdout).not.toContain('left as it is');
    expect([existsSync(join(cwd, 'data/demo.db')), existsSync(join(cwd, 'data/campus.db'))]).toEqual([true, false]);
    const logged = stdout.split('\n').filter((text) => text.startsWith('{'));
    expect(logged.length).toBeGreaterThan(5);
    for (const text of logged) expect(JSON.parse(text)).toMatchObject({ level: expect.any(String) });
    for (const secret of ['demo-password', 'demo-vpn', '2023000001', '2023000002', 'DEMO-2026', 'Bearer']) {
      expect(logged.join('\n')).not.toContain(secret);
    }

    // The line continues working after a restart, and leaves no variable behind.
    const second = await startService(cwd);
    await second.printed(/jwc\/academic\/info.*\n/);
    const [again = ''] = guideLines(second.stdout());
    expect(await paste(again)).toMatchObject({ success: true, data: { gpa: expect.any(Number) } });
    expect((await run('sh', ['-c', `${again} > /dev/null; echo "[$B$S$I$T]"`])).stdout).toBe('[]\n');
  });
});

describe('the documents for a first try', () => {
  it('show calls that work: the quick start on both surfaces', async () => {
    const { address } = await startService(workingDirectory());
    expect(await answersOf(callsOf('docs/use/quick-start.md', address))).toMatchObject([
      { success: true, data: { token: expect.any(String) } },
      { success: true, data: { gpa: expect.any(Number) } },
      { success: true, data: expect.any(Array) },
      { code: 200, data: { is_logged_in: true, userid: '2023000001' } },
      { code: 200, data: { gpa: expect.any(Number) } },
      { code: 200, data: expect.anything() },
      { success: true, data: { url: expect.stringMatching(/\/calendar\/[\w-]{43}\.ics$/) } },
    ]);
  });
});

it('the demo campus and the service have the day that DEMO_DATE names', async () => {
  const { address } = await startService(workingDirectory(), { DEMO_DATE: '2026-06-25' });
  const token = await enroll(address, first, 'DEMO-2026');
  const term = await call(address, 'GET', '/jwc/term/current', { token });
  expect(term.body.data).toMatchObject({ term_code: '2025-2026-2-1', week_number: 17, weekday: 3 });
  expect(term.body.timestamp).toMatch(/^2026-06-25/);
  const home = await call(address, 'GET', '/home?include=today', { token });
  expect(home.body.data.parts.today.data.date).toBe('2026-06-25');
});
