import { globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutation, mutationsOf } from './mutations.ts';
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

const sample = <T>(items: readonly T[], count: number): T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, item]) => item);

const filesOf = ({ sources }: Target): string[] =>
  statSync(join(root, sources)).isFile() ? [sources] : globSync(`${sources}/**/*.ts`, { cwd: root }).toSorted();

const trialsOf = (target: Target): Trial[] => {
  const all = filesOf(target).flatMap((file) =>
    mutationsOf(readFileSync(join(root, file), 'utf8')).map((mutation) => ({ target, file, mutation })),
  );
  return sample(all, Number(values.each));
};

const wanted = targets.filter(
  ({ sources }) => positionals.length === 0 || positionals.some((p) => sources.includes(p)),
);
const waiting = wanted.flatMap(trialsOf);
const outcomes = new Map<Trial, Outcome>();

const work = async (): Promise<void> => {
  const workshop = new Workshop();
  try {
    for (let trial = waiting.shift(); trial; trial = waiting.shift()) {
      const { file, mutation, target } = trial;
      const outcome = await workshop.try(file, mutation.text, target.tests);
      outcomes.set(trial, outcome);
      const { line, before, after } = mutation;
      say(`${outcome.padEnd(9)} ${file}:${line}  ${before.trim()} → ${after.trim() || 'nothing'}`);
    }
  } finally {
    workshop.close();
  }
};

// A suite that fails as it is would notice everything.
const healthy = new Workshop();
for (const { sources, tests } of wanted) {
  const [file = ''] = filesOf({ sources, tests });
  const outcome = await healthy.try(file, readFileSync(join(root, file), 'utf8'), tests);
  if (outcome !== 'survived') throw new Error(`${tests.join(' ')}: not green without any change (${outcome})`);
}
healthy.close();

await Promise.all(Array.from({ length: Math.max(1, Math.floor(availableParallelism() / 2)) }, work));

say('');
for (const target of wanted) {
  const own = [...outcomes].filter(([trial]) => trial.target === target);
  const noticed = own.filter(([, outcome]) => outcome !== 'survived').length;
  say(`${target.sources.padEnd(26)} ${noticed} of ${own.length} noticed`);
}
const noticed = [...outcomes.values()].filter((outcome) => outcome !== 'survived').length;
say(`${'all'.padEnd(26)} ${noticed} of ${outcomes.size} noticed: ${Math.round((100 * noticed) / outcomes.size)} %`);
