import type { CampusState } from './campus-state.ts';
import { errorPage, escapeHtml, htmlPage, jsonBody } from './exchange.ts';
import { type JwcHandler, newSegment, segmentHolds } from './jwc-session.ts';

export const schemeIndex =
  ({ switches }: CampusState): JwcHandler =>
  (_call, _student, session) => {
    if (switches.schemePage === 'missing') return errorPage(404, 'Not Found');
    const segment = switches.schemeSegment ? `${newSegment(session, 'scheme')}/` : '';
    const address = `/student/integratedQuery/scoreQuery/${segment}schemeScores/callback`;
    return htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>方案成绩</title></head>
<body><div class="page-content"><h4 class="header">方案成绩</h4><div id="scheme"></div></div>
<script type="text/javascript">
  ${switches.schemePage === 'offered' ? `$.get("${address}", fillGroups);` : '// 未开放'}
</script></body></html>
`);
  };

/** To an address that is not the latest one of the session, a page says so. */
export const schemeData =
  ({ switches }: CampusState): JwcHandler =>
  (call, _student, session) => {
    const [segment] = call.params;
    const isGood = switches.schemeSegment ? segmentHolds(session, 'scheme', segment) : segment === undefined;
    if (!isGood) return htmlPage('<!DOCTYPE html>\n<html><body><h3>页面已失效</h3></body></html>\n');
    const { wholeRecord } = call.studies;
    return jsonBody(switches.schemeForm === 'array' ? wholeRecord : { lnList: wholeRecord });
  };

export const studentFile =
  ({ switches }: CampusState): JwcHandler =>
  ({ studies }) => {
    const lines = studies.file.map(([name, value]) => {
      const shown = switches.foreignFile && name.startsWith('学号') ? '2023999999' : value;
      return `<div class="profile-info-row"><div class="profile-info-name">${escapeHtml(name)}</div>
 <div class="profile-info-value"><span>${shown}</span></div></div>`;
    });
    return htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>学籍信息</title></head><body>
<div class="profile-user-info profile-user-info-striped">
${lines.join('\n')}
</div></body></html>
`);
  };
