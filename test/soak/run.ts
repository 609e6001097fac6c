import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 720)) {
  process.stderr.write('Usage: npm run soak -- [--minutes 30], at most 720\n');
  process.exit(2);
}
const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/socket/replicas-soak.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SOAK_MINUTES: String(minutes) },
});
const [code] = await once(child, 'close');
process.exitCode = code ?? 1;
