import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CampusProxy } from '../composition/probe.ts';
import { type DatabaseAccess, lookAtSchema, openStorage } from '../composition/storage.ts';
import type { Config } from '../config/config.ts';
import { configOf, keyFiles } from '../config/process-files.ts';
import { withoutCreating } from '../config/secrets.ts';
import type { Log } from '../domain/context.ts';
import { systemClock } from '../lib/time.ts';
import { detect } from './detect.ts';
import { metricsAt } from './odd-pages.ts';
import { reach } from './reach.ts';

const err = (line: string): void => void process.stderr.write(`${line}\n`);

const log: Log = {
  debug: () => {},
  info: () => {},
  warn: (_fields, message) => err(`warning: ${message}`),
  error: (_fields, message) => err(`error: ${message}`),
};

/** A command never migrates the database of the service: an older replica could lose a table without a word. */
export type StorageUse = Extract<DatabaseAccess, 'create' | 'current' | 'look'>;

export const worldOfProcess = () => ({
  clock: systemClock,
  /** A key is created only where a database may be. @throws InvalidConfig */
  config: (access: StorageUse): Config => configOf(process, access === 'create' ? keyFiles : withoutCreating(keyFiles)),
  open: (config: Config, access: DatabaseAccess) => openStorage(config, { log, access }),
  schema: (config: Config) => lookAtSchema(config, { log, access: 'migrate' }),
  reach,
  metricsAt,
  /** The client for campuses and the drivers are loaded by the few commands that need them. */
  async detect(url: URL, proxy: CampusProxy | null) {
    const { openProbe } = await import('../composition/probe.ts');
    const { driverNames } = await import('../composition/services.ts');
    const probe = openProbe(url.origin, proxy);
    try {
      return await detect(url, probe, driverNames);
    } finally {
      await probe.close();
    }
  },
  /** True when the person at the terminal says yes; null when there is no terminal. */
  async confirm(question: string): Promise<boolean | null> {
    if (!process.stdin.isTTY) return null;
    using terminal = createInterface({ input: process.stdin, output: process.stderr });
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  },
  /** What the person types, hidden or shown; null when there is no terminal, or the person ends the question. */
  async ask(question: string, look: 'hidden' | 'shown' = 'shown'): Promise<string | null> {
    if (!process.stdin.isTTY) return null;
    // A terminal that is read key by key shows nothing by itself: what is typed would be written to the output.
    const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
    const output = look === 'hidden' ? nothing : process.stderr;
    const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    try {
      // From here on the terminal shows nothing, not even an answer that is typed at once.
      if (look === 'hidden') process.stderr.write(question);
      const ended = new Promise<null>((resolve) => void terminal.once('close', () => resolve(null)));
      return await Promise.race([terminal.question(look === 'hidden' ? '' : question), ended]);
    } finally {
      terminal.close();
      if (look === 'hidden') process.stderr.write('\n');
    }
  },
  out: (line: string): void => void process.stdout.write(`${line}\n`),
  err,
});

export type World = ReturnType<typeof worldOfProcess>;
