import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const copied = ['src', 'test', 'docs', 'package.json', 'tsconfig.json', 'compose.yaml', 'Dockerfile', '.env.example'];

/** Longer than any of the runs takes unchanged; a change that makes something wait for ever is noticed by this. */
const RUN_MS = 240_000;

export type Outcome = 'noticed' | 'survived' | 'timed out';

/** A copy of the project that may be broken. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), 'campus-mutate-'));

  constructor() {
    for (const name of copied) cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** What these tests make of the file with that text. */
  async try(file: string, text: string, tests: readonly string[]): Promise<Outcome> {
    const path = join(this.#folder, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    try {
      return await this.#run(tests);
    } finally {
      writeFileSync(path, before);
    }
  }

  #run(tests: readonly string[]): Promise<Outcome> {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--config', 'test/mutate/vitest.config.ts', '--bail', '1', ...tests];
    const child = spawn(process.execPath, args, { cwd: this.#folder, stdio: 'ignore', detached: true });
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        // With its workers, which are of the same group.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      }, RUN_MS);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve(isLate ? 'timed out' : code === 0 ? 'survived' : 'noticed');
      });
    });
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
