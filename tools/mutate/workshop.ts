import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { testsOf } from './targets.ts';

const root = join(import.meta.dirname, '../..');
const copied = [
  'src',
  'test',
  'tools',
  'clients',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'compose.yaml',
  'Dockerfile',
  '.env.example',
];
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const typeChecker = 'tools/node_modules/typescript-7/bin/tsc';

/** Who noticed the change. */
export type Outcome = 'noticed' | 'types' | 'documents' | 'timed out' | 'survived';

/** A copy of the project that may be broken. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), 'campus-mutate-'));
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(postgresUrl: string) {
    this.#env = { ...process.env, MUTATE_POSTGRES_URL: postgresUrl };
    const filter = (path: string) => basename(path) !== 'node_modules';
    for (const name of copied) cpSync(join(root, name), join(this.#folder, name), { recursive: true, filter });
    for (const packages of ['node_modules', 'tools/node_modules'])
      symlinkSync(join(root, packages), join(this.#folder, packages));
  }

  /** Runs the work while the file has that text. */
  async having<T>(file: string, text: string, work: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    try {
      return await work();
    } finally {
      writeFileSync(path, before);
    }
  }

  /** Runs these tests on the copy; the first that fails ends the run. */
  async run(tests: readonly string[], limitMs: number): Promise<Outcome> {
    const args = [vitest, 'run', '--config', 'tools/mutate/vitest.config.ts', '--bail', '1', ...testsOf(tests)];
    return (await this.#passes(args, limitMs)) ?? 'noticed';
  }

  /** Checks types and generated documents, as `npm run check` does. */
  async check(limitMs: number): Promise<Outcome> {
    const types = await this.#passes(
      [typeChecker, '--noEmit', '--incremental', '--tsBuildInfoFile', '.types'],
      limitMs,
    );
    if (types !== 'survived') return types ?? 'types';
    return (await this.#passes(['tools/documents.ts', '--check'], limitMs)) ?? 'documents';
  }

  /** Undefined when the program says no. */
  #passes(args: readonly string[], limitMs: number): Promise<'survived' | 'timed out' | undefined> {
    const child = spawn(process.execPath, args, {
      cwd: this.#folder,
      env: this.#env,
      stdio: 'ignore',
      detached: true,
    });
    this.#child = child;
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#kill();
      }, limitMs);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve(isLate ? 'timed out' : code === 0 ? 'survived' : undefined);
      });
    });
  }

  /** With its workers, which are of the same group. */
  #kill(): void {
    if (this.#child?.pid === undefined || this.#child.exitCode !== null) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }

  close(): void {
    this.#kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
