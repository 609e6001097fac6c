import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const wanted = Number(/\d+/.exec(engines.node)?.[0]);
if (Number.parseInt(process.versions.node, 10) < wanted) {
  process.stderr.write(
    `These tests need Node ${wanted} or later and were started with ${process.version}: use npm test, or npm exec -- vitest.\n`,
  );
  process.exit(1);
}

/**
 * What needs real processes, several replicas, crowds, or the whole cross product of operations and faults. The longest
 * first, so that none of them is alone at the end.
 */
const slow = [
  'test/golden/surface-b.test.ts',
  'test/faults/surface-b.test.ts',
  // Waits most of the time.
  'test/socket/evaluation-replicas.test.ts',
  'test/socket/hostile-alive.test.ts',
  'test/golden/surface-a.test.ts',
  'test/socket/churn.test.ts',
  'test/faults/surface-a.test.ts',
  'test/socket/replicas-behind-nginx.test.ts',
  'test/socket/replicas.test.ts',
  'test/socket/evaluation-crashes.test.ts',
  'test/socket/read-students.test.ts',
  'test/socket/replicas-*.test.ts',
  'test/socket/proxy-*.test.ts',
  'test/unit/campus/hostile-pages.test.ts',
  'test/socket/start-*.test.ts',
  'test/socket/fuzz*.test.ts',
  'test/faults/*.test.ts',
  'test/socket/browser-*.test.ts',
  'test/unit/cli/{campus,launch}.test.ts',
  'test/deploy.test.ts',
  'test/storage/durability.test.ts',
  'test/socket/read-replicas.test.ts',
  'test/clients/generated-types.test.ts',
  // Months of guessing, crowds of thousands.
  'test/unit/domain/accounts/guard/simulation.test.ts',
  'test/storage/{copy-crashes,events}.test.ts',
  // Processes that are killed, and months.
  'test/socket/challenge-{crashes,crowds}.test.ts',
  // Attacks, floods and whole stories at one gateway: seconds each.
  'test/socket/{stolen-token,login-guard,one-students-failures,campus-requests}.test.ts',
  'test/socket/{large-bodies,hostile-connections,platform-connections,sessions-safety}.test.ts',
  'test/socket/{second-step,calendar-feeds,personal-tokens,demo-story}.test.ts',
  'test/socket/gateway-{rooms,metrics,evaluation-runs,app-profile}.test.ts',
  'test/unit/domain/accounts/asks-per-id.test.ts',
  'test/unit/demo/one-story.test.ts',
  'test/unit/tools/release.test.ts',
];

/** In a process of their own: one replaces a module that other files share, one counts bytes and listeners. */
const apart = ['test/http/serializers.test.ts', 'test/socket/churn.test.ts'];

/** In processes for these alone: each stops the timers of deadlines. */
const still = ['test/golden/surface-*.test.ts', 'test/faults/*.test.ts'];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slow.findIndex((pattern) => matchesGlob(moduleId, `**/${pattern}`));
  return rank < 0 ? slow.length : rank;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

const cores = availableParallelism();

// The service is started a hundred times in a run: compiled once, it is there in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run documents:faults` and `npm run golden`: the suites write what they otherwise compare.
    env: mode === 'documents' ? { FAULTS: 'write' } : mode === 'golden' ? { GOLDEN: 'write' } : {},
    reporters: ['default', 'test/support/closing-report.ts'],
    setupFiles: ['test/support/patient-waits.ts'],
    globalSetup: ['test/support/postgres-setup.ts', 'test/support/memory-folder.ts'],
    // Real sockets and a real database: generous ceilings that no healthy run comes near.
    testTimeout: 30_000,
    // Where a red test stops a delivery it gets a second try, and the run's last words name it.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 90_000,
    pool: 'forks',
    // Files run as they would in the service, by Node itself: a seventh less processor time than transformed by Vite.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    maxWorkers: cores,
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        // One process for many files: nothing here changes what another file can see.
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, ...apart, ...still],
          isolate: false,
          maxWorkers: cores + 1,
        },
      },
      {
        extends: true,
        // Many of these wait for processes and real time, so more of them go at once than there are cores.
        test: {
          name: 'slow',
          include: slow,
          exclude: [...apart, ...still],
          isolate: false,
          maxWorkers: cores + 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'still', include: still, isolate: false, maxWorkers: cores + 2, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'apart', include: apart, maxWorkers: cores + 2, sequence: { groupOrder: 1 } } },
    ],
  },
}));
