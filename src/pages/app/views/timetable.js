import { clock, dayName, plusDays, shortDate, today } from '../dates.js';
import { html } from '../htm.js';
import { form, load, offers, setForm, state, t } from '../store.js';
import { badge, button, empty, heading, icon, part, refreshButton, termChoice } from '../ui.js';
import { homePart, open as openHome } from './today.js';

const WEEK = [0, 1, 2, 3, 4, 5, 6];

const termNow = () => homePart('term')?.value ?? {};
/** Only the current term has dates. */
const isDated = (code) => Boolean(termNow().start_at) && code === termNow().term_code;

const chosenTerm = () => {
  const listed = (state.reads.terms?.value ?? []).find(({ is_current: isCurrent }) => isCurrent);
  return state.route.term || termNow().term_code || listed?.term_code || '';
};
const keyOf = (code) => `schedule ${code}`;

export const open = async ({ isRefresh = false } = {}) => {
  // The other parts of the first screen are left alone, unless this one has failed.
  const home = openHome({ isRefresh: isRefresh && Boolean(homePart('term')?.failure) });
  await Promise.all([offers('academics.terms') && load('terms', 'GET /jwc/term/all'), home]);
  const code = chosenTerm();
  if (code) await load(keyOf(code), 'GET /jwc/schedule/{term_code}/table', { params: { term_code: code }, isRefresh });
};
const again = () => open({ isRefresh: true });

const weekNow = (code) => (isDated(code) ? termNow().week_number : 0);
/** 0: all weeks. */
const chosenWeek = (code) => {
  const { week } = form(keyOf(code));
  return week === undefined ? weekNow(code) : week;
};

const dateOf = (code, week, day) =>
  isDated(code) && week > 0 ? plusDays(termNow().start_at, (week - 1) * 7 + day) : '';

const placesOf = (courses, week) =>
  courses.flatMap((course) =>
    course.time_locations
      .filter(({ class_week: weeks }) => week === 0 || weeks[week - 1] === '1')
      .map((place) => ({ course, place, first: place.class_sessions, count: Math.max(1, place.continuing_session) })),
  );

/** Places that overlap stand beside each other: each goes to the first column of its day that is free by then. */
const columnsOf = (places) => {
  const columns = [];
  for (const each of [...places].sort((a, b) => a.first - b.first || b.count - a.count)) {
    const free = columns.find((column) => column.every(({ first, count }) => first + count <= each.first));
    if (free) free.push(each);
    else columns.push([each]);
  }
  return columns.length === 0 ? [[]] : columns;
};

const roomOf = ({ teaching_building_name: building, classroom_name: room }) =>
  room && building && room.includes(building) ? room : [building, room].filter(Boolean).join(' ');

const entry = ({ course, place }) => html`<div class="class">
  <b>${course.course_name}</b>
  <small>${roomOf(place)}</small>
  <small>${[course.teacher_name, place.week_description].filter(Boolean).join(' · ')}</small>
</div>`;

const slotName = (slots, session) => {
  const slot = slots.find((each) => each.session === session);
  return slot?.start_time ? html`${session}<small>${clock(slot.start_time)}</small>` : session;
};

const dayHead = (code, week, day, span) => {
  const date = dateOf(code, week, day);
  return html`<th scope="col" colspan=${span} class=${date === today() ? 'today' : ''}>${dayName(day, state.language, 'short')}
    ${date && html`<small>${shortDate(date, state.language)}</small>`}</th>`;
};

const table = (code, week, slots, places) => {
  const last = Math.max(
    ...places.map(({ first, count }) => first + count - 1),
    ...slots.map(({ session }) => session),
    1,
  );
  const days = WEEK.map((day) => columnsOf(places.filter(({ place }) => place.class_day === day + 1)));
  const sessions = Array.from({ length: last }, (_, at) => at + 1);
  const cell = (column, session) => {
    const here = column.find(({ first }) => first === session);
    if (here) return html`<td rowspan=${here.count}>${entry(here)}</td>`;
    return column.some(({ first, count }) => first < session && session < first + count) ? null : html`<td></td>`;
  };
  return html`<div class="scroll grid-of-week" tabindex="0" role="region" aria-label=${t('view.timetable')}><table class="week" style=${{ minWidth: `${4 + 6 * days.flat().length}rem` }}>
    <thead><tr><th scope="col">${t('timetable.session')}</th>${days.map((columns, day) => dayHead(code, week, day, columns.length))}</tr></thead>
    <tbody>${sessions.map(
      (session) => html`<tr><th scope="row">${slotName(slots, session)}</th>
      ${days.map((columns) => columns.map((column) => cell(column, session)))}</tr>`,
    )}</tbody>
  </table></div>`;
};

