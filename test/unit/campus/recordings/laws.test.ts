import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { classOfMember, mapRecord } from '../../../../src/campus/recordings/atoms.ts';
import { finishScrub } from '../../../../src/campus/recordings/make.ts';
import { campusMomentIn } from '../../../../src/campus/recordings/moments.ts';
import type { Recorded, RecordedReading, Replay, Scrubbed } from '../../../../src/campus/recordings/recording.ts';
import { reduce } from '../../../../src/campus/recordings/reduce.ts';
import { scrubPages } from '../../../../src/campus/recordings/scrub.ts';
import { prepareScrub, type ScrubWork } from '../../../../src/campus/recordings/work.ts';
import { replayOf } from '../../../../src/composition/recordings.ts';
import type { Capability } from '../../../../src/domain/capabilities.ts';
import { plant, randomOf } from '../../../support/plantings.ts';
import { demoStudents, recordDemo } from '../../../support/recorded-demos.ts';

const campuses = Object.entries(demoStudents).map(([campus, [student]]) => [campus, student] as const);

/** Members that are worked out of several figures of a page, so that they are not those of a page with other figures. */
const workedOut: Readonly<Record<string, readonly string[]>> = {
  // Four figures make these two.
  'jwglxt academics.summary': ['coursesTaken', 'coursesFailed'],
  // A hundredth of what the page says; and what has no member is told with its mark and its share.
  'jwglxt academics.scoreComponents': ['regular_weight', 'midterm_weight', 'final_weight', 'remark'],
};

const filesOf = (scrubbed: Scrubbed): ReadonlyMap<string, Uint8Array> => {
  if ('refused' in scrubbed) throw new Error(`refused: ${JSON.stringify(scrubbed.refused)}`);
  return scrubbed.files;
};
const textsOf = (scrubbed: Scrubbed) =>
  Object.fromEntries([...filesOf(scrubbed)].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));

/** Members that are worked out are no part of a page. */
const withoutOwn = (page: Capability, record: unknown, others: readonly string[]) =>
  mapRecord({ page, record }, (leaf, member) =>
    classOfMember(member) === 'own' || others.includes(member.split('.')[1] ?? '') ? null : leaf,
  );

/** Members that say something. */
const saidIn = (readings: readonly RecordedReading[]): ReadonlySet<string> => {
  const said = new Set<string>();
  for (const reading of readings)
    mapRecord(reading, (leaf, member) => {
      const isDay = classOfMember(member) === 'date' && campusMomentIn(String(leaf)) !== null;
      if (leaf !== null && leaf !== '' && !member.startsWith('VenueReserveData'))
        said.add(`${reading.page} ${member}${isDay ? ', a day' : ''}`);
    });
  return said;
};

const keptOf = (campus: string): readonly RecordedReading[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../recordings', campus, 'recording.json'), 'utf8')).readings;

const rounds = Number(process.env.PLANTING_ROUNDS ?? 1);

describe.each(campuses)('a recording of %s', (campus, student) => {
  let demo: { readonly recorded: Recorded; readonly replay: Replay };
  let work: ScrubWork;
  let scrubbed: Scrubbed;
  beforeAll(async () => {
    const { recorded } = await recordDemo(campus, student);
    demo = { recorded, replay: replayOf(recorded) };
    work = await prepareScrub(demo.recorded, demo.replay);
    scrubbed = await finishScrub(work, demo.replay);
  }, 120_000);

  it('is the same for two students whose pages have the same shape, and shows nothing of either', async () => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const planted = await plant(demo.recorded, demo.replay, work.learned, randomOf(seed));
      const own = await prepareScrub(planted.recorded, demo.replay, work.learned);
      const other = textsOf(await finishScrub(own, demo.replay));
      expect(planted.plantings).toBeGreaterThan(10);
      expect(other).toEqual(textsOf(scrubbed));
      const all = Object.values(other).join('\n');
      expect([...planted.texts].filter((text) => [...text].length > 2 && all.includes(text))).toEqual([]);
    }
  }, 600_000);

  it('is read as what the scrubbed records are', async () => {
    const reduced = await reduce(work, demo.replay, new Set());
    const { readings, expected } = await scrubPages(reduced, demo.replay);
    expect(readings.map(({ failure }) => failure)).toEqual(demo.recorded.readings.map(({ failure }) => failure));
    for (const [at, { page, record }] of readings.entries()) {
      const product = demo.recorded.exchanges.find((exchange) => exchange.page === page)?.product;
      const others = workedOut[`${product} ${page}`] ?? [];
      expect(withoutOwn(page, record, others), page).toEqual(withoutOwn(page, expected[at], others));
    }
  });

  it('says something of every member of which the campus does', () => {
    const lost = saidIn(demo.recorded.readings).difference(saidIn(keptOf(campus)));
    expect([...lost]).toEqual([]);
  });

  // Elsewhere rows that differed by what nobody reads are alike once it is gone, and are reduced once more.
  it('is small', () => {
    expect([...filesOf(scrubbed).values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(400_000);
  });
});
