import type { AcademicState } from '../campus-state.ts';
import { escapeHtml, jsonBody, page } from '../exchange.ts';
import { codeOf, type DemoTerm, type Present } from '../records/calendar.ts';
import {
  classesOf,
  classRows,
  departments,
  gradesOf,
  offeredTerms,
  offeringsIn,
  termLabel,
  termOf,
} from '../records/offerings.ts';
import type { JwcHandler, JwcRoutes } from './session.ts';

type Option = readonly [value: string, label: string, selected?: boolean];

const select = (attribute: string, options: readonly Option[]): string => `<select ${attribute} class="form-control">
${options
  .map(([value, label, selected]) => {
    const mark = selected ? ' selected="selected"' : '';
    return `  <option value="${escapeHtml(value)}"${mark}>${escapeHtml(label)}</option>`;
  })
  .join('\n')}
</select>`;

const queryPage = (title: string, selects: readonly string[]) =>
  page(title, `<div class="page-content"><form id="query">\n${selects.join('\n')}\n</form></div>`);

const all: Option = ['', '全部'];

const termOptions = (terms: readonly DemoTerm[], present: Present): readonly Option[] =>
  terms.map((term) => [codeOf(term), termLabel(term, present), term.firstDay === present.term.firstDay]);

const offeringsIndex: JwcHandler = ({ present }) =>
  queryPage('开课信息查询', [select('id="zxjxjhh" name="zxjxjhh"', termOptions(offeredTerms(present), present))]);

/** Every field has to be there; an empty one stands for any value. */
const FIELDS =
  'zxjxjhh kkxsh kkxqh jxlh jash skxq skjc kch kcm kclb skjs xqname jcname jxlname jasname pageNum pageSize'.split(' ');

/** One query for all students: any student who asks again too soon is told so. */
const offeringsRows = ({ clock, switches }: AcademicState): JwcHandler => {
  let answeredAt = Number.NEGATIVE_INFINITY;
  return ({ form, present }) => {
    if (FIELDS.some((field) => !form.has(field))) return jsonBody({ msg: '参数错误' });
    if (clock.now() - answeredAt < switches.offeringsEverySeconds * 1000) return jsonBody({ pfcx: 1 });
    answeredAt = clock.now();
    const term = termOf(form.get('zxjxjhh') ?? '', present);
    const course = form.get('kch');
    const found = term ? offeringsIn(term).filter((row) => !course || row.kch === course) : [];
    const [number, size] = ['pageNum', 'pageSize'].map((name) => Number(form.get(name)));
    const from = ((number || 1) - 1) * (size || 0);
    return jsonBody({
      list: {
        pageSize: size,
        pageNum: number,
        pageContext: { totalCount: found.length },
        records: found.slice(from, from + (size || 0)),
      },
      pfcx: 0,
    });
  };
};

const classIndex: JwcHandler = ({ present }) =>
  queryPage('班级课表查询', [
    select('name="executiveEducationPlanNum"', termOptions(offeredTerms(present).slice(1), present)),
    select('id="departmentNum" name="departmentNum"', [
      all,
      ...departments.map(({ home }): Option => [home.department, home.college]),
    ]),
    select('name="yearNum"', [all, ...gradesOf(present.term).map((grade): Option => [String(grade), `${grade}级`])]),
  ]);

const majorList: JwcHandler = ({ query }) =>
  jsonBody(
    departments
      .filter(({ home }) => home.department === query.get('departmentNum'))
      .map(({ home }) => ({ subjectCode: home.majorCode, subjectName: home.major })),
  );

const classSearch: JwcHandler = ({ form, present }) => {
  const of = (name: string): string => form.get(name) ?? '';
  const term = termOf(of('executiveEducationPlanNum'), present);
  const programmes = departments.filter(
    ({ home }) =>
      (of('departmentNum') === '' || home.department === of('departmentNum')) &&
      (of('subjectNum') === '' || home.majorCode === of('subjectNum')),
  );
  const found = term
    ? programmes
        .flatMap((programme) => classesOf(programme, term))
        .filter(({ entry }) => of('yearNum') === '' || String(entry) === of('yearNum'))
    : [];
  const size = Number(of('pageSize'));
  const from = (Number(of('pageNum')) - 1) * size;
  return jsonBody([
    {
      records: found.slice(from, from + size).map(({ code, name, programme }) => ({
        id: { executiveEducationPlanNumber: of('executiveEducationPlanNum'), classNum: code },
        className: name,
        departmentName: programme.home.college,
        subjectName: programme.home.major,
      })),
      pageContext: { totalCount: found.length },
    },
  ]);
};

const classTimetable =
  ({ switches }: AcademicState): JwcHandler =>
  ({ query, present }) => {
    const term = termOf(query.get('planCode') ?? '', present);
    const rows = term ? classRows(query.get('classCode') ?? '', term) : null;
    const lists = rows && [rows];
    return jsonBody(switches.classTimetable === 'lists' ? (lists ?? [[]]) : { data: { kbInfo: lists } });
  };

const OFFERINGS = '/student/integratedQuery/course/courseSchdule';
const CLASSES = '/student/teachingResources/classCurriculum';

export const offeringRoutes: JwcRoutes = (state) => [
  ['GET', `${OFFERINGS}/index`, offeringsIndex],
  ['POST', `${OFFERINGS}/courseInfo`, offeringsRows(state)],
  ['GET', `${CLASSES}/index`, classIndex],
  ['GET', '/student/teachingResources/gradeAndClassCurriculum/subjectJson', majorList],
  ['POST', `${CLASSES}/search`, classSearch],
  ['GET', `${CLASSES}/searchCurriculumInfo/callback`, classTimetable(state)],
];
