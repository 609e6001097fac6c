import { createInterface } from 'node:readline/promises';
import type { Config } from '../config/config.ts';
import { keyFiles } from '../config/process-files.ts';
import { withoutCreating } from '../config/secrets.ts';
import type { Log } from '../domain/context.ts';
import { systemClock } from '../lib/clock.ts';
import { type Access, lookAtSchema, openStorage } from '../open-storage.ts';
import { type Operator, operatorOf, restoreInto } from './operator.ts';
import { configOfProcess } from './process-config.ts';
import { reach } from './reach.ts';

const err = (line: string): void => void process.stderr.write(`${line}\n`);

const log: Log = {
  debug: () => {},
  info: () => {},
  warn: (_fields, message) => err(`warning: ${message}`),
  error: (_fields, message) => err(`error: ${message}`),
};

/** A command never migrates what it opens: it could take a table from an older service in silence, without a copy. */
type Use = Extract<Access, 'create' | 'current' | 'look'>;

/** Everything a command touches outside itself. */
export const worldOfProcess = () => ({
  now: () => systemClock.now(),
  /** Only what makes a database makes a key for it. @throws InvalidConfig */
  config: (access: Use): Config => configOfProcess(access === 'create' ? keyFiles : withoutCreating(keyFiles)),
  open: (config: Config, access: Use) => operatorOf(config, access, log),
  /**
   * Brings the database to the schema of this version, unless `dryRun`. Returns where it stood before, and the copies
   * that lie beside it now.
   */
  async migrate(config: Config, { dryRun, keepCopy }: { readonly dryRun: boolean; readonly keepCopy: boolean }) {
    const access = keepCopy ? 'migrate' : 'migrate without copy';
    const state = await lookAtSchema(config, { log, access });
    if (dryRun) return { ...state, copies: [] };
    const storage = await openStorage(config, { log, access });
    await storage.close();
    return { ...state, copies: storage.upgradeCopies() };
  },
  restore: restoreInto(log),
  reach,
  /** Whether the person at the terminal says yes; null: there is none. */
  async confirm(question: string): Promise<boolean | null> {
    if (!process.stdin.isTTY) return null;
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
    } finally {
      terminal.close();
    }
  },
  out: (line: string): void => void process.stdout.write(`${line}\n`),
  err,
});

export type World = ReturnType<typeof worldOfProcess>;

/** Reads its arguments first, so that wrong usage touches nothing; what it returns does the work. */
export type Command = (args: readonly string[]) => (world: World) => Promise<void>;

interface Context {
  readonly world: World;
  readonly config: Config;
  readonly operator: Operator;
}

/** Work on the configured database, which is closed however it ends. */
export const onDatabase =
  (access: Use, work: (context: Context) => Promise<void>) =>
  async (world: World): Promise<void> => {
    const config = world.config(access);
    const operator = await world.open(config, access);
    try {
      await work({ world, config, operator });
    } finally {
      await operator.close();
    }
  };
