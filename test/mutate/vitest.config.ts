import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/socket/**/*.test.ts'],
    globalSetup: ['test/support/memory-folder.ts'],
    testTimeout: 20_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    reporters: ['dot'],
  },
});
