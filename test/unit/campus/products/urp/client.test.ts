import { describe, expect, it } from 'vitest';
import { createJwcClient } from '../../../../../src/campus/products/urp/index.ts';
import { parseSections } from '../../../../../src/campus/products/urp/parse-schedule.ts';
import { failures } from '../../../../../src/domain/errors.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeJwc, student } from './fake-jwc.ts';
import { fixture, rejection, unreadablePage } from './fixtures.ts';

const term = '2025-2026-1-1';
const query = { termCode: term, courseCode: '', courseName: '', page: 1, pageSize: 50 };
const context = callContext();
const { sections: known } = parseSections(fixture('sections.json'));

const start = () => {
  const jwc = new FakeJwc();
  return { jwc, client: createJwcClient({ sessions: jwc }) };
};

const unavailable = () => {
  throw failures.upstreamUnavailable('academics', 'status 502', { retryAfterSeconds: 30 });
};

describe('a campus whose table of a term has no address of the past', () => {
  const present = fixture('calendar.html').replace('Q4mZ81xTcd/ajaxStudentSchedule/past', 'ajaxStudentSchedule');

  it('is asked at the address that its page names, for the same', async () => {
    const { jwc, client } = start();
    jwc.answers('calendar', present);
    jwc.answers('courses', fixture('courses.json'));
    const { table } = await client.schedule(student, term, known, context);
    expect(table.courses.length).toBeGreaterThan(0);
    expect(jwc.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/student/courseSelect/thisSemesterCurriculum/ajaxStudentSchedule/callback',
      form: [
        ['planCode', term],
        ['sf_request_type', 'ajax'],
      ],
    });
  });

  it('never has the table of one term shown for another', async () => {
    const { jwc, client } = start();
    jwc.answers('calendar', present);
    jwc.answers('courses', fixture('courses.json'));
    const other = client.schedule(student, '2024-2025-2-1', known, context);
    expect(await rejection(other)).toMatchObject({ kind: 'upstream-unreadable', part: 'courses' });
  });
});

describe('terms', () => {
  it('cost one request each time and store the segment of their page', async () => {
    const { jwc, client } = start();
    expect(await client.terms(student, context)).toHaveLength(4);
    await client.terms(student, context);
    expect(jwc.names).toEqual(['calendar', 'calendar']);
    expect(jwc.requests[0]?.alive?.(fixture('calendar.html'))).toBe(true);
    await client.schedule(student, term, known, context);
    expect(jwc.names).toEqual(['calendar', 'calendar', 'courses']);
  });

  it('do not need a segment, but never leave a retired one stored', async () => {
    const { jwc, client } = start();
    await client.terms(student, context);
    jwc.answers('calendar', fixture('calendar.html').replace('ajaxStudentSchedule', 'x'));
    expect(await client.terms(student, context)).toHaveLength(4);
    expect([...jwc.memo]).toEqual([]);
  });

  it('and schedules never load the calendar page at the same time', async () => {
    const { jwc, client } = start();
    let loading = 0;
    let most = 0;
    jwc.answers('calendar', async (request) => {
      loading += 1;
      most = Math.max(most, loading);
      await new Promise((done) => setImmediate(done));
      loading -= 1;
      return jwc.genuine(request);
    });
    await Promise.all([
      client.terms(student, context),
      client.schedule(student, term, known, context),
      client.terms(student, context),
    ]);
    expect(most).toBe(1);
  });
});

