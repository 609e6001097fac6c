import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { runCampus } from '../../src/cli/run.ts';
import { type World, worldOfProcess } from '../../src/cli/world.ts';
import { loadConfig } from '../../src/config/config.ts';
import { keyFiles } from '../../src/config/process-files.ts';
import { withoutCreating } from '../../src/config/secrets.ts';
import { cleanEnvironment } from './service-process.ts';

const entry = join(import.meta.dirname, '../../src/cli/campus.ts');

export interface EndedCommand {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

/** One command line as an operator types it: its own process, which takes a second of processor time. */
export const typeCampus = (cwd: string, args: readonly string[], env: Environment) => {
  const { promise, resolve } = Promise.withResolvers<EndedCommand>();
  const child = execFile(process.execPath, [entry, ...args], { env: cleanEnvironment(env), cwd }, (_, out, err) =>
    resolve({ code: child.exitCode, out, err }),
  );
  return { child, ended: promise };
};

/** The same with everything but the process: paths are those of the tests' own folder, and no terminal is there. */
export const campusCommand = async (
  args: readonly string[],
  env: Environment,
  instead: Partial<World> = {},
): Promise<EndedCommand> => {
  const said = { out: '', err: '' };
  const code = await runCampus(args, {
    ...worldOfProcess(),
    config: (access) => loadConfig({ ...env }, access === 'create' ? keyFiles : withoutCreating(keyFiles)),
    confirm: async () => null,
    out: (line) => {
      said.out += `${line}\n`;
    },
    err: (line) => {
      said.err += `${line}\n`;
    },
    ...instead,
  });
  return { code, ...said };
};
