import { describe, expect, it } from 'vitest';
import { competitionPageAlive, readForm } from '../../../../../src/campus/products/competition/form.ts';
import { parseAwards } from '../../../../../src/campus/products/competition/parse-awards.ts';
import { failureOf, fixture } from '../urp/fixtures.ts';

const page = (name: string): string => fixture(`../competition/${name}`);
const id = 'ContentPlaceHolder1_ContentPlaceHolder2_';
const tab = (table: string, greeting = '欢迎您：20239001', credit = '1.5'): string =>
  `<form method="post"><span id="ContentPlaceHolder1_lblXM">${greeting}</span><span id="${id}lblXkjsxf">${credit}</span>${table}</form>`;
const tableOf = (cells: readonly string[]): string =>
  `<table id="${id}gvHj"><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`;
const row = ['1', '竞赛', '校级', '一等奖', '2025/5/4', '20239001', '林晓', '2', '1.5', '800', '提交', '通过'];

describe('the form of a competition page', () => {
  it('is sent back as a browser would: the posted form alone, every control that counts, with its current value', () => {
    const form = readForm(page('start.html'));
    const name = 'ctl00$ContentPlaceHolder1$ContentPlaceHolder2$';
    expect(Object.fromEntries(form?.fields ?? [])).toEqual({
      __EVENTTARGET: 'ctl00$left$over',
      __EVENTARGUMENT: '',
      __LASTFOCUS: '',
      __VIEWSTATE: '/wEPDwUKMTIzNDU2Nzg5MA9kFgI=',
      __VIEWSTATEGENERATOR: '5A1C2E3B',
      __EVENTVALIDATION: '/wEdAAkq3n0Zl8w=',
      [`${name}ddlSslb`]: '%',
      year: '2025 年',
      [`${name}txtSsmc`]: '',
      on: 'on',
      memo: 'a<b',
      [`${name}gvSb$ctl28$txtNewPageIndex`]: '1',
    });
    expect(form?.targets.get(`${id}DataList1_LinkButton1_1`)).toBe(`${name}DataList1$ctl07$LinkButton1`);
  });

  it('takes only options of a list, also beside and behind an open one', () => {
    const fieldsOf = (content: string) =>
      Object.fromEntries(readForm(`<form method="post">${content}</form>`)?.fields ?? []);
    expect(fieldsOf('<option value="x">x</option><input name="a" value="1">')).toEqual({ a: '1' });
    expect(fieldsOf('<select name="s"><option value="x" selected><input name="a" value="1">')).toMatchObject({
      a: '1',
    });
    expect(fieldsOf('<select name="s"><option>甲</select>')).toEqual({ s: '甲' });
  });

  it('is missing on a page that posts nothing, and dead without a view state', () => {
    expect(readForm('<form method="get"><input name="a"></form>')).toBeNull();
    expect(competitionPageAlive(page('start.html'))).toBe(true);
    expect(competitionPageAlive('<form method="post"><input name="__VIEWSTATE" value=""></form>')).toBe(false);
    expect(competitionPageAlive(fixture('login-page.html'))).toBe(false);
  });
});

