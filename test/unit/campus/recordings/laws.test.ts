import { beforeAll, describe, expect, it } from 'vitest';
import { classOfMember, type Member, mapRecord } from '../../../../src/campus/recordings/atoms.ts';
import type { Recorded, Replay, Scrubbed } from '../../../../src/campus/recordings/recording.ts';
import { finish, look, reduce, scrubPages, type Work } from '../../../../src/campus/recordings/scrub.ts';
import { replayOf } from '../../../../src/composition/recordings.ts';
import { plant, randomOf } from '../../../support/plantings.ts';
import { demoStudents, recordDemo } from '../../../support/recorded-demos.ts';

const campuses = Object.entries(demoStudents).map(([campus, [student]]) => [campus, student] as const);

/** Reads that work something out of the pages, so that their records are not those of the pages with other values. */
const workedOut: Readonly<Record<string, string>> = {
  'jwglxt academics.summary': 'sums of figures',
  'jwglxt academics.wholeRecord': 'an attempt is a make-up by what stands in other rows',
  'jwglxt academics.scoreComponents': 'shares of a hundred',
  'emap academics.schedule': 'changes move weeks of the timetable',
  'competition competitions.record': 'a row that comes twice counts once',
  'ldjlb laborClub.directory': 'a club that comes twice counts once',
  'ldjlb laborClub.activityDetail': 'members that the campus names are handed on',
};

const filesOf = (scrubbed: Scrubbed): ReadonlyMap<string, Uint8Array> => {
  if ('refused' in scrubbed) throw new Error(`refused: ${JSON.stringify(scrubbed.refused)}`);
  return scrubbed.files;
};
const textsOf = (scrubbed: Scrubbed) =>
  Object.fromEntries([...filesOf(scrubbed)].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));

/** Members that are worked out here are no part of a page. */
const withoutOwn = (page: string, record: unknown) =>
  mapRecord({ page, parameters: [], record, failure: null } as never, (leaf, member: Member) =>
    classOfMember(member) === 'own' ? null : leaf,
  );

const rounds = Number(process.env.PLANTING_ROUNDS ?? 1);

describe.each(campuses)('a recording of %s', (campus, student) => {
  let demo: { readonly recorded: Recorded; readonly replay: Replay };
  let work: Work;
  let scrubbed: Scrubbed;
  beforeAll(async () => {
    const { recorded } = await recordDemo(campus, student);
    demo = { recorded, replay: replayOf(recorded) };
    work = await look(demo.recorded, demo.replay);
    scrubbed = await finish(work, demo.replay);
  }, 120_000);

  it('is the same for two students whose pages have the same shape, and shows nothing of either', async () => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const planted = await plant(demo.recorded, demo.replay, work.learned, randomOf(seed));
      const own = await look(planted.recorded, demo.replay, work.learned);
      const other = textsOf(await finish(own, demo.replay));
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
      if (`${product} ${page}` in workedOut) continue;
      expect(withoutOwn(page, record), page).toEqual(withoutOwn(page, expected[at]));
    }
  });

  // Elsewhere rows that differed by what nobody reads are alike once it is gone, and are reduced once more.
  it('is small', () => {
    expect([...filesOf(scrubbed).values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(400_000);
  });
});
