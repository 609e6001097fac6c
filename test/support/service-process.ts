import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/main.ts');

/** Takes what has to be done when something is over. */
export type AtEnd = (work: () => void | Promise<void>) => void;

/** For what the tests of a file share: done after the last of them, the newest first. Called where tests are declared. */
export const afterAllTests = (): AtEnd => {
  const works: Array<() => void | Promise<void>> = [];
  afterAll(async () => {
    for (const work of works.toReversed()) await work();
  });
  return (work) => void works.push(work);
};

/** A working directory that is gone after the test. */
export const workingDirectory = (atEnd: AtEnd = onTestFinished): string => {
  const path = mkdtempSync(join(tmpdir(), 'campus-start-'));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly stdout: () => string;
  /** Resolves with the first match in what was printed; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

type Environment = Readonly<Record<string, string>>;

/** An environment that holds nothing of this process but what a start needs to be quick. */
export const cleanEnvironment = (env: Environment = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  ...env,
});

/** Starts the real process in its own environment, and ends it with the test. */
export const startProcess = (
  cwd: string,
  env: Environment = {},
  args: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
): ServiceProcess =>
  follow(spawn(process.execPath, ['--disable-sigusr1', main, ...args], { cwd, env: cleanEnvironment(env) }), atEnd);

/** The same as a newcomer types it; the working directory is the project's own. */
export const npmStart = (env: Environment): ServiceProcess =>
  follow(spawn('npm', ['start'], { cwd: root, env: cleanEnvironment(env) }), onTestFinished);

/** The same by the launcher of npm scripts. */
export const launchService = (env: Environment): ServiceProcess => {
  const args = ['src/cli/launch.cjs', '--disable-sigusr1', 'src/main.ts'];
  return follow(spawn(process.execPath, args, { cwd: root, env: cleanEnvironment(env) }), onTestFinished);
};

const follow = (child: ChildProcessWithoutNullStreams, atEnd: AtEnd): ServiceProcess => {
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): boolean => {
        const match = pattern.exec(output.stdout);
        if (!match) return false;
        listeners.delete(look);
        resolve(match);
        return true;
      };
      if (look()) return;
      listeners.add(look);
      const fail = () => look() || reject(new Error(`ended without ${pattern}:\n${output.stdout}\n${output.stderr}`));
      ended.then(fail, reject);
    });
  return { stdout: () => output.stdout, printed, ended, kill: (signal) => void child.kill(signal) };
};

/**
 * Starts the service on a free port and resolves with its address once it has printed the whole guide. `program`: that of
 * another version.
 */
export const startService = async (
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
  program: string = main,
): Promise<ServiceProcess & { address: string }> => {
  const settings = cleanEnvironment({ PORT: '0', ...env });
  const service = follow(spawn(process.execPath, ['--disable-sigusr1', program], { cwd, env: settings }), atEnd);
  const [, address = ''] = await service.printed(/"address":"(http:[^"]+)"/);
  return { ...service, address };
};