describe('a page of awards', () => {
  it('lists its awards in a table sixteen deep at most, and behind deeper ones', () => {
    const within = (levels: number, content: string): string =>
      `${'<table><tr><td>'.repeat(levels)}${content}${'</td></tr></table>'.repeat(levels)}`;
    const found = (content: string): number => parseAwards(tab(content)).awards.length;
    expect(found(within(15, tableOf(row)))).toBe(1);
    expect(found(within(16, tableOf(row)))).toBe(0);
    expect(found(within(20, 'x') + tableOf(row))).toBe(1);
    expect(found(`</table>${within(2, 'x')}${tableOf(row)}`)).toBe(1);
    const [stray] = /<tr>.*<\/tr>/.exec(tableOf(row)) ?? [];
    expect(found(tableOf([...row.slice(0, -1), within(1, '通过')]) + stray), 'a row behind the table').toBe(1);
  });

  it.each([
    ['0', null, null],
    ['3', 3, 3],
  ])('whose pager says "%s" has number and count of pages %j', (text, number, pages) => {
    const pager = `<span id="${id}gvHj_LabelCurrentPage">${text}</span><span id="${id}gvHj_LabelPageCount">${text}</span>`;
    expect(parseAwards(tab(`${tableOf(row)}${pager}`))).toMatchObject({ number, pages });
  });

  it('gives greeting, credits, rows and place in the pager; rows that are too short are counted', () => {
    const { awards, ...rest } = parseAwards(page('awards.html'));
    expect(rest).toEqual({
      student_id: '20239001',
      credits_summary: {
        discipline_competition_credits: 16.6,
        scientific_research_credits: null,
        transferable_competition_credits: 0,
        innovation_practice_credits: 2,
        ability_certification_credits: null,
        other_project_credits: null,
      },
      dropped: 1,
      number: 1,
      pages: 2,
    });
    expect(awards).toMatchObject([
      { project_id: '40211', order: 1, credits: 3, bonus: 800 },
      { project_id: '40388', project_name: '经济管理案例分析大赛', order: 0, credits: 0, bonus: 0 },
    ]);
  });

  it.each([
    ['no number', 'x', 0],
    ['a long one', '1,200.50', 1200.5],
  ])('keeps a row whose bonus is %s', (_, text, bonus) => {
    expect(parseAwards(tab(tableOf(row.with(9, text)))).awards).toMatchObject([{ project_id: '1', bonus }]);
  });

  it.each([
    ['无', null],
    ['0', 0],
    ['16.60', 16.6],
  ])('reads the credit text %j as %j', (text, value) => {
    expect(parseAwards(tab('', '', text)).credits_summary?.discipline_competition_credits).toBe(value);
  });

  it.each([
    ['欢迎您：20239001', '20239001'],
    ['欢迎您: 20239001 ', '20239001'],
    ['', ''],
  ])('reads the greeting %j', (greeting, student_id) => {
    expect(parseAwards(tab('', greeting)).student_id).toBe(student_id);
  });

  it('may have no table, only its heading, or a table known by its caption', () => {
    expect(parseAwards(tab('')).awards).toEqual([]);
    expect(parseAwards(tab(`<table id="${id}gvHj"><tr><th>申报ID</th></tr></table>`)).awards).toEqual([]);
    const captioned = tableOf(row).replace(`id="${id}gvHj">`, '><caption>当前已经进行获奖申报的项目列表</caption>');
    expect(parseAwards(tab(captioned)).awards).toHaveLength(1);
  });

  it('takes neither the pager nor another table for awards', () => {
    const pager = '<tr><td>当前第1页/共1页</td></tr><tr><td>12</td></tr>';
    expect(parseAwards(tab(`<table id="${id}gvHj">${pager}</table>`)).awards).toEqual([]);
    expect(parseAwards(tab(tableOf(row).replace('gvHj', 'gvSb'))).awards).toEqual([]);
  });

  it('may be inside the tables that lay out the page', () => {
    const laidOut = (table: string) =>
      `<table><tr><td>菜单</td><td><table><tr><td>${table}</td></tr></table></td></tr></table>`;
    expect(parseAwards(tab(laidOut(tableOf(row)))).awards).toMatchObject([
      { project_id: '1', project_name: '竞赛', bonus: 800 },
    ]);
    const pager = '<tr><td colspan="15"><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>';
    const paged = tableOf(row).replace('</table>', pager);
    expect(parseAwards(tab(laidOut(paged)))).toMatchObject({ awards: [{ project_id: '1' }], dropped: 0 });
  });

  it('whose rows are all of another shape is unreadable, not a page without awards', () => {
    const heading = `<tr>${row.map(() => '<th>申报ID</th>').join('')}</tr>`;
    const headed = (cells: readonly string[]) => tab(tableOf(cells).replace('<tr>', `${heading}<tr>`));
    const unreadable = { kind: 'upstream-unreadable', system: 'competitions' };
    expect(failureOf(() => parseAwards(headed(row.with(0, 'SB-40211'))))).toMatchObject(unreadable);
    expect(failureOf(() => parseAwards(headed(row.slice(0, 9))))).toMatchObject(unreadable);
    const pagerFirst = headed([]).replace('<tr>', '<tr><td colspan="15">1 2</td></tr><tr>');
    expect(parseAwards(pagerFirst)).toMatchObject({ awards: [], dropped: 0 });
    const both = headed(row).replace('</table>', `<tr>${row.map(() => '<td>x</td>').join('')}</tr></table>`);
    expect(parseAwards(both)).toMatchObject({ awards: [{ project_id: '1' }], dropped: 1 });
    expect(parseAwards(headed([]).replace('<tr></tr>', '<tr><td colspan="15">暂无数据</td></tr>')).awards).toEqual([]);
  });

  it('that is another tab, or was cut, is unreadable: it says nothing about awards', () => {
    const unreadable = { kind: 'upstream-unreadable', system: 'competitions' };
    expect(failureOf(() => parseAwards(page('start.html')))).toMatchObject(unreadable);
    expect(failureOf(() => parseAwards(tab('').replace('</form>', '')))).toMatchObject(unreadable);
  });
});

it.each([
  ['1,800.00元', '3学分', { bonus: 1800, credits: 3 }],
  ['￥800', '３', { bonus: 800, credits: 3 }],
  ['无', '无', { bonus: 0, credits: 0 }],
])('an award of %s and %s', (bonus, credits, expected) => {
  expect(parseAwards(tab(tableOf(row.with(8, credits).with(9, bonus)))).awards).toMatchObject([expected]);
});

it('rows with one more cell in front than any heading names are refused', () => {
  const text = tab(tableOf(['7', ...row]));
  expect(failureOf(() => parseAwards(text))).toMatchObject({ kind: 'upstream-unreadable' });
});

it('a failure that is told in place of awards is one', () => {
  const notice = '查询失败，请稍后再试';
  expect(failureOf(() => parseAwards(tab(tableOf([notice]))))).toMatchObject({
    ...{ kind: 'upstream-refused', upstreamMessage: notice },
  });
  expect(parseAwards(tab(tableOf(['没有记录']))).awards).toEqual([]);
});

it('the word null names no project, and pages are counted in words too', () => {
  const pager = `<span id="${id}gvHj_LabelCurrentPage">第1页</span><span id="${id}gvHj_LabelPageCount">共 ３ 页</span>`;
  expect(parseAwards(tab(tableOf(row) + pager))).toMatchObject({ number: 1, pages: 3 });
  expect(failureOf(() => parseAwards(tab(tableOf(row.with(1, 'null')))))).toMatchObject({
    kind: 'upstream-unreadable',
  });
});
