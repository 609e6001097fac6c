import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { isSource, type Mutation, mutationsOf } from './mutations.ts';
import { sourcesOf, type Target, targets, testsOf } from './targets.ts';
import { type Outcome, Workshop } from './workshop.ts';

interface Trial {
  readonly target: Target;
  readonly file: string;
  readonly mutation: Mutation;
}

const { values, positionals } = parseArgs({
  options: { each: { type: 'string', default: '12' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

const root = join(import.meta.dirname, '../..');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The same order for the same seed and area, whichever other areas are tried with it. */
const shuffled = <T>(items: readonly T[], area: string): T[] => {
  const order = (index: number): string => createHash('sha1').update(`${values.seed} ${area} ${index}`).digest('hex');
  return items
    .map((item, index) => [order(index), item] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);
};

const trialsOf = (target: Target): Trial[] => {
  const all = sourcesOf(target).flatMap((file) =>
    mutationsOf(readFileSync(join(root, file), 'utf8')).map((mutation) => ({ target, file, mutation })),
  );
  const usable = shuffled(all, target.area).filter(({ mutation }) => isSource(mutation.text));
  // One of each form in turn, or the members of objects would be most of the sample.
  const forms = [...Map.groupBy(usable, ({ mutation }) => mutation.form).values()];
  return forms
    .flatMap((trials) => trials.map((trial, turn) => ({ trial, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, Number(values.each))
    .map(({ trial }) => trial);
};

// A name that matches nothing ends the run before it begins.
for (const { steps } of targets) for (const step of steps) testsOf(step);

const wanted = targets.filter(({ area }) => positionals.length === 0 || positionals.some((p) => area.includes(p)));
/** Chosen before the project is copied, so that later edits make no difference. */
const trials = wanted.flatMap(trialsOf);
const outcomes = new Map<Trial, Outcome>();

const postgres = await startPostgres();
const workshops: Workshop[] = [];
const open = (): Workshop => {
  const workshop = new Workshop(postgres.url);
  workshops.push(workshop);
  return workshop;
};
const closeAll = async (): Promise<void> => {
  for (const workshop of workshops.splice(0)) workshop.close();
  await postgres.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void closeAll().then(() => process.exit(1)));

/** Within how long each step has to end. One that is red without any change would notice everything. */
const limits = new Map<readonly string[], Promise<number>>();
/** A machine that is busier than when the step was measured must not count as a change that was noticed. */
const limitOf = (tookMs: number): number => 30_000 + 4 * tookMs;
const LONGEST_MS = 300_000;

const measured = async (workshop: Workshop, step: readonly string[]): Promise<number> => {
  const began = performance.now();
  const outcome = await workshop.run(step, LONGEST_MS);
  const tookMs = performance.now() - began;
  if (outcome !== 'survived') throw new Error(`not green without any change (${outcome}): ${step.join(' ')}`);
  say(`${Math.ceil(tookMs / 1000)} s without any change: ${step.join(' ')}`);
  return limitOf(tookMs);
};

/** The quick tests, what `npm run check` compares, the other tests. Steps are first run as they are when a change gets as far. */
const tryOut = async (workshop: Workshop, { file, mutation, target }: Trial): Promise<Outcome> => {
  const changed = (work: () => Promise<Outcome>) => workshop.having(file, mutation.text, work);
  for (const [turn, step] of target.steps.entries()) {
    const limit = limits.get(step) ?? measured(workshop, step);
    limits.set(step, limit);
    const limitMs = await limit;
    const outcome = await changed(() => workshop.run(step, limitMs));
    if (outcome !== 'survived') return outcome;
    const checked = turn === 0 ? await changed(() => workshop.check(LONGEST_MS)) : outcome;
    if (checked !== 'survived') return checked;
  }
  return 'survived';
};

/** As many at once as there are cores, each in its own copy. */
const inWorkshops = async <T>(items: readonly T[], work: (workshop: Workshop, item: T) => Promise<void>) => {
  const waiting = [...items];
  const worker = async (workshop: Workshop): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await work(workshop, item);
  };
  while (workshops.length < availableParallelism()) open();
  await Promise.all(workshops.map(worker));
};

try {
  const unchanged = await open().check(LONGEST_MS);
  if (unchanged !== 'survived') throw new Error(`npm run check fails without any change: ${unchanged}`);
  await inWorkshops(trials, async (workshop, trial) => {
    const { file, mutation } = trial;
    const change = `${file}:${mutation.line}  ${mutation.before.trim()} → ${mutation.after.trim() || 'nothing'}`;
    try {
      const outcome = await tryOut(workshop, trial);
      outcomes.set(trial, outcome);
      say(`${outcome.padEnd(9)} ${change}`);
    } catch (error) {
      say(`not tried ${change}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
} finally {
  await closeAll();
}

const score = (of: readonly Outcome[]): string => {
  const noticed = of.filter((outcome) => outcome !== 'survived').length;
  return `${noticed} of ${of.length} noticed: ${Math.round((100 * noticed) / of.length)} %`;
};

say('');
for (const target of wanted) {
  const own = [...outcomes].filter(([trial]) => trial.target === target).map(([, outcome]) => outcome);
  say(`${target.area.padEnd(40)} ${score(own)}`);
}
say(`${'all'.padEnd(40)} ${score([...outcomes.values()])}`);
