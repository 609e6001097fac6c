import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const tools = join(import.meta.dirname, '..');

/** Checks docs/reference/openapi.json as its users' tools would. Neither of the two may talk to its maker, or look for a later version. */
const linters = [
  ['@stoplight/spectral-cli/dist/index.js', 'lint', '--quiet', '--fail-severity=hint', '--ruleset', '.spectral.yaml'],
  ['@redocly/cli/bin/cli.js', 'lint', '--config', '.redocly.yaml', '--max-problems', '20'],
];
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

for (const [program, ...rest] of linters) {
  const { status } = spawnSync(
    process.execPath,
    [`node_modules/${program}`, ...rest, '../docs/reference/openapi.json'],
    {
      cwd: tools,
      env,
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
}
