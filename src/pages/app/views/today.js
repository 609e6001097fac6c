import { clock, dateWithDay, daysUntil, longDate, minutesUntil, msOf, nowMs, timeOf, today } from '../dates.js';
import { html } from '../htm.js';
import { load, offers, state, t } from '../store.js';
import {
  averages,
  empty,
  failed,
  heading,
  icon,
  inMinutes,
  part,
  refreshButton,
  stat,
  stats,
  termName,
} from '../ui.js';

const termNeeds = ['academics.calendarText', 'academics.termStart'];
const scheduled = [...termNeeds, 'academics.schedule'];
/** Parts of `/home`, each where the campus offers it. Those of balances would cost the campus extra requests. */
const parts = {
  term: termNeeds,
  today: scheduled,
  exams: ['academics.exams'],
  summary: ['academics.summary'],
  evaluation: ['evaluation.season', 'evaluation.submit'],
  next: scheduled,
};

const asked = () => Object.keys(parts).filter((name) => offers(...parts[name]));

export const open = ({ isRefresh = false } = {}) => {
  if (asked().length > 0) return load('home', 'GET /home', { query: { include: asked().join(',') }, isRefresh });
};
const again = () => open({ isRefresh: true });

/** A part of the answer, in the form of a separate reading; the whole reading where it has no parts yet. */
export const homePart = (name) => {
  const { home } = state.reads;
  if (!home?.value) return home;
  const found = home.value.parts[name];
  if (!found) return undefined;
  const { data, error, read_at: readAt, source } = found;
  const wait = error?.retry_after || 0;
  const failure = error ? { details: [], status: error.system ? 502 : 0, wait, ...error } : null;
  return {
    value: data === null ? undefined : data,
    failure,
    failedAt: home.at,
    readAt,
    standsFor: source === 'stand_in' ? 'REMOTE_SERVICE_ERROR' : '',
  };
};

const shown = (name, draw) => {
  const read = homePart(name);
  return !read || read.failure?.code === 'NOT_OFFERED' ? null : draw(read);
};

const placeOf = ({ campus_name: campus, teaching_building_name: building, classroom_name: room }) =>
  [campus, room && building && room.includes(building) ? '' : building, room].filter(Boolean).join(' ');

const timesOf = ({ start_time: start, end_time: end }) => (start && end ? `${clock(start)}–${clock(end)}` : '');

/** Counted from the two times of the campus; without them nothing is said. */
const progressOf = ({ begin, end }) => {
  if (!begin || !end) return null;
  const share = Math.min(Math.max((nowMs() - msOf(begin)) / (msOf(end) - msOf(begin)), 0), 1);
  return html`<progress max="1" value=${share} aria-label=${t('today.progress')}></progress>`;
};

const runningClass = (each) => html`<div class="hero on">
  <p class="eyebrow">${t('today.now')}</p>
  <h2>${each.course_name}</h2>
  <p>${[placeOf(each), each.teacher_name].filter(Boolean).join(' · ')}</p>
  ${progressOf(each)}
  ${each.end && html`<p class="small">${t('today.ends', { time: timeOf(each.end), left: inMinutes(each.end) })}</p>`}
</div>`;

const dayOf = (date) => {
  const days = daysUntil(date);
  if (days === 0) return t('day.today');
  return days === 1 ? t('day.tomorrow') : dateWithDay(date, state.language);
};

const nextClass = (each) => html`<div class="hero">
  <p class="eyebrow">${t('today.next')}</p>
  <h2>${each.course_name}</h2>
  <p>${[placeOf(each), each.teacher_name].filter(Boolean).join(' · ')}</p>
  <p class="small">${[dayOf(each.date), each.begin && `${timeOf(each.begin)}${each.end ? `–${timeOf(each.end)}` : ''}`, each.begin && minutesUntil(each.begin) < 1_440 && t('in', { time: inMinutes(each.begin) })].filter(Boolean).join(' · ')}</p>
</div>`;

const daysLeft = (days) =>
  days === 0 ? html`<b>${t('day.today')}</b>` : html`<b>${days}</b> ${t(days === 1 ? 'exams.day' : 'exams.days')}`;

const nextExam = ({
  course_name: name,
  date,
  begin,
  end,
  exam_time: time,
  exam_location: place,
  note,
}) => html`<a class="hero exam" href="#exams">
    <p class="eyebrow">${t('today.exam')}</p>
    <h2>${name}</h2>
    <p>${[dateWithDay(date, state.language), begin && end ? `${timeOf(begin)}–${timeOf(end)}` : time].filter(Boolean).join(' ')}</p>
    <p class="small">${[place, note].filter(Boolean).join(' · ')}</p>
    <p class="count">${daysLeft(daysUntil(date))}</p>
  </a>`;

