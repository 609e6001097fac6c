import type { AcademicState } from '../campus-state.ts';
import { type DemoReply, errorPage, jsonBody, page } from '../exchange.ts';
import { codeOf } from '../records/calendar.ts';
import type { EmptyScores, ScoreSheet } from '../records/studies.ts';
import { type JwcHandler, type JwcRoutes, newSegment, segmentHolds } from './session.ts';

const scorePage = (pageNum: number, pageSize: number, totalCount: number | string, records: unknown) =>
  jsonBody({ list: { pageSize, pageNum, pageContext: { totalCount }, records } });

const emptyAnswer = (kind: EmptyScores, pageNum: number, pageSize: number): DemoReply => {
  switch (kind) {
    case 'list null':
      return jsonBody({ list: null });
    case 'list missing':
      return jsonBody({ msg: '' });
    case 'list without members':
      return jsonBody({ list: {} });
    case 'records null':
      return scorePage(pageNum, pageSize, 0, null);
    case 'no records':
      return scorePage(pageNum, pageSize, 0, []);
  }
};

const STALE = '页面已失效，请重新进入';
const problem = (msg: string): DemoReply => jsonBody({ result: 'error', msg });

/** Names are escaped when put into a page, in some answers also into JSON. */
const plain = (cell: unknown): string =>
  String(cell ?? '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

const has = (row: unknown, cell: number, wanted: string): boolean =>
  wanted === '' || (Array.isArray(row) && plain(row[cell]).includes(wanted));

const rowsOf = (sheets: Iterable<ScoreSheet>): readonly unknown[] =>
  [...sheets].flatMap((sheet): readonly unknown[] => (typeof sheet === 'string' ? [] : sheet));

/** Loading the page again retires the address named before. */
export const scoreIndex: JwcHandler = (_call, _student, session) =>
  page(
    '全部成绩',
    `<div class="page-content"><h4 class="header">全部成绩</h4><div id="urppagebar"></div></div>
<script type="text/javascript">
  var url = "/student/integratedQuery/scoreQuery/${newSegment(session, 'scores')}/allTermScores/data";
  urp.pagebar("urppagebar", url, "", 1, 30, "post", fillTable);
</script>`,
  );

const FIELDS = ['zxjxjhh', 'kch', 'kcm', 'pageNum', 'pageSize'] as const;

export const scoreData =
  ({ switches }: Pick<AcademicState, 'switches'>): JwcHandler =>
  (call, _student, session) => {
    if (!segmentHolds(session, 'scores', call.params[0])) return problem(STALE);
    if (FIELDS.some((field) => !call.form.has(field))) return problem('参数不完整');
    const field = (name: (typeof FIELDS)[number]): string => call.form.get(name) ?? '';
    const pageNum = Number(field('pageNum'));
    const pageSize = Number(field('pageSize'));
    if (!Number.isInteger(pageNum) || !Number.isInteger(pageSize) || pageNum < 1 || pageSize < 1 || pageSize > 1000) {
      return problem('分页参数错误');
    }
    const { scores, countsAsText } = call.studies;
    const asked = field('zxjxjhh');
    const term = asked === '' && switches.emptyTerm === 'current' ? codeOf(call.present.term) : asked;
    const sheet = scores.get(term) ?? 'no records';
    if (term !== '' && typeof sheet === 'string') return emptyAnswer(sheet, pageNum, pageSize);
    const rows = rowsOf(term === '' ? scores.values() : [sheet]);
    const filtered = rows.filter((row) => has(row, 2, field('kch')) && has(row, 4, field('kcm')));
    const start = (pageNum - 1) * pageSize;
    const count = countsAsText ? String(filtered.length) : filtered.length;
    return scorePage(pageNum, pageSize, count, filtered.slice(start, start + pageSize));
  };

/** Loading the page retires both addresses named before. */
export const thisTermIndex: JwcHandler = (_call, _student, session) =>
  page(
    '本学期成绩',
    `<div class="page-content"><h4 class="header">本学期成绩</h4><table id="scores"></table></div>
<script type="text/javascript">
  var url = "/student/integratedQuery/scoreQuery/${newSegment(session, 'this-term')}/thisTermScores/data";
  $.get(url, fillTable);
  function showDetail(row) {
    $.post("/student/integratedQuery/scoreQuery/${newSegment(session, 'components')}/thisterm/coursePropertyScores/serchScoreDetail",
      { zxjxjhh: row.id.executiveEducationPlanNumber, kch: row.id.courseNumber, kssj: row.id.examtime, kxh: row.coureSequenceNumber });
  }
</script>`,
  );

export const thisTermScores: JwcHandler = (call, _student, session) => {
  if (!segmentHolds(session, 'this-term', call.params[0])) return problem(STALE);
  return jsonBody([{ state: '0', list: call.studies.currentScores.map(({ row }) => row) }]);
};

const COMPONENT_FIELDS = ['zxjxjhh', 'kch', 'kxh', 'kssj'] as const;

/** The components of one row of this student, all four values the same; else none. */
export const scoreComponents: JwcHandler = (call, _student, session) => {
  if (!segmentHolds(session, 'components', call.params[0])) return problem(STALE);
  const asked = JSON.stringify(COMPONENT_FIELDS.map((field) => call.form.get(field)));
  const found = call.studies.currentScores.find(({ row, key }) => row !== null && JSON.stringify(key) === asked);
  return jsonBody({ mx: found ? found.components : [], xs: found?.weights ?? [], rounding: '01' });
};

const schemeIndex =
  ({ switches }: AcademicState): JwcHandler =>
  (_call, _student, session) => {
    if (switches.schemePage === 'missing') return errorPage(404, 'Not Found');
    const segment = switches.schemeSegment ? `${newSegment(session, 'scheme')}/` : '';
    const address = `/student/integratedQuery/scoreQuery/${segment}schemeScores/callback`;
    return page(
      '方案成绩',
      `<div class="page-content"><h4 class="header">方案成绩</h4><div id="scheme"></div></div>
<script type="text/javascript">
  ${switches.schemePage === 'offered' ? `$.get("${address}", fillGroups);` : '// 未开放'}
</script>`,
    );
  };

/** To an address that is not the latest one of the session, a page says so. */
const schemeData =
  ({ switches }: AcademicState): JwcHandler =>
  (call, _student, session) => {
    const [segment] = call.params;
    const isGood = switches.schemeSegment ? segmentHolds(session, 'scheme', segment) : segment === undefined;
    if (!isGood) return page('方案成绩', '<h3>页面已失效</h3>');
    const { wholeRecord } = call.studies;
    return jsonBody(switches.schemeForm === 'array' ? wholeRecord : { lnList: wholeRecord });
  };

const SCORES = '/student/integratedQuery/scoreQuery';

export const scoreRoutes: JwcRoutes = (state) => [
  ['GET', `${SCORES}/allTermScores/index`, scoreIndex],
  ['POST', `${SCORES}/*/allTermScores/data`, scoreData(state)],
  ['GET', `${SCORES}/thisTermScores/index`, thisTermIndex],
  ['GET', `${SCORES}/*/thisTermScores/data`, thisTermScores],
  ['POST', `${SCORES}/*/thisterm/coursePropertyScores/serchScoreDetail`, scoreComponents],
  ['GET', `${SCORES}/schemeScores/index`, schemeIndex(state)],
  ['GET', `${SCORES}/*/schemeScores/callback`, schemeData(state)],
  ['GET', `${SCORES}/schemeScores/callback`, schemeData(state)],
];
