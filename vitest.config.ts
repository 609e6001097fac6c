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

/** What listens, stores, compiles, or takes its time: real servers, processes, databases, crowds, months of guessing. */
const slow = [
  'test/{socket,storage,clients,recordings}/*.test.ts',
  'test/{deploy,golden/sign-in-statements}.test.ts',
  'test/unit/cli/{launch,refusals}.test.ts',
  'test/unit/campus/{hostile-pages,recordings/laws}.test.ts',
  'test/unit/domain/accounts/{sign-in/{asks-per-id,scenarios,failure-orders},guard/simulation}.test.ts',
  'test/unit/demo/one-story.test.ts',
  'test/unit/tools/release.test.ts',
];

/**
 * So that none of them is alone at the end. A process goes on to the next file only where that is of its own project, and
 * a new one takes three seconds of processor time to get going: files of one project stand together.
 */
const longestFirst = [
  // These wait most of the time: others use the processor meanwhile.
  'test/socket/evaluation-replicas.test.ts',
  'test/socket/browser-{docs,app}.test.ts',
  'test/golden/surface-b.test.ts',
  'test/faults/surface-b.test.ts',
  'test/golden/surface-a.test.ts',
  'test/faults/*.test.ts',
  'test/{http/serializers,socket/churn}.test.ts',
  'test/recordings/recordings.test.ts',
  'test/socket/hostile-alive.test.ts',
  'test/socket/{replicas,replicas-*,read-replicas}.test.ts',
  'test/socket/{evaluation-crashes,challenge-crashes,read-students}.test.ts',
  'test/socket/{proxy,start,fuzz,browser}*.test.ts',
  'test/unit/{campus/hostile-pages,tools/release}.test.ts',
  'test/storage/{durability,copy-crashes,events,hooks}.test.ts',
];

/** In a process of their own: one replaces a module that other files share, one counts bytes and listeners. */
const apart = ['test/http/serializers.test.ts', 'test/socket/churn.test.ts'];

/** In processes for these alone: each stops the timers of deadlines. */
const still = ['test/golden/surface-*.test.ts', 'test/faults/*.test.ts'];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longestFirst.findIndex((pattern) => matchesGlob(moduleId, `**/${pattern}`));
  return rank < 0 ? longestFirst.length : rank;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

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
    // Many files wait for processes and real time, so one more goes than there are cores; with more of them at once each costs
    // a fifth more processor time.
    maxWorkers: availableParallelism() + 1,
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
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          exclude: [...apart, ...still],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'still',
          include: still,
          isolate: false,
          sequence: { groupOrder: 1 },
          // Tens of thousands of calls, whose objects hardly outlive them: with more room they are collected less often.
          execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
        },
      },
      { extends: true, test: { name: 'apart', include: apart, sequence: { groupOrder: 1 } } },
    ],
  },
}));
