import { describe, expect, it } from 'vitest';
import { replay, replayOf } from '../../src/composition/recordings.ts';
import type { Capability } from '../../src/domain/capabilities.ts';
import { demoStudents, recordDemo } from '../support/recorded-demos.ts';

/** Reads that a recording makes only where the campus has shown what they need. */
const conditional: readonly Capability[] = ['academics.chosenPlan', 'electricity.readMeter'];

/** Reads that began again, and redirects on the way to a login and back, which no replay has. */
const unkept: Readonly<Record<string, number>> = { demo: 1, 'demo-jinzhi': 16 };

describe.each(Object.entries(demoStudents))('a recording of %s', (campus, [student]) => {
  it('signs in once, reads everything that is offered once, and is what a replay reads again', async () => {
    const { recorded, asked } = await recordDemo(campus, student);
    const pages = recorded.readings.map(({ page }) => page);
    expect(pages).toEqual([...new Set(pages)]);
    expect(recorded.readings.filter(({ failure }) => failure !== null)).toEqual([]);
    // The competitions show at the first visit which ticket they want; after it the reading begins again.
    expect(recorded.exchanges).toHaveLength(asked.length - (unkept[campus] ?? 0));
    // A campus with a portal takes the second password there.
    const posts = recorded.exchanges.filter(({ page, method }) => page === 'sign-in' && method === 'POST');
    expect(posts.map(({ system }) => system)).toEqual([...new Set(posts.map(({ system }) => system))]);
    const again = await replay(recorded, recorded.exchanges, recorded.readings, recorded);
    expect(again.readings).toEqual(recorded.readings);
    expect(again.left).toEqual([]);
    expect(pages).toEqual(expect.arrayContaining(['academics.terms', 'academics.allScores', 'academics.schedule']));
    expect(conditional.every((page) => campus !== 'demo' || pages.includes(page))).toBe(true);
  });
});

describe('what a recording keeps of a sign-in', () => {
  it('is the names of its fields', async () => {
    const [student] = demoStudents.demo ?? [];
    if (student === undefined) throw new Error('no student');
    const { recorded } = await recordDemo('demo', student);
    const signIn = recorded.exchanges.filter(({ page }) => page === 'sign-in');
    expect(signIn.length).toBeGreaterThan(8);
    for (const { query, form, text, body, location } of signIn) {
      expect([...query, ...form].filter(([, value]) => value !== '')).toEqual([]);
      expect([text, body.length, location]).toEqual(['', 0, null]);
    }
    expect(JSON.stringify(signIn)).not.toContain(student.userid);
  });
});

describe('a replay', () => {
  it('fails a read whose request was not recorded, and none that was', async () => {
    const [student] = demoStudents['demo-lakeside'] ?? [];
    if (student === undefined) throw new Error('no student');
    const { recorded } = await recordDemo('demo-lakeside', student);
    const replay = replayOf(recorded);
    const without = recorded.exchanges.filter(({ page }) => page !== 'academics.exams');
    const failures = (await replay(without, recorded.readings, recorded)).map(({ page, failure }) => [page, failure]);
    expect(failures).toEqual(
      recorded.readings.map(({ page }) => [page, page === 'academics.exams' ? 'not-recorded' : null]),
    );
    // Each exchange answers once.
    const [terms] = recorded.readings;
    const twice = terms === undefined ? [] : await replay(recorded.exchanges, [terms, terms], recorded);
    expect(twice.map(({ failure }) => failure)).toEqual([null, 'not-recorded']);
  });
});
