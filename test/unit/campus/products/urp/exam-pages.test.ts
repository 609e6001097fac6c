import { describe, expect, it } from 'vitest';
import { examPageAlive, parseExamSeats } from '../../../../../src/campus/products/urp/parse-exam-seats.ts';
import { parseOtherExams, parseUniversityExams } from '../../../../../src/campus/products/urp/parse-exams.ts';
import { withSeats } from '../../../../../src/domain/academics/exams.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const box = (title: string, body: string): string =>
  `<div class="widget-box"><h5 class="widget-title">${title}</h5><div class="widget-main">${body}</div></div></body>`;
const seatOf = (title: string, body: string) => {
  const [block] = parseExamSeats(box(title, body));
  return block?.seat ? [block.courseName, block.seat] : undefined;
};
const noExtras = {
  course_code: null,
  course_sequence: null,
  exam_name: null,
  week: null,
  admission_ticket: null,
  hint: null,
};

describe('the seat page', () => {
  it.each([
    ['(A-1-07)甲', '', { course_code: 'A-1', course_sequence: '07' }],
    ['（A101）甲', '', { course_code: 'A101', course_sequence: null }],
    ['甲（A-1）', '', { course_code: null, course_sequence: null }],
    ['(-1)甲', '', { course_code: '-1', course_sequence: null }],
    ['甲', '准考证号：&nbsp;2026-07 考试提示信息：x', { admission_ticket: '2026-07' }],
    ['甲', '准考证号： <br>2026-07', { admission_ticket: null }],
    ['甲', '考试名称：补考<br>第3周', { exam_name: '补考', week: 3 }],
    ['甲', '<p>考试提示信息：<b>带</b>尺<br>和笔</p>别的', { hint: '带尺 和笔' }],
    ['甲', '<span>考试提示信息：&lt;b&gt; </span>x', { hint: '<b>' }],
    ['甲', '<span>考试提示信息： </span>x', { hint: null }],
    ['甲', `<span>考试提示信息：${'长'.repeat(501)}</span>`, { hint: `${'长'.repeat(499)}…` }],
    ['甲', `<span>考试提示信息：${'长'.repeat(500)}</span>`, { hint: '长'.repeat(500) }],
  ])('%j, %j: extras', (title, body, expected) => {
    expect(parseExamSeats(box(title, body))[0]?.extras).toMatchObject(expected);
  });

  it.each([
    ['（X-01）甲', '座位号：12', ['甲', '12']],
    ['(X-01)甲(上)', '座位号: 12准考证号：2', ['甲(上)', '12']],
    ['（一）', '座位号:12考试提示信息', ['（一）', '12']],
    ['甲（已结束）', '座位号：&nbsp;12<br>x', ['甲', '12']],
    ['甲', '座位号：第3排 第5列<br>地点：x', ['甲', '第3排 第5列']],
    ['甲', '座位号：3 第二考场', ['甲', '3 第二考场']],
    ['甲', '座位号：18 考试方式：闭卷', ['甲', '18']],
    ['甲', '座位号：第3排备注：无', undefined],
    ['甲', '<p>座位号：18</p><p>地点</p>', ['甲', '18']],
    ['甲', '<div>座位号：18</div>x', ['甲', '18']],
    ['甲', '<ul><li>座位号：18<li>地点</ul>', ['甲', '18']],
    ['甲', '座位号:&nbsp;18</br>准考证号:&nbsp;2', ['甲', '18']],
    ['甲', '座位号：', undefined],
    ['甲', '座位号：<br>地点：东校区', undefined],
    ['甲', '座位号:&nbsp;<br/>\n 备注', undefined],
    ['甲', '座位号：\n   12 <br>x', ['甲', '12']],
    ['甲', '座位号：<br>考试提示信息：按座位号：就坐', undefined],
    ['甲', '<span>座位号：</span><b>１２</b>', ['甲', '１２']],
    ['甲', '准考证号：3', undefined],
    ['', '座位号：3', undefined],
  ])('%j, %j', (title, body, expected) => {
    expect(seatOf(title, body)).toEqual(expected);
  });

  it('of another campus ends its lines with closing tags', () => {
    expect(parseExamSeats(fieldInput('f10-exam-close-br.html'))).toEqual([
      {
        courseName: '内部审计',
        seat: '18',
        dates: ['2027-01-08'],
        times: ['09:00'],
        extras: {
          ...noExtras,
          course_code: '31131862',
          course_sequence: '01',
          exam_name: '期末考试',
          admission_ticket: '20260001',
        },
      },
    ]);
  });

  it('gives a seat to the date line before it, where one block holds two exams', () => {
    const page = box('甲', '时间：2026-01-09 09:00<br>座位号：1<br>时间：2026-01-10 14:00<br>座位号：2');
    expect(parseExamSeats(page)).toMatchObject([
      { seat: '1', dates: ['2026-01-09'], times: ['09:00'] },
      { seat: '2', dates: ['2026-01-10'], times: ['14:00'] },
    ]);
  });

  it.each([
    ['before all dates', '座位号：1<br>2026-01-09<br>2026-01-10'],
    ['two of one date', '2026-01-09<br>座位号：1<br>座位号：2'],
    ['two without a date', '座位号：1<br>座位号：2'],
  ])('gives no seat where it cannot be told whose it is: %s', (_, body) => {
    for (const { seat } of parseExamSeats(box('甲', body))) expect(seat).toBeNull();
  });

  it('does not mix neighbouring blocks', () => {
    const page = `${box('甲', 'x')}<div class="widget-box"><div class="widget-main">座位号：9</div></div>${box('乙', '座位号：2')}`;
    expect(parseExamSeats(page)).toMatchObject([
      { courseName: '甲', seat: null },
      { courseName: '乙', seat: '2' },
    ]);
  });

  it.each([
    ['titles of another class', 'widget-title', 'caption'],
    ['bodies of another class', 'widget-main', 'content'],
    ['attributes of another name', 'class=', 'data-class='],
  ])('is unreadable where seats stand outside of what is read: %s', (_, known, other) => {
    const page = `<script>events: "examPlan/detail"</script>${box('甲', '座位号：1').replaceAll(known, other)}`;
    expect(() => parseExamSeats(page)).toThrow(expect.objectContaining(unreadablePage));
  });

  it('may have no blocks, but must be the exam page', () => {
    expect(parseExamSeats('<script>events: "/student/examinationManagement/examPlan/detail"</script>')).toEqual([]);
    expect(examPageAlive('<div class="login-box visible widget-box"><div class="widget-main">请登录</div></div>')).toBe(
      false,
    );
    expect(examPageAlive(box('甲', ''))).toBe(true);
  });

  it('that was cut is unreadable, because the seats behind the cut would be missed', () => {
    const page = fixture('exam-page.html');
    for (let end = 0; end < page.indexOf('examPlan/detail'); end += 50) {
      expect(failureOf(() => parseExamSeats(page.slice(0, end)))).toMatchObject(unreadablePage);
    }
  });
});

