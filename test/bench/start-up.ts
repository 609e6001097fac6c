import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** From the start of the process to its first answer, over a new database, the demo campus included. */
export const measureStart = async (): Promise<string[]> => {
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'campus-bench-'));
    const began = performance.now();
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
      cwd: folder,
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', DATABASE_URL: `sqlite:${join(folder, 'campus.db')}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (found) resolve(found);
      });
      child.on('exit', () => reject(new Error('the service ended before it listened')));
    });
    await fetch(`${url}/alive`).then((answer) => answer.text());
    times.push(performance.now() - began);
    child.kill('SIGKILL');
  }
  const sorted = times.toSorted((a, b) => a - b);
  return [`${'start to first answer'.padEnd(30)} median ${Math.round(sorted[2] ?? 0)} ms of ${times.length}`];
};
