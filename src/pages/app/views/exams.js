import { dateWithDay, daysUntil, fullDate } from '../dates.js';
import { html } from '../htm.js';
import { load, state, t } from '../store.js';
import { badge, empty, heading, part, refreshButton } from '../ui.js';

export const open = ({ isRefresh = false } = {}) => load('exams', 'GET /jwc/exam/info', { isRefresh });
const again = () => open({ isRefresh: true });

const isDate = (text) => /^\d{4}-\d{2}-\d{2}/.test(text);

const left = (days) => html`<span class=${days <= 7 ? 'days soon' : 'days'}>
  ${days === 0 ? html`<b>${t('day.today')}</b>` : html`<b>${days}</b><small>${t(days === 1 ? 'exams.day' : 'exams.days')}</small>`}</span>`;

const facts = ({ exam_type: type, exam_name: name, note, week, admission_ticket: ticket }) =>
  [name || type, note, week !== null && t('week', { week }), ticket && t('exams.ticket', { ticket })]
    .filter(Boolean)
    .join(' · ');

const row = (exam, days) => html`<li>
  ${days === null ? null : left(days)}
  <span class="what"><b>${exam.course_name}</b>
    <small>${[isDate(exam.exam_date) ? (days === null ? fullDate : dateWithDay)(exam.exam_date, state.language) : exam.exam_date, exam.exam_time].filter(Boolean).join(' ')}</small>
    <small>${exam.exam_location}</small>
    <small>${facts(exam)}</small>
    ${exam.hint && html`<small>${exam.hint}</small>`}</span>
  ${days !== null && days >= 0 && days <= 7 && badge(t('exams.soon'), 'warn')}
</li>`;

/** Two exams that overlap on one day are worth a word. */
const clashes = (exams) => {
  const seen = new Map();
  for (const { exam_date: date, exam_time: time } of exams)
    seen.set(`${date} ${time}`, (seen.get(`${date} ${time}`) || 0) + 1);
  return [...seen.values()].some((count) => count > 1);
};

const filled = ({ exams }) => {
  const known = (exam) => isDate(exam.exam_date);
  const ahead = exams.filter((exam) => known(exam) && daysUntil(exam.exam_date) >= 0);
  const past = exams.filter((exam) => known(exam) && daysUntil(exam.exam_date) < 0);
  const open = exams.filter((exam) => !known(exam));
  return html`
    ${ahead.length + open.length === 0 && empty('exams', t(past.length > 0 ? 'exams.noneAhead' : 'exams.none'))}
    ${clashes(ahead) && html`<p class="old" role="status">${t('exams.clash')}</p>`}
    ${ahead.length > 0 && html`<section class="card"><ul class="rows exams">${ahead.map((exam) => row(exam, daysUntil(exam.exam_date)))}</ul></section>`}
    ${open.length > 0 && html`<section class="card"><h2>${t('exams.undated')}</h2><ul class="rows">${open.map((exam) => row(exam, null))}</ul></section>`}
    ${
      past.length > 0 &&
      html`<details class="card"><summary><h2>${t('exams.past')}</h2><span>${past.length}</span></summary>
      <ul class="rows">${past.map((exam) => row(exam, null))}</ul></details>`
    }`;
};

export const view = () => html`
  ${heading(t('view.exams'), refreshButton(state.reads.exams, again))}
  ${part(state.reads.exams, again, filled)}`;