describe('seats of exams that share a name', () => {
  it('are those of their own hour also where one begins when the other ends', () => {
    const block = (time: string, seat: string) => box('甲', `2026-01-09 ${time}<br>座位号：${seat}`);
    const exam = (time: string) => ({ courseName: '甲', date: '2026-01-09', time, location: '', note: '' });
    const exams = [exam('10:30-12:30'), exam('08:30-10:30')].map((each) => ({ ...each, kind: 'university' as const }));
    const seats = parseExamSeats(`${block('08:30-10:30', '5')}${block('10:30-12:30', '6')}`);
    expect(withSeats(exams, seats).map(({ note }) => note)).toEqual(['座位号: 6', '座位号: 5']);
  });
});

describe('the calendar of university exams', () => {
  it('gives course, time and place by lines, and drops what has no course', () => {
    const { exams, dropped } = parseUniversityExams(fixture('university-exams.json'));
    expect(exams.map(({ courseName, date, time, location }) => [courseName, date, time, location])).toEqual([
      ['微观经济学', '2026-01-09', '08:30-10:30', '东校区 东校区明理楼 明理楼-308'],
      ['线性代数(B)', '2026-01-07', '14:00-16:00', '西校区 致远楼 致远楼-102'],
      ['只有名称', '2026-01-08', '', ''],
      ['08:00', '2026-01-07', '', ''],
    ]);
    expect(dropped).toBe(1);
  });

  it.each([']', ' ]\n', '\uFEFF]', '[]'])('%j is empty', (text) => {
    expect(parseUniversityExams(text)).toEqual({ exams: [], dropped: 0 });
  });

  it.each([']]', '"]"', '[7,{"start":"2026-01-07"}]'])('%j is unreadable', (text) => {
    expect(failureOf(() => parseUniversityExams(text))).toMatchObject(unreadablePage);
  });
});

