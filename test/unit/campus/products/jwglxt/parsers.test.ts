import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { isOwnNumber, parseLoginPage, parseMenu } from '../../../../../src/campus/products/jwglxt/pages.ts';
import { mergeScores, parseComponents, parseScores } from '../../../../../src/campus/products/jwglxt/parse-scores.ts';
import { parseExams, parseFile, parseSummary } from '../../../../../src/campus/products/jwglxt/parse-student.ts';
import {
  ownTerm,
  parseArea,
  parseTermsPage,
  termCodeInWords,
} from '../../../../../src/campus/products/jwglxt/parse-terms.ts';
import { parseSections, parseTimetable } from '../../../../../src/campus/products/jwglxt/parse-timetable.ts';
import { isFailure } from '../../../../../src/domain/errors.ts';

const failureOf = (work: () => unknown): object => {
  try {
    work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { kind: error.kind, ...('upstreamMessage' in error && { upstreamMessage: error.upstreamMessage }) };
  }
  return {};
};
const unread = { kind: 'upstream-unreadable' };

const loginPage = ({ flags = '', form = '', box = ' style="display:none"' } = {}): string =>
  `<html><body><input type="hidden" id="yzcskz" name="yzcskz" value= 5><input type="hidden" id="dlsbsdsj" name="dlsbsdsj" value= 10>${flags}
<form><h5>用户登录</h5><p id="tips" style="display:none"></p><input type="hidden" name="csrftoken" value="a,b"/>
<input type="text" name="yhm" id="yhm" value=""><input type="password" name="mm" id="hidMm"><input type="text" name="mm" id="mm">
<div id="yzmDiv"${box}><input name="yzm" type="text" id="yzm"></div>${form}</form></body></html>`;
const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" id="${name}" value= ${value}>`;

describe('the page of the login', () => {
  it.each<[string, Parameters<typeof loginPage>[0], object]>([
    [
      'nothing that it says',
      {},
      { isPlain: false, wants: null, logoutToken: null, countsFailures: false, lockAfter: 5, lockMinutes: 10 },
    ],
    ['mmsfjm 0', { flags: hidden('mmsfjm', '0') }, { isPlain: true }],
    ['mmsfjm 1', { flags: hidden('mmsfjm', '1') }, { isPlain: false }],
    ['a shown image', { box: '' }, { wants: 'image' }],
    ['a shown image beside dlsfbxyzm 0', { box: '', flags: hidden('dlsfbxyzm', '0') }, { wants: 'image' }],
    ['dlsfbxyzm 1', { flags: hidden('dlsfbxyzm', '1') }, { wants: 'image' }],
    ['dxsyrz 1', { flags: hidden('dxsyrz', '1') }, { wants: 'sms' }],
    ['a slider', { flags: '<script src="/x/zfcaptchaLogin?name=zfdun_captcha.js"></script>' }, { wants: 'slider' }],
    ['the question of failures', { flags: hidden('mmsrddcshkzfs', '1') }, { countsFailures: true }],
    ['a session to end', { form: '<input type="hidden" name="csrfTokenLogout" value="t"/>' }, { logoutToken: 't' }],
    [
      'a salt beside a plain password',
      { flags: `${hidden('mmsfjm', '0')}${hidden('pwdEncryptSalt', 'x')}` },
      { wants: 'unknown-cipher' },
    ],
  ])('with %s', (_, parts, expected) => {
    expect(parseLoginPage(loginPage(parts))).toMatchObject(expected);
  });

  it('is sent with the fields of its form, and with the password in both of its places', () => {
    const form = `${hidden('xxdm', '10000')}<input type="checkbox" name="c"><input type="text">`;
    const { fields } = parseLoginPage(loginPage({ form })) ?? {};
    expect(fields).toEqual([
      ['csrftoken', 'a,b'],
      ['yhm', ''],
      ['mm', ''],
      ['mm', ''],
      ['xxdm', '10000'],
    ]);
  });

  it.each([
    '',
    '<form><input name="yhm"><input name="mm"></form>',
    '<form><input name="csrftoken" value=""><input name="yhm"><input name="mm"></form>',
  ])('is none without its token: %s', (page) => expect(parseLoginPage(page)).toBeNull());
});

