import { type DemoReply, errorPage, htmlPage, jsonBody } from '../exchange.ts';
import type { SchoolTerm } from '../school-terms.ts';
import type { SimulatedCall } from '../simulated-campus.ts';
import type { JwglxtSwitches } from './login-page.ts';
import {
  componentsOf,
  examsOf,
  fileOf,
  type JwglxtStudent,
  scoresOf,
  sections,
  termNumbers,
  termsOn,
  timetableOf,
} from './records.ts';

/** A call of who is signed in. */
export interface Inside {
  readonly student: JwglxtStudent;
  readonly call: SimulatedCall;
  readonly session: { hasTermsPage: boolean };
  readonly switches: JwglxtSwitches;
  readonly today: string;
}
export type Answer = (inside: Inside) => DemoReply;

const GRID = [
  '_search',
  'nd',
  'queryModel.showCount',
  'queryModel.currentPage',
  'queryModel.sortName',
  'queryModel.sortOrder',
  'time',
];
const GRID_OF_LIBRARY = ['page', 'rows', 'sidx', 'sord'];

export const noPermission = (): DemoReply =>
  htmlPage(
    '<html><head><title>错误提示</title></head><body><h5>错误提示</h5><p>无功能权限，请与管理员联系</p></body></html>',
  );

export const area: Answer = ({ switches, today }) => {
  const [current, before] = termsOn(today);
  const now = switches.area === 'other-term' ? before : current;
  if (switches.area === 'absent' || now === undefined) return htmlPage('<div class="area"></div>');
  const { year, number, firstDay, lastDay } = now;
  return htmlPage(
    `<table><tr><td colspan="24">${year}-${year + 1}学年${number}学期(${firstDay}至${lastDay})</td></tr></table>`,
  );
};

export const termsPage: Answer = ({ session, today }) => {
  session.hasTermsPage = true;
  const terms = termsOn(today);
  const [now] = terms;
  const selectedMark = (isIt: boolean) => (isIt ? ' selected="selected"' : '');
  const years = [(now?.year ?? 0) + 1, ...new Set(terms.map(({ year }) => year))];
  const options = years.map(
    (year) => `<option value="${year}"${selectedMark(year === now?.year)}>${year}-${year + 1}</option>`,
  );
  const numbers = ([1, 2, 3] as const).map(
    (each) => `<option value="${termNumbers[each]}"${selectedMark(each === now?.number)}>${each}</option>`,
  );
  return htmlPage(`<html><body><select id="xnm" name="xnm"><option value="">全部</option>${options.join('')}</select>
<select id="xqm" name="xqm">${numbers.join('')}</select></body></html>`);
};

const termIn = ({ call: { form }, today }: Inside): SchoolTerm | undefined => {
  return termsOn(today).find(
    ({ year, number }) => form.get('xnm') === String(year) && form.get('xqm') === termNumbers[number],
  );
};

export const timetable =
  (name: 'first' | 'second'): Answer =>
  (inside) => {
    const { student, call, session, switches } = inside;
    if ((switches.timetable === 'second') !== (name === 'second'))
      return name === 'second' ? errorPage(404, 'Not Found') : noPermission();
    if (switches.timetable === 'after-its-page' && !session.hasTermsPage)
      return jsonBody({ xsxx: null, kbList: [], sjkList: [] });
    const [xnm, xqm] = ['xnm', 'xqm'].map((each) => call.form.get(each));
    if (!xnm || !xqm || call.form.get('kzlx') !== 'ck') return noPermission();
    const term = termIn(inside);
    const rows = term === undefined ? { kbList: [], sjkList: [] } : timetableOf(student, term);
    return jsonBody({
      xsxx: { XH: student.id, XM: student.name, XNM: xnm, XQM: xqm },
      ...rows,
      jxhjkcList: [],
      xqjmcMap: { 1: '星期一' },
    });
  };

export const sectionTimes: Answer = ({ switches }) => {
  if (switches.sections === 'absent') return noPermission();
  return jsonBody(switches.sections === 'empty' ? [] : sections);
};

/** A list in pages, for who sends all that its table sends. */
const grid = ({ call: { form }, switches }: Inside, rows: readonly unknown[]): DemoReply => {
  if (![...GRID, ...GRID_OF_LIBRARY].every((name) => form.has(name))) return noPermission();
  const size = Math.min(Number(form.get('queryModel.showCount')), switches.most);
  const page = Number(form.get('queryModel.currentPage'));
  const items = rows.slice((page - 1) * size, page * size);
  return jsonBody({
    items,
    currentPage: String(page),
    showCount: String(size),
    totalPage: '1',
    totalResult: String(rows.length),
  });
};

export const scores =
  (name: 'first' | 'second'): Answer =>
  (inside) => {
    const { student, call, switches, today } = inside;
    if (switches.scores === 'second' && name === 'first') return noPermission();
    if (switches.scores === 'first' && name === 'second') return errorPage(404, 'Not Found');
    const isFilled = switches.scores !== 'second-filled' || name === 'second';
    const [xnm, xqm] = ['xnm', 'xqm'].map((each) => call.form.get(each) ?? '');
    const term = termIn(inside);
    const wanted = scoresOf(student, today).filter(
      ({ xnmmc, xqmmc }) =>
        (xnm === '' && xqm === '') ||
        (term !== undefined &&
          xnmmc === `${term.year}-${term.year + 1}` &&
          [String(term.number), ['', '第一学期', '第二学期'][term.number]].includes(String(xqmmc))),
    );
    return grid(inside, isFilled ? wanted : []);
  };

export const components: Answer = ({ student, call: { form }, today }) => {
  if (['xnm', 'xqm', 'kcmc'].some((name) => !form.get(name))) return noPermission();
  const rows = componentsOf(student, today, form.get('jxb_id') ?? '').map(
    ([name, share, mark]) =>
      `<tr><td valign="middle">【 ${name} 】</td><td>${share}&nbsp;</td><td>${mark}&nbsp;</td></tr>`,
  );
  return htmlPage(`<div class="table-responsive"><table id="subtab"><thead><tr><th>成绩分项</th><th>成绩分项比例</th><th>成绩</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`);
};

export const exams: Answer = (inside) => {
  const term = termIn(inside);
  return grid(inside, term === undefined ? [] : examsOf(inside.student, term));
};

export const file: Answer = ({ student }) => {
  const lines = fileOf(student).map(
    ([name, value]) =>
      `<label class="col-sm-4 control-label">${name}：</label><div class="col-sm-8"><p class="form-control-static">${value}</p></div>`,
  );
  return htmlPage(`<html><body>${lines.join('\n')}</body></html>`);
};

export const summary: Answer = () => {
  return htmlPage(`<html><body><div id="alertBox">平均学分绩点（GPA）：<b>3.62</b> 计划总课程 60 门 通过 <i>41</i> 门, 未通过 1 门; 未修 12 门; 在读 6 门;
计划外：通过 2 门, 未通过 0 门</div></body></html>`);
};
