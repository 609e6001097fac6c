import { describe, expect, it } from 'vitest';
import { type HandMade, recordingOf } from '../../../support/hand-made-campus.ts';

interface Case extends HandMade {
  /** None of it may be found. */
  readonly of: readonly string[];
}

const json =
  <T = Record<string, string>>(read: (value: T) => unknown) =>
  (text: string) =>
    read(JSON.parse(text));

/** The first page of a made recording. */
const pageOf = async (page: HandMade): Promise<string> => {
  const { texts } = await recordingOf([page]);
  return Object.entries(texts).find(([name]) => name.startsWith('001'))?.[1] ?? '';
};

const header = (text: string): HandMade => ({
  text: JSON.stringify({ name: text }),
  read: json(({ name }) => ({ term_name: String(name).split(' ')[0] ?? '', page: String(name).slice(-3) })),
});
const rowsOf = (...all: readonly number[]) => all.map((mark, at) => ({ mark, name: `课${at}` }));
const [marks, lowMarks] = [rowsOf(61, 58, 93, 99), rowsOf(37, 9, 35, 21)];

const cases: Readonly<Record<string, Case>> = {
  'a name of the words of weeks, beside a term': { ...header('2025-2026 周春 第3周'), of: ['周春'] },
  'a name of words of seasons': { ...header('2025-2026 夏冬秋 第3周'), of: ['夏冬秋'] },
  'a number of eight digits that is no day, beside a term': { ...header('2025-2026 20239901 第3周'), of: ['20239901'] },
  'four digits that could be a time, beside a term': { ...header('2025-2026 1023 第3周'), of: ['1023'] },
  'a day of birth beside a term': { ...header('2025-2026 2004-03-15 第3周'), of: ['2004', '03-15'] },
  'a year of birth beside a term': { ...header('2025-2026 2004 第3周'), of: ['2004'] },
  'digits of full width': { ...header('2025-2026 ２１３８ 第3周'), of: ['２１３８', '2138'] },
  'pictures of a nickname': { ...header('2025-2026 🐱🐶 第3周'), of: ['🐱', '🐶'] },
  'a character of one’s own in a name': { ...header('2025-2026 王\u{e5e5} 第3周'), of: ['\u{e5e5}', '王\u{e5e5}'] },
  'a round zero in a name': { ...header('2025-2026 李〇〇 第3周'), of: ['〇', '李'] },
  'digits of full width that nobody reads': {
    text: JSON.stringify({ code: '2025-1', name: '１３８１２３４５６７８' }),
    read: json(({ code }) => ({ code })),
    of: ['１３８'],
  },
  'an amount in digits of full width': {
    text: JSON.stringify({ code: '１２３元' }),
    read: json(({ code }) => ({ balance: code })),
    of: ['１２３'],
  },
  'a name of one character, read and not': {
    text: JSON.stringify({ name: '喆', message: '镕' }),
    read: json(({ name }) => ({ teacher: name })),
    of: ['喆', '镕'],
  },
  'a name of two characters in a sentence that is read': {
    text: JSON.stringify({ name: '欢迎李四' }),
    read: json(({ name }) => ({ term_name: String(name).startsWith('欢迎') ? '1' : '2' })),
    of: ['李四', '李', '四'],
  },
  'a day of birth with which a row stands or falls': {
    text: JSON.stringify({ rows: [{ date: '2004-03-15', code: 'K1' }] }),
    read: json(({ rows }: { readonly rows: ReadonlyArray<{ readonly date: string; readonly code: string }> }) =>
      rows.filter(({ date }) => date > '1').map(({ code }) => ({ code })),
    ),
    of: ['2004', '03-15'],
  },
  'marks with which rows stand or fall': {
    text: JSON.stringify({ rows: marks }),
    read: json(({ rows }: { readonly rows: typeof marks }) =>
      rows.filter(({ mark }) => mark >= 60).map(({ mark, name }) => ({ score: mark, course_name: name })),
    ),
    page: 'academics.allScores',
    of: ['61', '58', '93', '99'],
  },
  'marks that no record shows, with which rows stand or fall': {
    text: JSON.stringify({ rows: marks }),
    read: json(({ rows }: { readonly rows: typeof marks }) =>
      rows.filter(({ mark }) => mark >= 60).map(({ name }) => ({ course_name: name })),
    ),
    page: 'academics.allScores',
    of: ['61', '58', '93', '99'],
  },
  'low marks with which rows stand or fall': {
    text: JSON.stringify({ rows: lowMarks }),
    read: json(({ rows }: { readonly rows: typeof marks }) =>
      rows.filter(({ mark }) => mark >= 15).map(({ mark, name }) => ({ score: mark, course_name: name })),
    ),
    page: 'academics.allScores',
    of: ['37', '35', '21'],
  },
  'a sum that stands on a page, though elsewhere it is worked out': {
    text: JSON.stringify({ sum: 17.75 }),
    read: json(({ sum }) => ({ totalCredits: sum })),
    of: ['17', '.75'],
  },
  'a short number with which another cell of the page decides': {
    text: JSON.stringify({ kind: '12', room: '12' }),
    read: json(({ kind, room }) => (kind === '12' ? { level: room } : null)),
    of: ['"room":"12"', '"level":"12"'],
  },
  'a room in a request': {
    text: JSON.stringify({ room: '1023' }),
    read: json(({ room }) => ({ room })),
    query: [['room', '1023']],
    of: ['1023'],
  },
};