describe('other exams', () => {
  it('keep odd rows with empty cells and write dates one way', () => {
    expect(parseOtherExams(fixture('other-exams.json'))).toEqual({
      rows: [
        {
          courseName: '形势与政策',
          date: '2026-01-03',
          time: '14:00-15:30',
          location: '西校区 致远楼-101',
          kind: 'other',
          note: '',
          extras: { ...noExtras, course_sequence: '03' },
        },
        { courseName: '体育', date: '2026-01-05', time: '', location: '', kind: 'other', note: '3' },
        { courseName: '', date: '待定', time: '', location: '', kind: 'other', note: '' },
      ],
      received: 4,
      dropped: 1,
      total: 4,
    });
  });

  const { records, pageSize, pageNum, pageContext } = JSON.parse(fixture('other-exams.json'));
  const columnsOf = (row: Record<string, unknown>) => [1, {}, row.KCM, [], row.KSRQ, row.KSSJ, row.KSDD, row.BZ, 'x'];
  /** Arrays name no number and class. */
  const bare = (text: string) => {
    const { rows, ...page } = parseOtherExams(text);
    return { ...page, rows: rows.map(({ extras: _, ...row }) => row) };
  };
  const asObjects = bare(fixture('other-exams.json'));

  it.each([
    ['arrays at the root', { pageSize, pageNum, pageContext, records: records.map(columnsOf) }],
    ['objects below a list', { list: { pageSize, pageNum, pageContext, records } }],
    ['arrays below a list', { list: { pageContext, records: records.map(columnsOf) } }],
    ['objects below a list beside a null root', { records: null, pageContext: null, list: { pageContext, records } }],
    [
      'both forms mixed',
      { pageContext, records: records.map((row: object, at: number) => (at % 2 ? columnsOf({ ...row }) : row)) },
    ],
    [
      'without surplus columns',
      { pageContext, records: records.map((row: object) => columnsOf({ ...row }).slice(0, 8)) },
    ],
  ])('are the same as %s', (_, body) => {
    expect(bare(JSON.stringify(body))).toEqual(asObjects);
  });

  it('count a row that is too short and drop it; nested and null cells are empty, ends are trimmed', () => {
    const rows = [
      ['1', null, '书法', null, '2026-01-03', '', ''],
      ['2', null, ' 书法 ', null, { day: 3 }, null, ['x'], ' 带笔 '],
    ];
    expect(parseOtherExams(JSON.stringify({ list: { pageContext: { totalCount: 9 }, records: rows } }))).toEqual({
      rows: [{ courseName: '书法', date: '', time: '', location: '', kind: 'other', note: '带笔' }],
      received: 2,
      dropped: 1,
      total: 9,
    });
  });

  it('are counted by the number beside the rows; without rows every number counts', () => {
    const total = (body: object) => parseOtherExams(JSON.stringify(body)).total;
    const row = { KCM: '书法' };
    const [two, seven] = [{ totalCount: 2 }, { totalCount: 7 }];
    expect(total({ pageContext: two, list: { pageContext: seven, records: [row] } })).toBe(7);
    expect(total({ pageContext: two, records: [row], list: { pageContext: seven } })).toBe(2);
    expect(total({ pageContext: seven, list: { records: [row] } })).toBeNull();
    expect(total({ pageContext: two, records: null, list: {} })).toBe(2);
  });

  it.each([
    ['null', '{"records":null,"pageContext":{"totalCount":0}}'],
    ['an empty list', '{"records":[]}'],
    ['missing, without an error', '{"pageNum":1}'],
    ['null below the list', '{"list":{"records":null}}'],
    ['missing below the list', '{"list":{"pageContext":{"totalCount":0}}}'],
    ['empty at the root, even if the list has some', '{"records":[],"list":{"records":[{"KCM":"书法"}]}}'],
    ['missing, with null for the list', '{"list":null}'],
    ['null at both places', '{"records":null,"list":{"records":null,"pageSize":30}}'],
  ])('are none when the rows are %s', (_, text) => {
    expect(parseOtherExams(text)).toMatchObject({ rows: [], received: 0 });
  });

  it.each([
    '[]',
    '{"records":"x"}',
    '{"result":"error","msg":"x"}',
    '{"result":"error","records":null}',
    '{"success":false,"records":[]}',
    '{"records":[["1","书法","2026-01-03"]],"pageContext":{"totalCount":1}}',
    '{"records":[{"kcm":"书法"},null]}',
    '{"records":[["1",null,"书法",null,"2026-01-03","",""]],"pageContext":{"totalCount":1}}',
    '{"list":{"records":[["书法"],{"kcm":"书法"}]}}',
    '{"list":[]}',
    '{"list":"x","records":null}',
    '{"list":{}}',
    '{"list":{"msg":"x"}}',
    '{"list":{"records":[]},"result":"error"}',
    fixture('course-selection.json'),
  ])('%s is unreadable, not "no exams"', (text) => {
    expect(failureOf(() => parseOtherExams(text))).toMatchObject(unreadablePage);
  });
});

