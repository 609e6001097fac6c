import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { isSource, type Mutation, mutationsOf } from './mutations.ts';
import { type Target, targets } from './targets.ts';
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

/** The same numbers for the same seed. */
const random = ((state: number) => () => {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return state / 4_294_967_296;
})(Number(values.seed));

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

const filesOf = ({ area, sources }: Target): string[] => {
  const found = sources.map((pattern) =>
    globSync(`src/${pattern}`, { cwd: root }).filter((name) => name.endsWith('.ts')),
  );
  if (found.some((files) => files.length === 0)) throw new Error(`${area}: names sources that do not exist`);
  return found.flat().toSorted();
};

const trialsOf = (target: Target): Trial[] => {
  const all = filesOf(target).flatMap((file) =>
    mutationsOf(readFileSync(join(root, file), 'utf8')).map((mutation) => ({ target, file, mutation })),
  );
  const usable = shuffled(all).filter(({ mutation }) => isSource(mutation.text));
  // One of each form in turn, or the members of objects would be most of the sample.
  const forms = [...Map.groupBy(usable, ({ mutation }) => mutation.form).values()];
  return forms
    .flatMap((trials) => trials.map((trial, turn) => ({ trial, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, Number(values.each))
    .map(({ trial }) => trial);
};

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

/** How long each step takes without any change: a suite that fails as it is would notice everything. */
const limits = new Map<readonly string[], number>();
/** A machine that is busier than when the step was measured must not count as a change that was noticed. */
const limitOf = (tookMs: number): number => 30_000 + 4 * tookMs;
const LONGEST_MS = 300_000;

const measure = async (workshop: Workshop, { area, steps }: Target): Promise<void> => {
  for (const step of steps) {
    const began = performance.now();
    const outcome = await workshop.run(step, LONGEST_MS);
    if (outcome !== 'survived')
      throw new Error(`${area}: not green without any change (${outcome}): ${step.join(' ')}`);
    limits.set(step, limitOf(performance.now() - began));
  }
};

const tryOut = (workshop: Workshop, { file, mutation, target }: Trial): Promise<Outcome> =>
  workshop.having(file, mutation.text, async () => {
    for (const step of target.steps) {
      const outcome = await workshop.run(step, limits.get(step) ?? LONGEST_MS);
      if (outcome !== 'survived') return outcome;
    }
    return 'survived';
  });

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
  await inWorkshops(wanted, measure);
  await inWorkshops(trials, async (workshop, trial) => {
    const outcome = await tryOut(workshop, trial);
    outcomes.set(trial, outcome);
    const { file, mutation } = trial;
    const change = `${mutation.before.trim()} → ${mutation.after.trim() || 'nothing'}`;
    say(`${outcome.padEnd(9)} ${file}:${mutation.line}  ${change}`);
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
