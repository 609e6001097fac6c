import { type DemoReply, htmlPage, jsonBody } from './exchange.ts';
import { type JwcHandler, newSegment, segmentHolds } from './jwc-session.ts';
import { codeOf } from './records/calendar.ts';
import type { EmptyScores, ScoreSheet } from './records/studies.ts';
import type { DemoCampusSwitches } from './types.ts';

const page = (pageNum: number, pageSize: number, totalCount: number | string, records: unknown) =>
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
      return page(pageNum, pageSize, 0, null);
    case 'no records':
      return page(pageNum, pageSize, 0, []);
  }
};

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
  htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>全部成绩</title></head>
<body><div class="page-content"><h4 class="header">全部成绩</h4><div id="urppagebar"></div></div>
<script type="text/javascript">
  var url = "/student/integratedQuery/scoreQuery/${newSegment(session, 'scores')}/allTermScores/data";
  urp.pagebar("urppagebar", url, "", 1, 30, "post", fillTable);
</script></body></html>
`);

const FIELDS = ['zxjxjhh', 'kch', 'kcm', 'pageNum', 'pageSize'] as const;

export const scoreData =
  ({ switches }: { readonly switches: Pick<DemoCampusSwitches, 'emptyTerm'> }): JwcHandler =>
  (call, _student, session) => {
    if (!segmentHolds(session, 'scores', call.params[0])) return problem('页面已失效，请重新进入');
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
    return page(pageNum, pageSize, count, filtered.slice(start, start + pageSize));
  };