describe('what a recording never holds', () => {
  it.each(Object.entries(cases))('%s', async (_, { of: texts, ...page }) => {
    const { texts: files } = await recordingOf([page]);
    const all = Object.values(files).join('\n');
    expect(texts.filter((text) => all.includes(text))).toEqual([]);
  });
});

describe('what a recording keeps', () => {
  it('is a mask of weeks where the driver reads it, though no record says it', async () => {
    const weeks = (text: unknown): number => String(text).lastIndexOf('1');
    const mask: HandMade = {
      text: JSON.stringify({ weeks: '010101010101010100' }),
      read: json((value) => {
        if (weeks(value.weeks) < 0) throw new Error('no weeks');
        return { term_name: '春' };
      }),
    };
    expect(await pageOf(mask)).toContain('010101010101010100');
  });
});

describe('a day and an hour that a record says', () => {
  it('become others of the term, in the same order and form', async () => {
    const of = (time: string): string => JSON.stringify({ time });
    const page: HandMade = { text: of('2026/4/9 23:59:58'), read: json(({ time }) => ({ record_time: time })) };
    expect(await pageOf(page)).toBe(of('2026/3/1 08:00:00'));
  });
});

const rows = (count: number, rest: string) =>
  JSON.stringify({
    rows: [
      ...Array.from({ length: count }, (_, at) => ({ name: `课程${'甲乙丙丁戊己庚'[at]}`, mark: '90' })),
      { name: rest, mark: '' },
    ],
  });
const readRows = json(
  ({ rows: found }: { readonly rows: ReadonlyArray<{ readonly name: string; readonly mark: string }> }) =>
    found.map(({ name, mark }) => ({ course_name: name, score: mark })),
);

describe('a page of another charset', () => {
  it('is written in it, and holds what it would in UTF-8', async () => {
    const text = '<table><tr><td>微观经济学</td><td>90</td></tr></table>';
    const read = (page: string) => {
      const [, name, score] = /<td>([^<]*)<\/td><td>([^<]*)</.exec(page) ?? [];
      return { course_name: name, score };
    };
    const page: HandMade = { text, read, page: 'academics.allScores' };
    const { files } = await recordingOf([{ ...page, charset: 'gb18030' }]);
    const other = await recordingOf([page]);
    const [name = ''] = [...files.keys()];
    expect(new TextDecoder('gb18030', { fatal: true }).decode(files.get(name))).toBe(other.texts[name]);
    expect(other.texts[name]).toBe('<table><tr><td>课程一</td><td>70</td></tr></table>');
    expect(Buffer.from(files.get('recording.json') ?? []).toString()).toContain('"charset":"gb18030"');
  });
});

describe('a body that is not text of one charset', () => {
  it.each([
    ['utf-8', Buffer.from([0x7b, 0x7d, 0xff])],
    ['', Buffer.from('{}\ufffd')],
  ])('is not recorded, nor is the read that needs it: %s', async (charset, body) => {
    const good: HandMade = { text: '{"code":"2025-1"}', read: json(({ code }) => ({ code })) };
    const bad: HandMade = { text: '{}', read: () => ({}), page: 'academics.exams', charset, body };
    const { texts } = await recordingOf([good, bad]);
    expect(Object.keys(texts)).toEqual(['001-academics.calendarText.json', 'recording.json']);
    expect(texts['recording.json']).not.toContain('academics.exams');
  });
});

describe('rows', () => {
  const page: HandMade = { text: rows(6, '补'), read: readRows, page: 'academics.allScores' };

  it('of one shape are three, and each other shape is there', async () => {
    expect(JSON.parse(await pageOf(page)).rows).toEqual([
      { name: '课程一', mark: '70' },
      { name: '课程二', mark: '70' },
      { name: '课程三', mark: '70' },
      { name: expect.stringContaining('课程'), mark: '' },
    ]);
  });

  it('of a shape that a person leaves out go', async () => {
    const { shapes } = await recordingOf([page]);
    const blank = shapes.filter((shape) => shape.includes('blank'));
    expect(blank).toHaveLength(1);
    const { texts } = await recordingOf([page], new Set(blank));
    expect(JSON.parse(texts['001-academics.allScores.json'] ?? '').rows).toHaveLength(3);
  });
});
