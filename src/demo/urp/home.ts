import { dayText } from '../../lib/time.ts';
import type { AcademicState } from '../campus-state.ts';
import { errorPage, escapeHtml, HTML_TYPE, jsonBody, page } from '../exchange.ts';
import { calendarLine, nameOf } from '../records/calendar.ts';
import { sectionsOf } from '../records/sections.ts';
import { EMPTY_TIMETABLE, STALE_TIMETABLE } from '../records/timetable.ts';
import { type JwcHandler, type JwcRoutes, newSegment, segmentHolds } from './session.ts';

export const homePage: JwcHandler = ({ present }, student) =>
  page(
    '综合教务系统',
    `<div class="navbar-container" id="navbar-container">
 <div class="navbar-header pull-left"><a class="navbar-brand" href="/index.jsp">综合教务系统</a></div>
 <div class="navbar-buttons navbar-header pull-right" role="navigation">
  <ul class="nav ace-nav">
   <li class="light-red"><a href="#" class="dropdown-toggle" onclick="showCalendar()">
     <i class="ace-icon fa fa-calendar"></i>
     ${calendarLine(present)}
   </a></li>
   <li class="light-blue"><a class="dropdown-toggle" href="#"><span class="user-info">${escapeHtml(student.name)}</span></a></li>
  </ul></div></div>`,
  );

export const calendarPage: JwcHandler = ({ present: { term } }) =>
  page(
    '校历',
    `<script type="text/javascript">
  var rq = "${dayText(term.firstDay).replaceAll('-', '')}"; //学期开始日期
  var zs = ${term.weeks};
</script>`,
  );

/** JSON with the type of a page, as scripts of the real system expect it. */
export const academicSummary: JwcHandler = (call, student) => {
  const fields = [...call.form.keys()];
  if (fields.some((name) => name !== 'flag' && name !== 'sf_request_type')) return errorPage(400, 'Bad Request');
  return jsonBody([{ ...call.studies.summary, ...student.summaryChanges }], HTML_TYPE);
};

/** One page for two purposes: the list of terms, and the address of the timetable data in this session. */
export const termIndex: JwcHandler = (call, _student, session) => {
  const options = call.studies.terms.map(
    ({ code, label, selected }) =>
      `  <option value="${escapeHtml(code)}"${selected ? ' selected="selected"' : ''}>${label}</option>`,
  );
  return page(
    '历年学期课表',
    `<select id="planCode" name="planCode" onchange="queryKb()">
${options.join('\n')}
</select>
<script type="text/javascript">
  $.ajax({
    url: "/student/courseSelect/thisSemesterCurriculum/${newSegment(session, 'schedule')}/ajaxStudentSchedule/past/callback",
    type: "post", data: "&planCode=" + planCode, dataType: "json", success: showKb });
</script>`,
  );
};

export const timetableData: JwcHandler = (call, _student, session) => {
  if (!segmentHolds(session, 'schedule', call.params[0])) return jsonBody(STALE_TIMETABLE);
  const term = (call.method === 'GET' ? call.query : call.form).get('planCode');
  if (term === null) return jsonBody({ ...STALE_TIMETABLE, errorMessage: '缺少参数 planCode' });
  return jsonBody(call.studies.timetable(term) ?? EMPTY_TIMETABLE);
};

export const sectionData: JwcHandler = (call) =>
  call.form.has('planNumber') && call.form.get('ff') === 'f'
    ? jsonBody(sectionsOf(call.present.term.weeks))
    : errorPage(400, 'Required parameter is not present');

/** Whether courses can be chosen: `1` while they can, as number or text. */
export const selectionStatus: JwcHandler = ({ present, studies }) =>
  jsonBody({ zxjxjhm: nameOf(present.term), retString: studies.selection, jhrxxqztx: '0' });

const studentFile =
  ({ switches }: AcademicState): JwcHandler =>
  ({ studies }) => {
    const lines = studies.file.map(([name, value]) => {
      const shown = switches.foreignFile && name.startsWith('学号') ? '2023999999' : value;
      return `<div class="profile-info-row"><div class="profile-info-name">${escapeHtml(name)}</div>
 <div class="profile-info-value"><span>${shown}</span></div></div>`;
    });
    const rows = lines.join('\n');
    return page('学籍信息', `<div class="profile-user-info profile-user-info-striped">\n${rows}\n</div>`);
  };

export const homeRoutes: JwcRoutes = (state) => [
  ['GET', '/', homePage],
  ['GET', '/index', homePage],
  ['GET', '/index.jsp', homePage],
  ['GET', '/indexCalendar', calendarPage],
  ['POST', '/main/academicInfo', academicSummary],
  ['GET', '/student/courseSelect/calendarSemesterCurriculum/index', termIndex],
  ['GET or POST', '/student/courseSelect/thisSemesterCurriculum/*/ajaxStudentSchedule/past/callback', timetableData],
  ['POST', '/ajax/getSectionAndTime', sectionData],
  ['GET', '/student/rollManagement/rollInfo/index', studentFile(state)],
  ['GET or POST', '/main/checkSelectCourseStatus', selectionStatus],
];
