import { htmlPage, jsonBody } from './exchange.ts';
import { type JwcHandler, newSegment, segmentHolds } from './jwc-session.ts';

const stale = () => jsonBody({ result: 'error', msg: '页面已失效，请重新进入' });

/** Loading the page retires both addresses named before. */
export const thisTermIndex: JwcHandler = (_call, _student, session) =>
  htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>本学期成绩</title></head>
<body><div class="page-content"><h4 class="header">本学期成绩</h4><table id="scores"></table></div>
<script type="text/javascript">
  var url = "/student/integratedQuery/scoreQuery/${newSegment(session, 'this-term')}/thisTermScores/data";
  $.get(url, fillTable);
  function showDetail(row) {
    $.post("/student/integratedQuery/scoreQuery/${newSegment(session, 'components')}/thisterm/coursePropertyScores/serchScoreDetail",
      { zxjxjhh: row.id.executiveEducationPlanNumber, kch: row.id.courseNumber, kssj: row.id.examtime, kxh: row.coureSequenceNumber });
  }
</script></body></html>
`);

export const thisTermScores: JwcHandler = (call, _student, session) => {
  if (!segmentHolds(session, 'this-term', call.params[0])) return stale();
  return jsonBody([{ state: '0', list: call.studies.currentScores.map(({ row }) => row) }]);
};

const FIELDS = ['zxjxjhh', 'kch', 'kxh', 'kssj'] as const;

/** The components of one row of this student, all four values the same; else none. */
export const scoreComponents: JwcHandler = (call, _student, session) => {
  if (!segmentHolds(session, 'components', call.params[0])) return stale();
  const asked = JSON.stringify(FIELDS.map((field) => call.form.get(field)));
  const found = call.studies.currentScores.find(({ row, key }) => row !== null && JSON.stringify(key) === asked);
  return jsonBody({ mx: found ? found.components : [], xs: found?.weights ?? [], rounding: '01' });
};
