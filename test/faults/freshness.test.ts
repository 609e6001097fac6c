import { expect, it } from 'vitest';
import { readNames, type StudentRead, studentReads } from '../support/student-reads.ts';
import { documented, groupBy, table } from './document.ts';
import { AgedReads, type Trouble, type Wish } from './freshness.ts';
import { faultName, faultsAt } from './kinds.ts';
import { FaultWorld } from './world.ts';

const DOCUMENT = 'freshness-table.md';
const OPERATOR_SECONDS = 3_600;
const PATIENCE_MS = 600_000;

const outage: Trouble = { place: 'application', fault: { kind: 'status', status: 500 } };
/** An outage of the application, none, silence, and an outage of the portal for students without a session. */
const fewTroubles: readonly (Trouble | null)[] = [
  outage,
  null,
  { place: 'application', fault: { kind: 'hang' } },
  { place: 'portal', fault: { kind: 'reset' } },
];
const nameOf = (trouble: Trouble | null): string =>
  trouble === null ? 'none' : `${faultName(trouble.fault)} at the ${trouble.place}`;

/** These may come to the campus; the others are answered before it is asked, whatever it would say. */
const asking: readonly Wish[] = ['nothing said', 'stale-if-error'];
const notAsking: readonly Wish[] = ['max-stale', 'only-if-cached', 'max-age'];
const all = [...asking, ...notAsking];

const inWorld = async (
  staleIfErrorSeconds: number,
  work: (reads: AgedReads) => Promise<readonly string[]>,
): Promise<string> => {
  const world = await FaultWorld.start({
    FRESH_SECONDS: '10',
    STALE_IF_ERROR_SECONDS: String(staleIfErrorSeconds),
  });
  const reads = new AgedReads(world);
  try {
    const made = await work(reads);
    expect(reads.problems.slice(0, 20)).toEqual([]);
    return made.join('\n\n');
  } finally {
    await world.close();
  }
};

const expectDocumented = (heading: string, made: string): void =>
  expect(made).toBe(documented(heading, made, DOCUMENT));

const places = ['application', 'portal', 'unified login'] as const;

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

it(
  'every read answers with the right value, age, words and headers under an outage and under none',
  async () => {
    const made = await inWorld(0, async (reads) => {
      const student = await reads.student();
      const tables: Array<readonly [name: string, table: string]> = [];
      for (const name of readNames) {
        const read = studentReads[name];
        // Surface A does not read these headers.
        const wished = read.surface === 'a' ? (['nothing said'] as const) : all;
        const rows: string[][] = [];
        for (const trouble of [outage, null]) {
          const cells: string[] = [];
          for (const wish of wished) {
            const isTold = asking.includes(wish) || trouble === outage;
            cells.push(isTold ? await reads.withCopy(read, student, wish, trouble) : 'as above');
          }
          rows.push([nameOf(trouble), ...cells]);
        }
        tables.push([name, table(['Fault', ...wished], rows)]);
      }
      return [...groupBy(tables, ([, text]) => text)].flatMap(([text, same]) => [
        codes(same.map(([name]) => name)),
        text,
      ]);
    });
    expectDocumented('Every read', made);
  },
  PATIENCE_MS,
);

it(
  'one read answers with the right value, age, words and headers under every fault, with a copy and without',
  async () => {
    const made = await inWorld(0, async (reads) => {
      const read = studentReads.summary;
      const student = await reads.student();
      const rows = new Map<string, string[]>();
      for (const [column, place] of places.entries()) {
        for (const fault of faultsAt(place)) {
          const cells: string[] = [];
          for (const wish of asking) cells.push(await reads.withCopy(read, student, wish, { place, fault }));
          const row = rows.get(faultName(fault)) ?? places.map(() => '–');
          rows.set(faultName(fault), row.with(column, [...new Set(cells)].join(' · ')));
        }
      }
      const alike = [...groupBy([...rows], ([, cells]) => cells.join('|')).values()].map((same) => [
        same.map(([name]) => name).join(', '),
        ...(same[0]?.[1] ?? []),
      ]);
      const without: string[][] = [];
      for (const trouble of [null, outage]) {
        const cells: string[] = [];
        for (const wish of all) cells.push(await reads.withoutCopy(read, wish, trouble));
        without.push([nameOf(trouble), ...cells]);
      }
      const head = ['Fault', ...places.map((place) => `at the ${place}`)];
      return [
        'Nothing said · `stale-if-error`; one word where both are alike.',
        table(head, alike),
        'Without a copy:',
        table(['Fault', ...all], without),
      ];
    });
    expectDocumented('One read under every fault', made);
  },
  PATIENCE_MS,
);

/** A read of surface A that takes the token alone. */
const ofA = (path: string, system: StudentRead['system']): StudentRead => ({
  surface: 'a',
  path,
  body: (token) => ({ token }),
  system,
});
const readsOfA: readonly StudentRead[] = [
  ofA('/jwc/fetch_academic_info', 'jwc'),
  ofA('/jwc/fetch_all_terms', 'jwc'),
  studentReads.scorePage,
  ofA('/jwc/fetch_exam_info', 'jwc'),
  studentReads.evaluationCourses,
  ofA('/aac/fetch_score_info', 'aac'),
  ofA('/aac/fetch_score_list', 'aac'),
];

it(
  'the word of the operator counts on both surfaces, unless the call says otherwise',
  async () => {
    const cellsWith = (seconds: number): Promise<string> =>
      inWorld(seconds, async (reads) => {
        const student = await reads.student();
        const cells: string[] = [];
        for (const trouble of fewTroubles) {
          for (const read of readsOfA) cells.push(await reads.withCopy(read, student, 'nothing said', trouble));
          for (const wish of ['nothing said', 'stale-if-error=0', 'no-cache'] as const)
            cells.push(await reads.withCopy(studentReads.summary, student, wish, trouble));
        }
        return cells;
      });
    const silent = (await cellsWith(0)).split('\n\n');
    const spoken = (await cellsWith(OPERATOR_SECONDS)).split('\n\n');
    const names = fewTroubles.flatMap((trouble) => [
      ...readsOfA.map(() => ['surface A', nameOf(trouble)] as const),
      ...['nothing said', 'stale-if-error=0', 'no-cache'].map(
        (wish) => [`surface B, ${wish}`, nameOf(trouble)] as const,
      ),
    ]);
    const rows = names.map(([call, fault], at) => [call, fault, silent[at] ?? '', spoken[at] ?? '']);
    const told = [...groupBy(rows, (row) => row.join('|')).values()].map((same) => same[0] ?? []);
    const head = ['Call', 'Fault', '`STALE_IF_ERROR_SECONDS=0`', `\`STALE_IF_ERROR_SECONDS=${OPERATOR_SECONDS}\``];
    expectDocumented("The operator's word", table(head, told));
  },
  PATIENCE_MS,
);
