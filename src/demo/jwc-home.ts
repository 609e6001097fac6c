import { dayText } from '../lib/time.ts';
import { errorPage, escapeHtml, HTML_TYPE, htmlPage, jsonBody } from './exchange.ts';
import type { JwcHandler } from './jwc-session.ts';
import { calendarLine } from './records/calendar.ts';

export const homePage: JwcHandler = ({ present }, student) =>
  htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>综合教务系统</title></head><body>
<div class="navbar-container" id="navbar-container">
 <div class="navbar-header pull-left"><a class="navbar-brand" href="/index.jsp">综合教务系统</a></div>
 <div class="navbar-buttons navbar-header pull-right" role="navigation">
  <ul class="nav ace-nav">
   <li class="light-red"><a href="#" class="dropdown-toggle" onclick="showCalendar()">
     <i class="ace-icon fa fa-calendar"></i>
     ${calendarLine(present)}
   </a></li>
   <li class="light-blue"><a class="dropdown-toggle" href="#"><span class="user-info">${escapeHtml(student.name)}</span></a></li>
  </ul></div></div>
</body></html>
`);

export const calendarPage: JwcHandler = ({ present: { term } }) =>
  htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>校历</title></head><body>
<script type="text/javascript">
  var rq = "${dayText(term.firstDay).replaceAll('-', '')}"; //学期开始日期
  var zs = ${term.weeks};
</script></body></html>
`);

/** JSON with the type of a page, as scripts of the real system expect it. */
export const academicSummary: JwcHandler = (call, student) => {
  const fields = [...call.form.keys()];
  if (fields.some((name) => name !== 'flag' && name !== 'sf_request_type')) return errorPage(400, 'Bad Request');
  return jsonBody([{ ...call.studies.summary, ...student.summaryChanges }], HTML_TYPE);
};
