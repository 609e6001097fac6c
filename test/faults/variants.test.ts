import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoPageVariant } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { bindRoom, callRead, type ReadName, readNames, studentReads } from '../support/student-reads.ts';

// The ways in which other campuses and releases write their pages, under every read: the right value or a failure.

// biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member
type Json = any;

let gateway: Gateway;
const clock = new ManualClock();
let token = '';
const known = new Map<ReadName, Json>();

const ofTwo = (path: string): string => path.replace(/(\d{4}-\d{4}-[12])-2/g, '$1-1');
const ofThree = (text: string): string => text.replace(/(\d{4}-\d{4}-[12])-1(?!\d)/g, '$1-2');

/** The data of a read; a number is the status of a failure. */
const ask = async (name: ReadName, isOfThree = false): Promise<Json> => {
  const read = studentReads[name];
  const asked = isOfThree
    ? {
        ...read,
        path: ofThree(read.path),
        ...(read.body && { body: (own: string) => JSON.parse(ofThree(JSON.stringify(read.body?.(own)))) }),
      }
    : read;
  const { status, text } = await callRead(gateway.url, asked, token);
  const body = JSON.parse(text);
  if (status !== 200 || (body.code ?? 200) !== 200) return body.code ?? status;
  const { timestamp: _, data = body } = body;
  return data;
};

beforeAll(async () => {
  gateway = await startGateway({ clock });
  gateway.demo.switches.datesMove = false;
  token = await gateway.register(first);
  await bindRoom(gateway, token);
  for (const name of readNames) known.set(name, await ask(name));
}, 60_000);
afterAll(() => gateway.close());
// A student has 300 calls a minute.
beforeEach(() => clock.advance(61_000));

const under = async (variant: DemoPageVariant, name: ReadName): Promise<Json> => {
  gateway.demo.switches.pageVariants = [variant];
  try {
    return await ask(name, variant === 'three terms');
  } finally {
    gateway.demo.switches.pageVariants = [];
  }
};

/** What a variant does not say, or says in its own words. */
const withoutTimes = (data: Json): Json =>
  JSON.parse(JSON.stringify(data), (name, value) => (/time$|description$/.test(name) ? '' : value));
const score = /score|grade_point$|average|highest|lowest|^regular|^midterm|^final|^total$/;
const withoutMarks = (data: Json): Json =>
  JSON.parse(JSON.stringify(data), (name, value) =>
    score.test(name) || /^(?:passed|failed|undecided|is_published)|^terms$|mean|credits/.test(name) ? null : value,
  );
const withoutGrade = (data: Json): Json =>
  JSON.parse(JSON.stringify(data), (name, value) =>
    /^(?:sequence|retake_score|makeup_score)$/.test(name) ? null : value,
  );

const same: readonly DemoPageVariant[] = [
  'GBK named UTF-8',
  'UTF-8 named GBK',
  'UTF-8 named ISO-8859-1',
  'byte order mark',
  'other places',
  'hours with seconds',
  'plan roots',
  'marks inside id',
];

it('every read has an answer of the campus as the records have it', () => {
  expect([...known].filter(([, data]) => typeof data === 'number')).toEqual([]);
});

describe.each(same)('%s', (variant) => {
  it('gives the same records', async () => {
    for (const name of readNames) expect(await under(variant, name), name).toEqual(known.get(name));
  });
});

describe.each<[DemoPageVariant, (data: Json) => Json]>([
  ['score columns', withoutGrade],
  ['weeks in the mask', withoutTimes],
  ['exam texts', withoutTimes],
  ['negative marks', withoutMarks],
])('%s', (variant, alike) => {
  it('gives the same records but for what it does not say', async () => {
    for (const name of readNames) expect(alike(await under(variant, name)), name).toEqual(alike(known.get(name)));
  });
});

it('negative marks are none, and no course is passed or failed by them', async () => {
  const { records } = await under('negative marks', 'wholeRecord');
  expect(records.length).toBeGreaterThan(0);
  for (const row of records) expect(row).toMatchObject({ score: '', score_number: null, grade_point: null });
  expect(JSON.stringify(await under('negative marks', 'currentScores'))).not.toContain('-999');
});

const nothing = (data: Json): Json =>
  JSON.parse(JSON.stringify(data), (_, value) => (typeof value === 'string' || value === null ? '' : value));

it('damaged bytes take texts away or fail the read, and never make a list shorter', async () => {
  for (const name of readNames) {
    const got = await under('damaged bytes', name);
    if (typeof got !== 'number') expect(nothing(got), name).toEqual(nothing(known.get(name)));
  }
});

it('exams keep their hours', async () => {
  const { exams } = await under('exam texts', 'exams');
  expect(exams.some(({ exam_time }: Json) => /^下午\d/.test(exam_time))).toBe(true);
  const notes = (list: Json[]) => list.map(({ course_name, note }) => [course_name, note]);
  expect(notes(exams)).toEqual(notes(known.get('exams').exams));
});

it('with three terms every code is that of the list, and none is made up', async () => {
  for (const name of readNames.filter((each) => studentReads[each].system === 'jwc')) {
    const data = await under('three terms', name);
    expect(JSON.parse(ofTwo(JSON.stringify(data))), name).toEqual(known.get(name));
  }
  expect(await under('three terms', 'currentTerm')).toMatchObject({ term_code: '2025-2026-2-2' });
});