describe('day and hours of other exams', () => {
  const row = (KSRQ: unknown, KSSJ: unknown) => ({ KCM: '甲', KSRQ, KSSJ });
  const when = (KSRQ: unknown, KSSJ: unknown) => {
    const { rows } = parseOtherExams(JSON.stringify({ records: [row(KSRQ, KSSJ)] }));
    return [rows[0]?.date, rows[0]?.time];
  };

  it.each([
    ['2026年12月3日 14:00-15:30', null, '2026-12-03', '14:00-15:30'],
    ['2026-12-03', '14:00-15:30', '2026-12-03', '14:00-15:30'],
    ['2026年12月3日14:00', '', '2026-12-03', '14:00'],
    // A second day stays visible.
    ['2026-12-04~2026-12-05', null, '2026-12-04', '2026-12-04~2026-12-05'],
    ['2026-12-04~2026-12-05', '9:00-11:00', '2026-12-04', '2026-12-04~2026-12-05 9:00-11:00'],
    ['待定', null, '待定', ''],
  ])('of %s, %s', (date, time, ...expected) => {
    expect(when(date, time)).toEqual(expected);
  });
});

describe('a seat in doubt', () => {
  const seatsOf = (body: string) => parseExamSeats(box('甲', body)).map(({ seat }) => seat);
  it.each([
    ['stands before the first of two days', '座位号:1<br>2027-01-08<br>座位号:2<br>2027-01-09', [null, null]],
    ['shares a line with two days', '2027-01-08 09:00 座位号:18 2027-01-09 14:00', [null]],
    ['is followed by its own day', '座位号:18 2027-01-09 14:00', ['18']],
  ])('that %s is none of another sitting', (_, body, seats) => {
    expect(seatsOf(body)).toEqual(seats);
  });
});

it('an entry of the calendar may have its lines by br', () => {
  const text = JSON.stringify([{ title: '甲<br>09:00-11:00</br>梅园', start: '2027-01-08' }]);
  expect(parseUniversityExams(text).exams).toMatchObject([{ courseName: '甲', time: '09:00-11:00', location: '梅园' }]);
});

describe('other exams in arrays', () => {
  const usual = ['1', null, '书法', null, '2026-01-06', '14:00-15:30', '致远楼-101', '带笔'];
  const swapped = (one: number, other: number): unknown[] =>
    usual.map((cell, at) => (at === one ? usual[other] : at === other ? usual[one] : cell));
  const read = (row: unknown) => parseOtherExams(JSON.stringify({ records: [row] })).rows;
  it.each([
    [2, 4],
    [2, 5],
    [4, 5],
    [4, 6],
    [5, 6],
    [4, 7],
    [5, 7],
    [0, 2],
  ])('whose columns %i and %i have changed places are refused', (one, other) => {
    expect(read(usual)).toHaveLength(1);
    expect(failureOf(() => read(swapped(one, other)))).toMatchObject(unreadablePage);
  });
});

describe('the lines of a title', () => {
  const exam = (title: string) => parseUniversityExams(JSON.stringify([{ title, start: '2026-01-09' }])).exams[0];

  it.each([
    '微观<br>08:30-10:30<br>东区',
    '微观&lt;br/&gt;08:30-10:30&lt;br/&gt;东区',
    '微观<p>08:30-10:30</p>东区',
    '<b>微观</b><BR>08:30-10:30<BR>东区',
    '微观\r\n\r\n08:30-10:30\r\n东区',
    '微观\n东区\n08:30-10:30',
  ])('may be told apart as in %j', (title) => {
    expect(exam(title)).toMatchObject({ courseName: '微观', time: '08:30-10:30', location: '东区' });
  });

  it('stay in their order where none states an hour', () => {
    expect(exam('微观\n待定\n东区')).toMatchObject({ time: '待定', location: '东区' });
  });
});

describe('a seat', () => {
  const seatIn = (text: string, title = '（ECO1-02）微观') =>
    parseExamSeats(
      '<html><div class="widget-box"><h5 class="widget-title">' +
        `${title}</h5><div class="widget-main">2026-01-09 08:30-10:30<br>${text}</div></div>examPlan/detail</html>`,
    )[0];

  it.each([
    ['座 位 号：18', '18'],
    ['座位：18', '18'],
    ['座位号:18；', '18'],
    ['座位号：无', null],
    ['座位号：null', null],
    ['座位号：待定', null],
    ['座位号：--', null],
  ])('in %s is %j', (text, seat) => {
    expect(seatIn(text)?.seat).toBe(seat);
  });

  it.each(['【ECO1-02】微观', '[ECO1-02]微观', '(ECO1-02)微观'])('belongs to the course of %s', (title) => {
    const extras = { course_code: 'ECO1', course_sequence: '02' };
    expect(seatIn('座位号：18', title)).toMatchObject({ courseName: '微观', seat: '18', extras });
  });
});
