import { escapeHtml, jsonBody, page } from '../exchange.ts';
import type { DemoPlan } from '../records/plans.ts';
import type { JwcHandler, JwcRoutes } from './session.ts';

export const planList: JwcHandler = ({ studies }) => {
  const { rows } = studies.plans;
  return jsonBody({ count: rows.length, data: rows });
};

/** The array as a template prints it: one node per line, a comma after the last one too. */
const nodeLines = ({ nodes }: DemoPlan): string =>
  `[\n${nodes.map((node) => `      ${JSON.stringify(node)},`).join('\n')}\n    ]`;

const treeScript = (plan: DemoPlan): string =>
  plan.shape === 'inline'
    ? `  $(document).ready(function () {
    $.fn.zTree.init($("#treeDemo"), setting, ${nodeLines(plan)}); // 方案树
  });`
    : `  var zNodes = ${nodeLines(plan)};
  $(document).ready(function () { $.fn.zTree.init($("#treeDemo"), setting, zNodes); });`;

const planPage = (body: string) => page('方案完成情况', body);

const treePage = (plan: DemoPlan) =>
  planPage(`<h4 class="header">我的课程</h4>
<div class="widget-box"><div class="widget-header">
  <h4 class="widget-title">${plan.title}</h4></div>
<div class="widget-body"><ul id="treeDemo" class="ztree"></ul></div></div>
<script type="text/javascript">
  var setting = { data: { simpleData: { enable: true } } };
${treeScript(plan)}
</script>`);

const choicePage = (plans: readonly DemoPlan[]) =>
  planPage(`<div class="alert alert-warning"><strong>提示：</strong>您有多个培养方案，
  请选择要查看的方案</div>
${plans
  .map(
    ({ id, title, button = title }) =>
      `<button class="btn btn-success btn-round" title="${title}(${id})" onclick="getPyfaIndex(&#39;${escapeHtml(id)}&#39;);return false;">${button}</button>`,
  )
  .join('\n')}`);

/** A student without a plan sees a page with an empty tree. */
const noPlan: DemoPlan = { id: '', title: '', shape: 'inline', nodes: [] };

export const planIndex: JwcHandler = ({ studies }) => {
  const { plans } = studies.plans;
  const [only = noPlan] = plans;
  return plans.length > 1 ? choicePage(plans) : treePage(only);
};

const MOST_NOTED = 100;

/** The real answer to an id that was not offered is unknown, so it is noted, and shows nothing. */
export const chosenPlan: JwcHandler = (call, { foreignPlans }) => {
  const { plans } = call.studies.plans;
  const plan = plans.length > 1 ? plans.find(({ id }) => id === call.params[0]) : undefined;
  if (plan) return treePage(plan);
  if (foreignPlans.length < MOST_NOTED) foreignPlans.push(call.params[0] ?? '');
  return planPage('<h4 class="header">我的课程</h4>');
};

const PLAN = '/student/integratedQuery/planCompletion';

export const planRoutes: JwcRoutes = () => [
  ['GET', '/main/showPyfaInfo', planList],
  ['GET', `${PLAN}/index`, planIndex],
  ['GET', `${PLAN}/getPyfaIndex/*`, chosenPlan],
];
