import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const wanted = Number(/\d+/.exec(engines.node)?.[0]);
if (Number.parseInt(process.versions.node, 10) < wanted) {
  process.stderr.write(
    `These tests need Node ${wanted} or later and were started with ${process.version}: use npm test, or npm exec -- vitest.\n`,
  );
  process.exit(1);
}

/**
 * What needs real processes, several replicas, minutes of a student's or an attacker's patience, or the whole cross
 * product of operations and faults.
 */
const slow = [
  'test/faults/**/*.test.ts',
  'test/golden/**/*.test.ts',
  'test/deploy.test.ts',
  'test/socket/browser-*.test.ts',
  'test/socket/churn.test.ts',
  'test/socket/evaluation-{crashes,replicas}.test.ts',
  'test/socket/fuzz*.test.ts',
  'test/socket/hostile-alive.test.ts',
  'test/socket/proxy-*.test.ts',
  'test/socket/replicas*.test.ts',
  'test/socket/start-*.test.ts',
  'test/storage/durability.test.ts',
  'test/unit/campus/hostile-pages.test.ts',
];

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run documents:faults` and `npm run golden`: the suites write what they otherwise compare.
    env: mode === 'documents' ? { FAULTS: 'write' } : mode === 'golden' ? { GOLDEN: 'write' } : {},
    globalSetup: ['test/support/postgres-setup.ts', 'test/support/memory-folder.ts'],
    // Real sockets and a real database: generous ceilings that no healthy run comes near.
    testTimeout: 30_000,
    hookTimeout: 90_000,
    pool: 'forks',
    maxWorkers: availableParallelism(),
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        // One process for many files: nothing here changes what another file can see.
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: slow, isolate: false },
      },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
  },
}));
