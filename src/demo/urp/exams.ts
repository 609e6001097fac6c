import type { AcademicState } from '../campus-state.ts';
import { errorPage, escapeHtml, HTML_TYPE, JSON_TYPE, jsonBody, page, reply } from '../exchange.ts';
import { dayWords, weekOf } from '../records/calendar.ts';
import type { JwcHandler, JwcRoutes } from './session.ts';

/** The page of the exam calendar. It also carries a block for most exams. */
export const examPage: JwcHandler = ({ present, studies }) => {
  const blocks = studies.exams.university.flatMap(({ day, lines, block }) => {
    if (!block) return [];
    const { heading, seat, ticket, hint = '携带学生证' } = block;
    const { date, weekday } = dayWords(day);
    return [
      `<div class="col-xs-12 col-sm-4"><div class="widget-box widget-color-blue">
  <div class="widget-header"><h5 class="widget-title smaller">${escapeHtml(heading)}</h5></div>
  <div class="widget-body"><div class="widget-main">
   考试名称:&nbsp;期末考试<br>
   第${weekOf(day, present.term)}周 ${date} 星期${weekday} ${lines?.[1] ?? ''}<br>
   地点:&nbsp;${lines?.slice(2).join('&nbsp;') ?? ''}<br>
${seat === null ? '' : `   座位号：${seat}<br>\n`}${ticket === undefined ? '' : `   准考证号：${ticket}<br>\n`}   <span class="red">考试提示信息：&nbsp;${hint}</span>
  </div></div></div></div>`,
    ];
  });
  return page(
    '考试安排',
    `<div class="row">
${blocks.join('\n')}
</div>
<script type="text/javascript">
  $("#calendar").fullCalendar({ events: "/student/examinationManagement/examPlan/detail" });
</script>`,
  );
};

/** Without any entry the answer is a lone bracket. */
export const examCalendar: JwcHandler = (call) => {
  const [start, end] = [call.query.get('start'), call.query.get('end')];
  if (start === null || end === null) return errorPage(400, 'Required parameter is not present');
  const events = call.studies.exams.university.flatMap(({ day, lines }) => {
    const { date } = dayWords(day);
    const title = lines === null ? null : `${lines.join('\n')}\n`;
    return date >= start && date <= end ? [{ title, start: date, color: '#3a87ad' }] : [];
  });
  return events.length === 0 ? reply(200, JSON_TYPE, ']') : jsonBody(events, HTML_TYPE);
};

type ExamRow = Readonly<Record<string, unknown>>;

/** The same rows as a table prints them. Columns that no client reads hold anything. */
const asColumns = (rows: readonly ExamRow[]): readonly unknown[] => {
  const columns = ['RN', 'KCH', 'KCM', 'KXH', 'KSRQ', 'KSSJ', 'KSDD', 'BZ'];
  const table = rows.map((row) => [...columns.map((name) => row[name]), {}]);
  return [...table.slice(0, 1), ['2', null, '缺列的一行'], ...table.slice(1)];
};

export const otherExams =
  ({ switches }: AcademicState): JwcHandler =>
  (call) => {
    const pageNum = Number(call.form.get('pageNum'));
    const pageSize = Number(call.form.get('pageSize'));
    const term = call.form.get('zxjxjhh');
    if (term === null || call.form.get('tab') !== '0' || !(pageNum >= 1) || !(pageSize >= 1)) {
      return errorPage(400, 'Required parameter is not present');
    }
    const own = call.studies.exams.others.get(term) ?? null;
    const rows = own && switches.otherExamRows === 'arrays' ? asColumns(own) : own;
    const start = (pageNum - 1) * pageSize;
    const records = rows === null ? null : rows.slice(start, start + pageSize);
    const found = { pageSize, pageNum, pageContext: { totalCount: rows?.length ?? 0 }, records };
    switch (switches.otherExamPlace) {
      case 'root':
        return jsonBody(found);
      case 'list':
        return jsonBody({ list: found });
      case 'list beside null':
        return jsonBody({ list: found, records: null });
    }
  };

const EXAMS = '/student/examinationManagement';

export const examRoutes: JwcRoutes = (state) => [
  ['GET', `${EXAMS}/examPlan/index`, examPage],
  ['GET', `${EXAMS}/examPlan/detail`, examCalendar],
  ['POST', `${EXAMS}/othersExamPlan/queryScores`, otherExams(state)],
];