describe('one page of scores', () => {
  it('costs two requests cold and one warm', async () => {
    const { jwc, client } = start();
    await client.scorePage(student, query, context);
    expect(jwc.names).toEqual(['scores-index', 'scores']);
    await client.scorePage(student, query, context);
    expect(jwc.names).toEqual(['scores-index', 'scores', 'scores']);
  });

  it('is asked for with the fields in their order, unchanged', async () => {
    const { jwc, client } = start();
    const asked = { termCode: '2024-2025-2', courseCode: 'ECO', courseName: '微观 & 宏观', page: 3, pageSize: 20 };
    await client.scorePage(student, asked, context);
    expect(jwc.requests[1]?.form).toEqual([
      ['zxjxjhh', '2024-2025-2'],
      ['kch', 'ECO'],
      ['kcm', '微观 & 宏观'],
      ['pageNum', '3'],
      ['pageSize', '20'],
      ['sf_request_type', 'ajax'],
    ]);
  });

  it('loads a new segment once when the stored one is stale', async () => {
    const { jwc, client } = start();
    await client.scorePage(student, query, context);
    jwc.retireSegments();
    await client.scorePage(student, query, context);
    expect(jwc.names.slice(2)).toEqual(['scores', 'scores-index', 'scores']);
  });

  it('that stays refused is an error with the upstream text, after one repetition', async () => {
    const { jwc, client } = start();
    jwc.answers('scores', '{"result":"error","msg":"<p>系统忙</p>"}');
    expect(await rejection(client.scorePage(student, query, context))).toMatchObject({
      kind: 'upstream-refused',
      system: 'academics',
      upstreamMessage: '系统忙',
    });
    expect(jwc.names).toEqual(['scores-index', 'scores', 'scores-index', 'scores']);
  });

  it('shares one load of the index among calls that start together', async () => {
    const { jwc, client } = start();
    await Promise.all([1, 2, 3].map(() => client.scorePage(student, query, context)));
    expect(jwc.names.filter((name) => name === 'scores-index')).toHaveLength(1);
    expect(jwc.requests).toHaveLength(4);
  });

  it('shares one reload among calls whose segment failed together', async () => {
    const { jwc, client } = start();
    await client.scorePage(student, query, context);
    jwc.retireSegments();
    await Promise.all([1, 2, 3].map(() => client.scorePage(student, query, context)));
    expect(jwc.names.filter((name) => name === 'scores-index')).toHaveLength(2);
  });

  it('asks for the index again after a reload failed', async () => {
    const { jwc, client } = start();
    await client.scorePage(student, query, context);
    jwc.retireSegments();
    jwc.answers('scores-index', unavailable);
    expect(await rejection(client.scorePage(student, query, context))).toMatchObject({ kind: 'upstream-unavailable' });
    jwc.answers('scores-index', (request) => jwc.genuine(request));
    const before = jwc.requests.length;
    await client.scorePage(student, query, context);
    expect(jwc.names.slice(before)).toEqual(['scores-index', 'scores']);
  });
});

describe('all scores', () => {
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => [from + i, term, `C${from + i}`, '01', '课', '', '1', 16, '', '', '90']);
  /** An upstream with `total` rows that pages as it is asked. */
  const paged = (total: number, stated: unknown = total) => {
    return ({ form = [] }: { form?: ReadonlyArray<readonly [string, string]> }) => {
      const fields = new Map(form);
      const size = Number(fields.get('pageSize'));
      const skipped = (Number(fields.get('pageNum')) - 1) * size;
      const records = rows(skipped + 1, Math.max(0, Math.min(size, total - skipped)));
      return JSON.stringify({ list: { pageContext: { totalCount: stated }, records } });
    };
  };
  const read = async (answer: Parameters<FakeJwc['answers']>[1]) => {
    const { jwc, client } = start();
    jwc.answers('scores', answer);
    const records = await client.allScores(student, term, context);
    return { jwc, sequences: records.map((record) => record.sequence) };
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

  it.each([
    [0, 1],
    [50, 1],
    [120, 3],
  ])('%i rows cost one index and %i pages', async (total, pages) => {
    const { jwc, sequences } = await read(paged(total));
    expect(sequences).toEqual(upTo(total));
    expect(jwc.names).toEqual(['scores-index', ...new Array<string>(pages).fill('scores')]);
    expect(jwc.requests.slice(1).map((r) => r.form?.slice(3, 5))).toEqual(
      upTo(pages).map((page) => [
        ['pageNum', String(page)],
        ['pageSize', '50'],
      ]),
    );
  });

  it('count unusable rows as received', async () => {
    const broken = JSON.stringify({ list: { pageContext: { totalCount: 2 }, records: [rows(1, 1)[0], [2]] } });
    const { jwc, sequences } = await read(broken);
    expect(sequences).toEqual([1]);
    expect(jwc.requests).toHaveLength(2);
  });

  it('are no part of the list when a later page fails', async () => {
    const { jwc, client } = start();
    const pages = paged(120);
    jwc.answers('scores', (request) => (jwc.requests.length > 2 ? unavailable() : pages(request)));
    expect(await rejection(client.allScores(student, term, context))).toMatchObject({ kind: 'upstream-unavailable' });
  });

  it('continue with the same page when the segment goes stale on the way', async () => {
    const { jwc, client } = start();
    const pages = paged(120);
    let refusals = 1;
    jwc.answers('scores', (request) => {
      if (request.form?.[3]?.[1] === '2' && refusals-- > 0) return '{"result":"error"}';
      return pages(request);
    });
    expect(await client.allScores(student, term, context)).toHaveLength(120);
    expect(jwc.names).toEqual(['scores-index', 'scores', 'scores', 'scores-index', 'scores', 'scores']);
  });
});