const ahead = ({ now, next_class: next, next_exam: exam, exam_left_out: left, untimed_today: untimed }) => html`
  ${now.map(runningClass)}
  ${next.map(nextClass)}
  ${exam && nextExam(exam)}
  ${untimed > 0 && html`<p class="small">${t('today.untimed', { count: untimed })}</p>`}
  ${left === 'failed' && html`<p class="old" role="status">${t('today.examFailed')}</p>`}`;

const stateOf = ({ start_time: start, end_time: end }, date) => {
  if (!start || !end || date !== today()) return '';
  if (minutesUntil(`${date} ${clock(end)}:00`) <= 0) return 'past';
  return minutesUntil(`${date} ${clock(start)}:00`) <= 0 ? 'on' : '';
};

const classRow = (each, date) => html`<li class=${stateOf(each, date)}>
  <span class="when">${timesOf(each) ? html`${clock(each.start_time)}<small>${clock(each.end_time)}</small>` : html`<small>${t('session', { first: each.class_sessions })}</small>`}</span>
  <span class="what"><b>${each.course_name}</b><small>${[placeOf(each), each.teacher_name].filter(Boolean).join(' · ')}</small></span>
</li>`;

const classes = ({ classes: list, adjustment, date }) => html`
  ${adjustment && html`<p class="old" role="status">${adjustment}</p>`}
  ${list.length === 0 ? empty('today', t('today.free')) : html`<ol class="rows day">${list.map((each) => classRow(each, date))}</ol>`}`;

const summary = (value) => {
  const { completed_courses: done, failed_courses: open } = value;
  const more = open > 0 && ` · ${t('summary.failed', { count: open })}`;
  return stats(...averages(value), stat(t('summary.courses'), done, more));
};

/** What a student should not forget: a run of the evaluation, and exams of this week. */
const due = (home) => {
  const { evaluation, exams } = home.value.parts;
  const rows = [];
  const task = evaluation?.data;
  if (task && task.task_status === 'running')
    rows.push(['evaluation', t('due.running', { count: task.pending_courses })]);
  else if (task && task.pending_courses > 0)
    rows.push(['evaluation', t('due.evaluation', { count: task.pending_courses })]);
  for (const exam of exams?.data?.exams || []) {
    const days = daysUntil(exam.exam_date);
    if (days >= 0 && days <= 7)
      rows.push(['exams', t('due.exam', { name: exam.course_name, day: dayOf(exam.exam_date) })]);
  }
  if (rows.length === 0) return null;
  return html`<section class="card"><h2>${t('today.due')}</h2>
    <ul class="rows links">${rows.map(([view, text]) => html`<li><a href=${`#${view}`}>${icon(view)}<span>${text}</span></a></li>`)}</ul>
  </section>`;
};

const weekOf = (home) => {
  const { term, today: day } = home.value.parts;
  const week = day?.data?.week_number || term?.data?.week_number;
  const { academic_year: year, current_term_name: season, term_code: code } = term?.data ?? {};
  const name = code ? termName(code) : [year, season].filter(Boolean).join(' ');
  return [name, week ? t('week', { week }) : ''].filter(Boolean).join(' · ');
};

const filled = (home) => html`<div class="columns">
  <div>
    ${shown('next', (read) => part(read, again, ahead))}
    ${shown('today', (read) => html`<section class="card"><h2>${t('today.classes')}</h2>${part(read, again, classes)}</section>`)}
  </div>
  <div>
    ${due(home)}
    ${shown('exams', (read) => (read.failure && !read.value ? html`<section class="card"><h2>${t('view.exams')}</h2>${failed(read, again)}</section>` : null))}
    ${shown('summary', (read) => html`<section class="card"><h2>${t('today.summary')}</h2>${part(read, again, summary)}</section>`)}
  </div>
</div>`;

export const view = () => {
  const { home } = state.reads;
  const day = home?.value ? home.value.date : today();
  return html`
    ${heading(longDate(day, state.language), refreshButton(home, again))}
    ${home?.value && html`<p class="under">${weekOf(home)}</p>`}
    ${asked().length === 0 ? empty('today', t('today.nothing')) : part(home, again, () => filled(home))}`;
};
