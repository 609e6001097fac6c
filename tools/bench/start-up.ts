import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './alternating.ts';

const root = join(import.meta.dirname, '../..');
const command = [join(root, 'src/cli/launch.cjs'), '--disable-sigusr1', 'src/main.ts'];

/**
 * From the start of the process, as `npm start` starts it, to its first answer, over a new database, the demo campus
 * included. The first start compiles the files and is listed apart.
 */
export const measureStart = async (): Promise<string[]> => {
  rmSync(join(root, 'node_modules/.cache/compiled'), { recursive: true, force: true });
  const times: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'campus-bench-'));
    const began = performance.now();
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: {
        ...process.env,
        PORT: '0',
        LOG_LEVEL: 'info',
        SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
        DATABASE_URL: `sqlite:${join(folder, 'campus.db')}`,
      },
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
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  const [first = 0, ...later] = times;
  const shown = [first, median(later)].map(Math.round);
  return [
    `${'start to first answer'.padEnd(30)} first ${shown[0]} ms, later ${shown[1]} ms (median of ${later.length})`,
  ];
};
