import { bars } from '../charts.js';
import { html } from '../htm.js';
import { form, load, offers, setForm, state, t } from '../store.js';
import {
  averages,
  empty,
  heading,
  part,
  refreshButton,
  rounded,
  select,
  stat,
  stats,
  termChoice,
  termName,
} from '../ui.js';

const hasRecord = () => offers('academics.wholeRecord');
const chosenTerm = () => {
  const { value = [] } = state.reads.terms || {};
  const current = value.find(({ is_current: isCurrent }) => isCurrent) || value[0];
  return state.route.term || (current ? current.term_code : '');
};
const keyOf = (code) => (hasRecord() ? 'record' : `scores ${code}`);

export const open = async ({ isRefresh = false } = {}) => {
  if (offers('academics.summary')) load('summary', 'GET /jwc/academic/info', { isRefresh });
  if (hasRecord()) return load('record', 'GET /jwc/score/all', { isRefresh });
  await load('terms', 'GET /jwc/term/all');
  const code = chosenTerm();
  if (code) load(keyOf(code), 'GET /jwc/score/{term_code}/list', { params: { term_code: code }, isRefresh });
};
const again = () => open({ isRefresh: true });

const marksOf = ({ score, retake_score: retake, makeup_score: makeup }) =>
  [retake && t('scores.retake', { score: retake }), makeup && t('scores.makeup', { score: makeup }), score]
    .filter(Boolean)
    .join(' · ') || '–';

const row = (each) => html`<li>
  <span class="what"><b>${(state.language === 'en' && each.course_name_en) || each.course_name_cn}</b>
    <small>${[each.credits && t('credits', { count: each.credits }), each.course_type, each.grade_point !== null && each.grade_point !== undefined && t('scores.point', { point: each.grade_point })].filter(Boolean).join(' · ')}</small>
    ${each.passed === false && html`<small class="wrong">${each.not_passed_reason || t('scores.notPassed')}</small>`}</span>
  <span class=${each.passed === false ? 'mark bad' : 'mark'}>${marksOf(each)}</span>
</li>`;

const sums = (term) =>
  stats(
    stat(t('scores.courses'), term.courses),
    stat(t('scores.credits'), rounded(term.credits, 1)),
    stat(
      t('scores.mean'),
      rounded(term.mean),
      term.mean !== null && html`<br />${t('scores.over', { credits: term.mean_credits })}`,
    ),
    stat(
      t('scores.pointMean'),
      rounded(term.grade_point_average),
      term.grade_point_average !== null && html`<br />${t('scores.over', { credits: term.grade_point_credits })}`,
    ),
  );

const termSection = (term, records, isOpen) => html`<details class="card" open=${isOpen} key=${term.term_id}>
  <summary><h2>${termName(term.term_id)}</h2><span>${t('scores.courseCount', { count: term.courses })}</span></summary>
  ${sums(term)}
  ${term.unclear > 0 && html`<p class="small">${t('scores.unclear', { count: term.unclear })}</p>`}
  <ul class="rows">${records.map(row)}</ul>
</details>`;

/** Named by the season and the year in which it lies. */
const shortTerm = (code) => {
  const [, from, to, season] = /^\d\d(\d\d)-\d\d(\d\d)-([123])-/.exec(code) ?? [];
  return from === undefined ? code : t(`term.short.${season}`, { year: season === '1' ? from : to });
};

const chart = (terms) => {
  const means = terms.map(({ term_id: code, mean }) => [code, mean]).reverse();
  if (means.filter(([, mean]) => mean !== null).length < 2) return null;
  const lowest = Math.min(...means.map(([, mean]) => (mean === null ? 100 : mean)));
  return html`<section class="card"><h2>${t('scores.chart')}</h2>${bars(
    t('scores.chart'),
    means.map(([code, mean]) => [shortTerm(code), mean]),
    {
      bottom: lowest >= 60 ? 60 : 0,
      top: 100,
      numbers: t('numbers'),
      headers: [t('term'), t('scores.mean')],
      rows: means.map(([code, mean]) => [termName(code), rounded(mean)]),
    },
  )}</section>`;
};

const ownAverage = () => {
  const { value } = state.reads.summary || {};
  return value && html`<section class="card"><h2>${t('scores.campus')}</h2>${stats(...averages(value))}</section>`;
};

/** Newest first. */
const byTerm = (a, b) => (a.term_id < b.term_id ? 1 : -1);

const planChoice = (groups) => {
  if (groups.length < 2) return null;
  const options = [['', t('scores.allPlans')], ...groups.map(({ group_index: at, label }) => [String(at), label])];
  return select('plan', t('scores.plan'), form('scores', { plan: '' }).plan, options, (plan) =>
    setForm('scores', { plan }),
  );
};

const record = ({ records, terms = [], groups, failed_count: failed, rows_without_term: without }) => {
  if (records.length === 0) return empty('scores', t('scores.none'));
  const { plan } = form('scores', { plan: '' });
  const shown = plan === '' ? records : records.filter(({ group_index: at }) => String(at) === plan);
  const sorted = [...terms].sort(byTerm);
  const loose = shown.filter(({ term_id: code }) => code === null);
  return html`
    <div class="columns"><div>${chart(sorted)}</div><div>${ownAverage()}
      ${failed > 0 && html`<p class="old">${t('scores.failedCount', { count: failed })}</p>`}</div></div>
    ${planChoice(groups)}
    ${sorted.map((term, at) => {
      const own = shown.filter(({ term_id: code }) => code === term.term_id);
      return own.length > 0 && termSection(term, own, at === 0);
    })}
    ${loose.length > 0 && html`<details class="card"><summary><h2>${t('scores.loose')}</h2><span>${without}</span></summary><ul class="rows">${loose.map(row)}</ul></details>`}
    <p class="small">${t('scores.computed')}</p>`;
};

const list = ({ records }) => html`${ownAverage()}
  ${records.length === 0 ? empty('scores', t('scores.none')) : html`<section class="card"><ul class="rows">${records.map(row)}</ul></section>`}`;

export const view = () => {
  const code = chosenTerm();
  const read = state.reads[keyOf(code)] || (hasRecord() ? undefined : state.reads.terms?.failure && state.reads.terms);
  return html`${heading(t('view.scores'), refreshButton(read, again))}
    ${!hasRecord() && termChoice('scores', code)}
    ${part(read, again, hasRecord() ? record : list)}`;
};
