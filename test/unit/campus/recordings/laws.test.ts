import { beforeAll, describe, expect, it } from 'vitest';
import { classOfMember, type Member, mapRecord } from '../../../../src/campus/recordings/atoms.ts';
import type { RecordingFile, Scrubbed } from '../../../../src/campus/recordings/recording.ts';
import { finish, look, reduce, scrubPages, type Work } from '../../../../src/campus/recordings/scrub.ts';
import { first, second } from '../../../support/campus-rig.ts';
import { plant, randomOf } from '../../../support/plantings.ts';
import { type RecordedDemo, recordDemo } from '../../../support/recorded-demo.ts';

const campuses = [
  ['the demo campus', 'demo', first],
  ['its second student', 'demo', second],
  ['Lakeside', 'demo-lakeside', { userid: 'L2026001', password: 'lakeside-password', vpnPassword: '' }],
  ['Seaside', 'demo-seaside', { userid: 'S2026001', password: 'seaside-password', vpnPassword: '' }],
  ['Wutong', 'demo-shuwei', { userid: 'S2026001', password: 'shuwei-password', vpnPassword: '' }],
] as const;

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

const rounds = Number(process.env.PLANTING_ROUNDS ?? 2);

describe.each(campuses)('a recording of %s', (_, campus, student) => {
  let demo: RecordedDemo;
  let work: Work;
  let scrubbed: Scrubbed;
  beforeAll(async () => {
    demo = await recordDemo(campus, student);
    work = await look(demo.recorded, demo.replay);
    scrubbed = await finish(work, demo.replay);
  }, 120_000);

  it('is the same for two students whose pages have the same shape, and shows nothing of either', async () => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const planted = await plant(demo.recorded, demo.replay, work.learned, randomOf(seed));
      const own = await look(planted.recorded, demo.replay, work.learned);
      const other = textsOf(await finish(own, demo.replay));
      expect(planted.plantings).toBeGreaterThan(20);
      expect(other).toEqual(textsOf(scrubbed));
      const all = Object.values(other).join('\n');
      expect([...planted.texts].filter((text) => [...text].length > 2 && all.includes(text))).toEqual([]);
    }
  }, 600_000);

  it('is read as what the scrubbed records are', async () => {
    const reduced = await reduce(work, demo.replay, new Set());
    const { readings, expected } = await scrubPages(reduced, demo.replay);
    expect(readings.map(({ failure }) => failure)).toEqual(demo.recorded.readings.map(({ failure }) => failure));
    for (const [at, { page, record }] of readings.entries())
      expect(withoutOwn(page, record), page).toEqual(withoutOwn(page, expected[at]));
  });

  // Elsewhere rows that differed by a label nobody reads are alike once it is gone, and are reduced once more.
  it.runIf(campus === 'demo-lakeside' || campus === 'demo-shuwei')(
    'stays as it is when it is scrubbed again',
    async () => {
      const { recorded } = demo;
      const files = filesOf(scrubbed);
      const file: RecordingFile = JSON.parse(Buffer.from(files.get('recording.json') ?? []).toString());
      const exchanges = file.steps.map((step) => {
        const body = files.get(step.file ?? '') ?? Buffer.of();
        return { ...step, product: step.system, body, text: new TextDecoder(step.charset).decode(body) };
      });
      const again = { ...recorded, userid: file.userid, exchanges, readings: file.readings, secrets: [] };
      // What was a label may be one no more, so the pages are tried again.
      const afresh = await look(again, demo.replay);
      const twice = await scrubPages(await reduce(afresh, demo.replay, new Set()), demo.replay);
      for (const [at, { page, text }] of twice.exchanges.entries()) expect(text, page).toBe(exchanges[at]?.text);
      expect(textsOf(await finish(afresh, demo.replay))).toEqual(textsOf(scrubbed));
    },
    120_000,
  );

  it('is small', () => {
    expect([...filesOf(scrubbed).values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(400_000);
  });
});
