import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres-setup.ts', 'test/support/memory-folder.ts'],
    // Real sockets and a real database: generous ceilings that no healthy run comes near.
    testTimeout: 30_000,
    hookTimeout: 90_000,
    pool: 'forks',
    maxWorkers: 2,
    coverage: { include: ['src/**/*.ts'] },
  },
});