describe('schedule', () => {
  it('costs three requests cold and one warm', async () => {
    const { jwc, client } = start();
    const { table, sections } = await client.schedule(student, term, null, context);
    expect(table.courses.map((course) => course.code)).toEqual(['ECO1201003', 'PRA3901001']);
    expect(sections).toEqual(known);
    expect([...jwc.names].sort()).toEqual(['calendar', 'courses', 'sections']);
    expect((await client.schedule(student, term, known, context)).sections).toBe(known);
    expect(jwc.names.slice(3)).toEqual(['courses']);
  });

  it('asks for the sections beside index and courses, not after them', async () => {
    const { jwc, client } = start();
    const { promise: sectionsAsked, resolve } = Promise.withResolvers<void>();
    jwc.answers('sections', (request) => {
      resolve();
      return jwc.genuine(request);
    });
    jwc.answers('calendar', async (request) => {
      await sectionsAsked;
      return jwc.genuine(request);
    });
    await client.schedule(student, term, null, context);
    expect(jwc.requests).toHaveLength(3);
  });

  it('uses the segment of a term list that was read in between instead of loading again', async () => {
    const { jwc, client } = start();
    await client.schedule(student, term, known, context);
    const before = jwc.requests.length;
    let first = true;
    jwc.answers('courses', async (request) => {
      // The term list retires the segment while the courses are being asked for with it.
      if (first) {
        first = false;
        await client.terms(student, context);
      }
      return jwc.genuine(request);
    });
    await client.schedule(student, term, known, context);
    expect(jwc.names.slice(before)).toEqual(['courses', 'calendar', 'courses']);
  });

  it.each([
    ['calendar', 'courses'],
    ['courses', 'courses'],
    ['sections', 'sections'],
  ])('without its %s fails as a whole and names the %s', async (name, part) => {
    const { jwc, client } = start();
    jwc.answers(name, unavailable);
    expect(await rejection(client.schedule(student, term, null, context))).toMatchObject({
      kind: 'upstream-unavailable',
      system: 'academics',
      retryAfterSeconds: 30,
      reason: 'status 502',
      part,
    });
    jwc.answers(name, '<html></html>');
    expect(await rejection(client.schedule(student, term, null, context))).toMatchObject({ ...unreadablePage, part });
  });

  it('names the courses when both parts fail, and ends only when both have', async () => {
    const { jwc, client } = start();
    let sectionsEnded = false;
    const { promise: coursesFailed, resolve } = Promise.withResolvers<void>();
    jwc.answers('courses', () => {
      resolve();
      return unavailable();
    });
    jwc.answers('sections', async () => {
      await coursesFailed;
      await new Promise((done) => setImmediate(done));
      sectionsEnded = true;
      return unavailable();
    });
    expect(await rejection(client.schedule(student, term, null, context))).toMatchObject({ part: 'courses' });
    expect(sectionsEnded).toBe(true);
  });

  it("hands the session core's own signal on, before any failure", async () => {
    const { jwc, client } = start();
    const dead = new Error('session is dead');
    jwc.answers('calendar', unavailable);
    jwc.answers('sections', () => {
      throw dead;
    });
    await expect(client.schedule(student, term, null, context)).rejects.toBe(dead);
  });

  it('leaves failures of the whole call as they are', async () => {
    const { jwc, client } = start();
    const gone = failures.clientGone();
    jwc.answers('sections', () => {
      throw gone;
    });
    await expect(client.schedule(student, term, null, context)).rejects.toBe(gone);
  });

  it('tells the log how many entries were unusable', async () => {
    const { jwc, client } = start();
    jwc.answers('courses', fixture('courses-malformed.json'));
    jwc.answers('sections', '{"sectionTime":[7,{}]}');
    await client.schedule(student, term, null, context);
    expect(jwc.dropped).toHaveLength(2);
    expect(jwc.dropped).toContainEqual({ page: 'courses', dropped: 7 });
    expect(jwc.dropped).toContainEqual({ page: 'sections', dropped: 1 });
  });
});
