import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first test that fails ends the run, so the long ones come last. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');

export default defineConfig({
  // How long each file takes in these runs; those of `npm test` are kept elsewhere.
  cacheDir: join(import.meta.dirname, '../../node_modules/.cache/mutated'),
  test: {
    include: ['test/**/*.test.ts'],
    // The one measures time, which a change of the rules does not touch; the other replaces a module that files share.
    exclude: ['test/unit/campus/hostile-pages.test.ts', 'test/http/serializers.test.ts'],
    globalSetup: ['test/support/memory-folder.ts'],
    // Of the whole run, see run.ts.
    provide: { postgresUrl: process.env.MUTATE_POSTGRES_URL ?? '' },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    reporters: ['dot'],
    setupFiles: ['test/support/patient-waits.ts'],
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: ShortestFirst },
  },
});
