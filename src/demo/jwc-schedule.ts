import { errorPage, escapeHtml, htmlPage, jsonBody } from './exchange.ts';
import { type JwcHandler, newSegment, segmentHolds } from './jwc-session.ts';
import { sectionsOf } from './records/sections.ts';
import { EMPTY_TIMETABLE, STALE_TIMETABLE } from './records/timetable.ts';

/** One page for two purposes: the list of terms, and the address of the timetable data in this session. */
export const termIndex: JwcHandler = (call, _student, session) => {
  const options = call.studies.terms.map(
    ({ code, label, selected }) =>
      `  <option value="${escapeHtml(code)}"${selected ? ' selected="selected"' : ''}>${label}</option>`,
  );
  return htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>历年学期课表</title></head><body>
<select id="planCode" name="planCode" onchange="queryKb()">
${options.join('\n')}
</select>
<script type="text/javascript">
  $.ajax({
    url: "/student/courseSelect/thisSemesterCurriculum/${newSegment(session, 'schedule')}/ajaxStudentSchedule/past/callback",
    type: "post", data: "&planCode=" + planCode, dataType: "json", success: showKb });
</script></body></html>
`);
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