const timeOf = (slots, { first, count }) => {
  const begin = slots.find(({ session }) => session === first);
  const end = slots.find(({ session }) => session === first + count - 1);
  const name = t('sessions', { first, last: first + count - 1 });
  if (!begin || !end || !begin.start_time || !end.end_time) return html`<small>${name}</small>`;
  return html`${clock(begin.start_time)}<small>${clock(end.end_time)}</small>`;
};

const list = (code, week, slots, places) =>
  html`<div class="list-of-days">${WEEK.map((day) => {
    const own = places.filter(({ place }) => place.class_day === day + 1).sort((a, b) => a.first - b.first);
    if (own.length === 0) return null;
    const date = dateOf(code, week, day);
    return html`<section class="card"><h2>${dayName(day, state.language)}
      ${date && html` <small>${shortDate(date, state.language)}</small>`} ${date === today() && badge(t('day.today'), 'good')}</h2>
    <ol class="rows day">${own.map(
      (each) => html`<li>
      <span class="when">${timeOf(slots, each)}</span>
      <span class="what"><b>${each.course.course_name}</b><small>${[roomOf(each.place), each.course.teacher_name].filter(Boolean).join(' · ')}</small>
        <small>${each.place.week_description}</small></span></li>`,
    )}</ol>
  </section>`;
  })}</div>`;

/** A course without a time, or at a time that the table cannot show. */
const untimed = (courses) => {
  const own = courses.filter(({ time_locations: places, is_no_schedule: isNone }) => isNone || places.length === 0);
  if (own.length === 0) return null;
  return html`<section class="card"><h2>${t('timetable.untimed')}</h2><ul class="rows">${own.map(
    (course) => html`<li>
    <span class="what"><b>${course.course_name}</b><small>${[course.teacher_name, course.remark].filter(Boolean).join(' · ')}</small></span></li>`,
  )}</ul></section>`;
};

const weekChoice = (code, weeks) => {
  const week = chosenWeek(code);
  const choose = (value) => setForm(keyOf(code), { week: value });
  return html`<div class="stepper">
    ${button(icon('back'), () => choose(week - 1), { look: 'plain', isDisabled: week <= 1, label: t('timetable.before') })}
    <b aria-live="polite">${week === 0 ? t('timetable.allWeeks') : t('week', { week })}</b>
    ${button(icon('next'), () => choose(week + 1), { look: 'plain', isDisabled: week >= weeks, label: t('timetable.after') })}
    ${button(week === 0 ? t('timetable.oneWeek') : t('timetable.allWeeks'), () => choose(week === 0 ? Math.max(weekNow(code), 1) : 0))}
  </div>`;
};

const filled = (code, { courses, time_slots: slots, semester_info: info, total_units: units }) => {
  if (courses.length === 0) return empty('timetable', t('timetable.none'));
  const masks = courses.flatMap(({ time_locations: places }) => places.map(({ class_week: weeks }) => weeks.length));
  const week = chosenWeek(code);
  const places = placesOf(courses, week);
  const note = isDated(code) && week === weekNow(code) && homePart('today')?.value?.adjustment;
  return html`
    ${weekChoice(code, Number(info?.total_weeks) || Math.max(...masks, 1))}
    ${note && html`<p class="old" role="status">${t('day.today')}: ${note}</p>`}
    ${places.length === 0 ? empty('timetable', t('timetable.freeWeek')) : html`${table(code, week, slots, places)}${list(code, week, slots, places)}`}
    ${untimed(courses)}
    <p class="small">${t('timetable.units', { units, count: courses.length })}</p>
    ${isDated(code) && week > 0 && html`<p class="small">${t('timetable.usual')}</p>`}`;
};

export const view = () => {
  const code = chosenTerm();
  const read = code === '' ? homePart('term') || state.reads.terms : state.reads[keyOf(code)];
  return html`
    ${heading(t('view.timetable'), refreshButton(read, again))}
    ${termChoice('timetable', code)}
    ${part(read, again, (value) => (value.courses ? filled(code, value) : empty('timetable', t('timetable.none'))))}`;
};
