import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
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
    fsModuleCache: true,
    fsModuleCachePath: join(import.meta.dirname, '../../node_modules/.cache/mutated'),
  },
});