it('reads the functions and the owner of a menu', () => {
  const page = `<input type="hidden" id="sessionUserKey" value=" 2023000001 "/><a onclick="clickMenu('N358999','/kwgl/kscx_cxXsksxxIndex.html','考试','null')"></a><a onclick="clickMenu(broken"></a>`;
  expect(parseMenu(page)).toEqual({ owner: '2023000001', functions: { exams: 'N358999' } });
  expect(parseMenu('<html><body>认证</body></html>')).toBeNull();
  expect([isOwnNumber('', 'A'), isOwnNumber(' A ', 'A'), isOwnNumber('B', 'A'), isOwnNumber(7, '7')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

const terms = (years: string, numbers: string) =>
  `<select id="xnm">${years}</select><select id="xqm">${numbers}</select>`;
const year = (value: number, more = '') => `<option value="${value}"${more}>${value}-${value + 1}</option>`;
const usualNumbers =
  '<option value="3" selected>1</option><option value="12">2</option><option value="16">3</option><option value="9">暑</option>';

describe('terms', () => {
  it('are those up to the selected year, at most eight of them, newest first', () => {
    const years = Array.from({ length: 12 }, (_, at) => year(2026 - at, at === 1 ? ' selected' : '')).join('');
    const { terms: found } = parseTermsPage(terms(`<option value="">全部</option>${years}`, usualNumbers));
    expect(found.length).toBe(24);
    expect(found.slice(0, 3)).toEqual([
      { term_code: '2025-2026-3-1', term_name: '2025-2026-3', is_current: false },
      { term_code: '2025-2026-2-1', term_name: '2025-2026-2', is_current: false },
      { term_code: '2025-2026-1-1', term_name: '2025-2026-1', is_current: true },
    ]);
    expect(found.at(-1)?.term_code).toBe('2018-2019-1-1');
  });

  it('are one where the page hides what it selected, and none without that', () => {
    const page = '<input type="hidden" id="xnm" value="2025"/><input type="hidden" id="xqm" value="12"/>';
    expect(parseTermsPage(page).terms).toEqual([
      { term_code: '2025-2026-2-1', term_name: '2025-2026-2', is_current: true },
    ]);
    expect(failureOf(() => parseTermsPage(terms(year(2025), usualNumbers)))).toMatchObject(unread);
    expect(failureOf(() => parseTermsPage('<p>xqm</p>'))).toMatchObject(unread);
  });

  it('are never shown by the number inside the product', () => {
    expect([ownTerm('2025-2026-1-1'), ownTerm('2025-2026-2-1'), ownTerm('2025-2026-3-1'), ownTerm('')]).toEqual([
      { xnm: '2025', xqm: '3' },
      { xnm: '2025', xqm: '12' },
      { xnm: '2025', xqm: '16' },
      { xnm: '', xqm: '' },
    ]);
    expect([ownTerm('2025-2026-4-1'), ownTerm('2025-2027-1-1'), ownTerm('x')]).toEqual([null, null, null]);
    expect([
      termCodeInWords('2025-2026', '第一学期'),
      termCodeInWords('2025-2026', '3'),
      termCodeInWords('2025', '1'),
    ]).toEqual(['2025-2026-1-1', '2025-2026-3-1', null]);
  });

  it('begin on the day that the first cell states', () => {
    const cells = '<td colspan="2">公告</td><td colspan="23">2025-2026学年1学期(2025-09-01至2026-01-18)</td>';
    expect(parseArea(`<table><tr>${cells}</tr></table>`)).toEqual({
      termCode: '2025-2026-1-1',
      start: { firstDay: '2025-09-01', weeks: 20 },
    });
    expect(failureOf(() => parseArea('<td colspan="24">2025-2026学年</td>'))).toMatchObject(unread);
  });
});

const timetable = (kbList: unknown[], more: object = {}) =>
  JSON.stringify({ xsxx: { XH: '1' }, kbList, sjkList: [], ...more });
const row = (more: object = {}) => ({
  kch: 'A1',
  kcmc: '甲',
  jxbmc: '甲-1',
  jxb_id: 'X',
  xm: '周明,许静',
  xqj: '1',
  jcs: '1-2',
  zcd: '1-16周',
  ...more,
});
const maskOf = (more: object) => parseTimetable(timetable([row(more)]))?.table.courses[0]?.places[0]?.weekMask;
const upTo = (bits: number) => [...bits.toString(2)].reverse().join('').slice(0, 24).padEnd(24, '0');

describe('a timetable', () => {
  it.each<[object, number]>([
    [{ zcd: '1-16周' }, 65_535],
    [{ zcd: '1-15周(单)' }, 21_845],
    [{ zcd: '1-8周(单),10周,12-16周(双)' }, 43_605],
    [{ zcd: '2-4周,6-9周' }, 494],
    [{ zcd: '1-26周' }, 67_108_863],
  ])('has the weeks of %o, with bits and without', (more, bits) => {
    expect(maskOf(more)).toBe(upTo(bits));
    expect(maskOf({ ...more, oldzc: String(bits) })).toBe(upTo(bits));
    expect(maskOf({ ...more, oldzc: '0' })).toBe(upTo(bits));
    expect(maskOf({ ...more, oldzc: '-1' })).toBe(upTo(bits));
  });

  it('joins the rows of a class, one place for each part of its sessions and never by jcor', () => {
    const { table } =
      parseTimetable(timetable([row({ jcor: '1-4' }), row({ jcs: '1-2,5-6', xqj: '3', xm: '许静' }), null])) ?? {};
    expect(table?.courses.length).toBe(1);
    expect(table?.courses[0]).toMatchObject({ teachers: '周明 许静', sequence: '甲-1' });
    expect(table?.courses[0]?.places.map((place) => [place.weekday, place.firstSession, place.sessionCount])).toEqual([
      [1, 1, 2],
      [3, 1, 2],
      [3, 5, 2],
    ]);
  });

  it.each<[object, object]>([
    [{ kcmc: '微观经济学★' }, { name: '微观经济学' }],
    [{ kcmc: '甲★○●◆☆' }, { name: '甲' }],
    [{ kch: undefined, kch_id: 'ECO1' }, { code: 'ECO1' }],
    [{ kch: undefined, kch_id: 'FEDCBA9876543210FEDCBA9876543210' }, { code: '' }],
    [
      { xf: '2.5', kcxz: '必修', khfsmc: '考试' },
      { credits: 2.5, nature: '必修', examType: '考试' },
    ],
    [{ xkbz: '无' }, { extras: { remark: null } }],
    [{ xkbz: '后半学期' }, { extras: { remark: '后半学期', category: null } }],
  ])('reads %o as %o', (more, expected) => {
    expect(parseTimetable(timetable([row(more)]))?.table.courses[0]).toMatchObject(expected);
  });

  it('has no room where none is arranged', () => {
    expect(
      parseTimetable(timetable([row({ cdmc: '未排地点', xqmc: '东校区' })]))?.table.courses[0]?.places[0],
    ).toMatchObject({ room: '', building: '', campus: '东校区' });
  });

  it('counts what is cut after week 24, and places that cannot be read', () => {
    expect(parseTimetable(timetable([row({ zcd: '1-26周', oldzc: '67108863' }), row()]))?.dropped).toBe(1);
    expect(parseTimetable(timetable([row({ zcd: '1-26周' }), row()]))?.dropped).toBe(1);
    expect(parseTimetable(timetable([row({ jcs: '上午' }), row()]))?.dropped).toBe(1);
    expect(parseTimetable(timetable([row({ xqj: '8' }), row()]))?.dropped).toBe(1);
    const { oddities } = collectOddities(() => parseTimetable(timetable([row({ oldzc: '67108863' })])));
    expect(oddities).toEqual([{ kind: 'weeks-beyond', name: '', count: 2 }]);
  });

  it('is unreadable where no place can be read', () => {
    expect(failureOf(() => parseTimetable(timetable([row({ jcs: '上午' }), row({ xqj: '' })])))).toMatchObject(unread);
  });

  it('has practice without a day, by its own name or the other one', () => {
    const sjkList = [
      { kcmc: '社会实践', jsxm: '许静', qsjsz: '17-18周', xf: '1.0' },
      { qtkcgs: '实习●许静(共2周)/17-18周/无' },
    ];
    const { courses = [], totalCredits } = parseTimetable(timetable([row({ xf: '3' })], { sjkList }))?.table ?? {};
    expect(courses.slice(1)).toMatchObject([
      {
        name: '社会实践',
        code: '',
        sequence: '',
        places: [],
        teachers: '许静',
        credits: 1,
        extras: { remark: '17-18周' },
      },
      { name: '实习●许静(共2周)/17-18周/无', places: [] },
    ]);
    expect(totalCredits).toBe(4);
  });

  it('is empty where it says so, wants its page first without a student, and is unreadable without a list', () => {
    expect(parseTimetable(timetable([]))).toMatchObject({ table: { courses: [] }, owner: '1', dropped: 0 });
    expect(parseTimetable(timetable([], { xsxx: null }))).toBeNull();
    for (const body of ['{}', '{"xsxx":{}}', '[]', '{"kbList":[]}', timetable([], { kbList: null })])
      expect([body, failureOf(() => parseTimetable(body))]).toMatchObject([body, unread]);
  });

  it('has times of sections with and without seconds', () => {
    const rows = [
      { jcmc: '1', qssj: '08:00', jssj: '08:45:00' },
      { jcmc: '2', qssj: '8:55', jssj: '09:40' },
      { jcmc: 'x', qssj: '1', jssj: '2' },
    ];
    expect(parseSections(JSON.stringify(rows))).toEqual({
      slots: [
        { session: 1, name: '', startTime: '0800', endTime: '0845', length: '45', block: 0 },
        { session: 2, name: '', startTime: '0855', endTime: '0940', length: '45', block: 0 },
      ],
      semester: null,
    });
    expect(parseSections('[]')).toEqual({ slots: [], semester: null });
    expect(failureOf(() => parseSections('{}'))).toMatchObject(unread);
  });
});

const grid = (items: unknown[], more: object = { totalResult: String(items.length) }) =>
  JSON.stringify({ items, ...more });
const score = (more: object = {}) => ({
  xh: '1',
  xnm: '2025',
  xqm: '3',
  kch: 'A1',
  kcmc: '甲',
  jxbmc: '甲-1',
  jxb_id: 'X',
  cj: '88',
  ksxz: '正常考试',
  ...more,
});
const rowsOf = (...items: object[]) => mergeScores(parseScores(grid(items)).rows).map((each) => each.row);

describe('scores', () => {
  it.each<[object, object]>([
    [
      { bfzcj: '88', jd: '3.80' },
      { score: '88', score_number: 88, grade_point: 3.8, grade_name: null, term_id: '2025-2026-1-1' },
    ],
    [{ bfzcj: 63, cj: '63' }, { score_number: 63 }],
    [
      { cj: '优秀', bfzcj: '' },
      { score: '优秀', score_number: null, grade_name: '优秀' },
    ],
    [
      { cj: '缺考', bfzcj: '缺考', jd: '0' },
      { score: '缺考', score_number: null, grade_name: '缺考', grade_point: 0 },
    ],
    [
      { cj: '', bfzcj: '75' },
      { score: '75', score_number: 75 },
    ],
    [
      { cj: '-999', jd: '-1' },
      { score: '', score_number: null, grade_point: null },
    ],
    [
      { xf: 1, kcxzmc: '必修', khfsmc: '考试', kcywmc: 'A' },
      { credits: '1', course_type: '必修', exam_type: '考试', course_name_en: 'A' },
    ],
    [{ xnm: undefined, xqm: undefined, xnmmc: '2025-2026', xqmmc: '第一学期' }, { term_id: '2025-2026-1-1' }],
    [{ xnm: undefined, xqm: undefined, xnmmc: '2025-2026', xqmmc: '2' }, { term_id: '2025-2026-2-1' }],
    [{ xnm: '2025', xqm: '7' }, { term_id: null }],
    [{ ksxz: '缓考', khfsmc: '考试' }, { exam_type: '缓考' }],
    [{ kch: undefined, kch_id: 'B2' }, { course_code: 'B2' }],
  ])('read %o as %o', (more, expected) => {
    expect(rowsOf(score(more))).toMatchObject([expected]);
  });

  const madeUp = { cj: '63', ksxz: '补考一' };

  it('of make-ups and retakes go with the usual row of the same class, the last of each', () => {
    expect(
      rowsOf(
        score({ cj: '缺考' }),
        score({ cj: '50', ksxz: '补考一' }),
        score({ cj: '63', ksxz: '补考二' }),
        score({ cj: '71', ksxz: '重修' }),
      ),
    ).toMatchObject([{ score: '缺考', makeup_score: '63', retake_score: '71' }]);
  });

  it.each<[string, object[], number]>([
    ['another class', [score(), score({ ...madeUp, jxbmc: '甲-2' })], 2],
    ['another term', [score(), score({ ...madeUp, xqm: '12' })], 2],
    ['another code', [score(), score({ ...madeUp, kch: 'B1' })], 2],
    ['no usual row', [score(madeUp)], 1],
    ['two usual rows', [score(), score(), score(madeUp)], 3],
    ['no class', [score({ jxbmc: '' }), score({ ...madeUp, jxbmc: '' })], 2],
    ['no mark', [score(), score({ ...madeUp, cj: '' })], 2],
  ])('stay rows with %s', (_, items, count) => {
    const rows = rowsOf(...items);
    expect(rows.length).toBe(count);
    expect(rows.every(({ makeup_score }) => makeup_score === null)).toBe(true);
    expect(rows.at(-1)).toMatchObject({ exam_type: '补考一' });
  });

  it('state how many there are as a number or as text, by either name', () => {
    expect(
      [{ totalResult: '2' }, { totalResult: 2 }, { totalCount: 2 }, {}].map(
        (more) => parseScores(grid([score()], more)).total,
      ),
    ).toEqual([2, 2, 2, null]);
  });

  it('are empty where the list is, and unreadable without one', () => {
    expect(parseScores(grid([]))).toMatchObject({ rows: [], received: 0, total: 0 });
    for (const body of ['{}', '[]', '"x"', '{"items":{}}', '{"items":null}'])
      expect([body, failureOf(() => parseScores(body))]).toMatchObject([body, unread]);
    expect(failureOf(() => parseScores(grid([{ a: 1 }])))).toMatchObject(unread);
    expect(parseScores(grid([score(), { kch: '' }])).dropped).toBe(1);
  });

  it('name the students whose rows they are', () => {
    expect(parseScores(grid([score(), score({ xh: '2' }), score({ xh: '' })])).owners).toEqual(['1', '2']);
  });
});

describe('components', () => {
  const page = (rows: string) =>
    `<table id="subtab"><thead><tr><th>成绩分项</th></tr></thead><tbody>${rows}</tbody></table>`;
  const line = (...cells: string[]) =>
    `<tr>${cells.map((cell) => `<td valign="middle">${cell}&nbsp;</td>`).join('')}</tr>`;

  it('have their marks and shares; what has no member is told in the remark', () => {
    const rows = [
      line('【 平时 】', '40%', '77.5'),
      line('【 实验 】', '20%', '85'),
      line('【 期末 】', '60%', '90'),
      line('【 总评 】', '', '85'),
    ].join('');
    expect(parseComponents(page(rows))).toMatchObject([
      {
        score_type_code: '',
        regular: '77.5',
        regular_weight: 0.4,
        midterm: null,
        final: '90',
        final_weight: 0.6,
        total: '85',
        weight: null,
        remark: '实验 85 (20%)',
      },
    ]);
  });

  it('are none in an empty table, and unreadable without one or its end', () => {
    expect(parseComponents(page(''))).toEqual([]);
    expect(failureOf(() => parseComponents('<p>subtab</p>'))).toMatchObject(unread);
    expect(failureOf(() => parseComponents('<table id="subtab"><tr><td>a</td></tr>'))).toMatchObject(unread);
  });
});

it('reads exams that are arranged and that are not', () => {
  const items = [
    {
      xh: '1',
      kch: 'A1',
      kcmc: '甲',
      jxbmc: '甲-1',
      kssj: '2026-01-10(09:00-11:00)',
      cdmc: '308',
      cdxqmc: '东校区',
      zwh: '12',
      ksmc: '期末',
      bz1: '',
    },
    { kcmc: '乙', kssj: '未安排', zwh: '' },
    { kcmc: '丙' },
  ];
  expect(parseExams(grid(items)).rows).toMatchObject([
    {
      date: '2026-01-10',
      time: '09:00-11:00',
      location: '东校区 308',
      note: '座位号: 12',
      extras: { course_code: 'A1', course_sequence: '甲-1', exam_name: '期末', hint: null, week: null },
    },
    { courseName: '乙', date: '', time: '', location: '', note: '' },
    { courseName: '丙', date: '', time: '' },
  ]);
});

describe('the file', () => {
  const page = (...pairs: Array<[string, string]>) =>
    `<html><body>${pairs
      .map(
        ([name, value]) =>
          `<label class="control-label">${name}：</label><div><p class="form-control-static">${value}</p></div>`,
      )
      .join('')}</body></html>`;

  it('is a closed list, of which a masked value is none', () => {
    expect(
      parseFile(
        page(
          ['学号', '1'],
          ['证件号码', '110101'],
          ['姓名', '林**'],
          ['学院', '经济学院'],
          ['专业名称', '会计'],
          ['班级', '一班'],
          ['入学日期', '2023-09-01'],
        ),
      ),
    ).toEqual({
      number: '1',
      file: { name: null, college: '经济学院', major: '会计', class_name: '一班', campus: null, entry_year: 2023 },
    });
  });

  it('is unreadable without a number, and where it ends too early', () => {
    expect(failureOf(() => parseFile(page(['学号', '1'], ['姓名', '林晓']).slice(0, -10)))).toMatchObject(unread);
    expect(failureOf(() => parseFile(page(['姓名', '林晓'])))).toMatchObject(unread);
  });
});

describe('the summary', () => {
  const text =
    '平均学分绩点（GPA）：3.62 计划总课程 60 门 通过 41 门, 未通过 1 门; 未修 12 门; 在读 6 门; 计划外：通过 2 门, 未通过 0 门';

  it.each([text, text.replace('3.62', '<b>3.62</b>').replaceAll(' ', '\n <i></i> ')])('adds up %s', (said) => {
    expect(parseSummary(`<div id="alertBox">${said}</div>`)).toMatchObject({
      coursesTaken: 44,
      coursesFailed: 1,
      coursesPending: 6,
      gpa: 3.62,
      averageScore: null,
      rank: null,
    });
  });

  it.each(
    ['3.62', '41', '1', '6', '2', '0'].map((number) =>
      text.replace(new RegExp(`(?<=[ ：])${number.replace('.', '\\.')}(?= )`), ''),
    ),
  )('is unreadable with a number missing: %s', (said) =>
    expect(failureOf(() => parseSummary(`<div id="alertBox">${said}</div>`))).toMatchObject(unread),
  );
});

describe('a page in place of data', () => {
  it.each([
    [
      '<html><head><title>错误提示</title></head><body><h5>错误提示</h5><p>无功能权限，请与管理员联系</p></body></html>',
      '无功能权限，请与管理员联系',
    ],
    ['<div class="alert alert-danger">该功能暂未开放</div>', '该功能暂未开放'],
    ['<div class="alert alert-warning">未完成评价，不能查询成绩！</div>', '未完成评价，不能查询成绩！'],
    ['<div class="alert alert-danger">课程未发布</div>', '课程未发布'],
  ])('refuses with its words: %s', (page, words) => {
    for (const parse of [
      parseScores,
      parseTimetable,
      parseSections,
      parseExams,
      parseTermsPage,
      parseArea,
      parseComponents,
      parseFile,
      parseSummary,
    ])
      expect(failureOf(() => parse(page))).toMatchObject({ kind: 'upstream-refused', upstreamMessage: words });
  });

  it('that says nothing of the kind is unreadable', () => {
    for (const page of [
      '<p>维护</p>',
      '<div class="alert alert-danger"></div>',
      '<div class="alert alert-danger" style="display:none">该功能暂未开放</div>',
    ])
      expect(failureOf(() => parseScores(page))).toMatchObject(unread);
  });
});

it.each([
  '2025-2026学年1学期(2025年9月1日至2026年1月18日)',
  '2025-2026学年第一学期（2025/9/1-2026/1/18）',
  '2025－2026学年1学期(2025-09-01~2026-01-18)',
])('the days of a term may be written as %s', (text) => {
  const page = `<table><tr><td colspan="24">${text}</td></tr></table>`;
  expect(parseArea(page)).toEqual({ termCode: '2025-2026-1-1', start: { firstDay: '2025-09-01', weeks: 20 } });
});

it.each([
  ['2025-2026学年', '上'],
  ['2025/2026', '秋季学期'],
  ['２０２５-２０２６', '第1学期'],
])('the words %s and %s are a term', (years, term) => {
  expect(termCodeInWords(years, term)).toBe('2025-2026-1-1');
});

it('a row of one cell in the table of components says that there are none', () => {
  const table = (rows: string) => parseComponents(`<table id="subtab"><tbody>${rows}</tbody></table>`);
  expect(table('<tr><td colspan="3">暂无数据</td></tr>')).toEqual([]);
  expect(table('<tr><td>【 平时 】</td><td>40％</td><td>８０</td></tr>')).toMatchObject([
    { regular: '80', regular_weight: 0.4 },
  ]);
});
