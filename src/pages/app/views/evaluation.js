import { call } from '../api.js';
import { nowMs, textOf } from '../dates.js';
import { html } from '../htm.js';
import { change, form, say, setForm, state, t, told } from '../store.js';
import { badge, button, empty, failed, heading, loading, openDialog, part, refreshButton } from '../ui.js';

/** The task as it stands at the service; the answers of one course at a time are typed here, and stay in memory. */

const ended = ['completed', 'failed', 'terminated'];
const task = () => state.reads.task?.value ?? null;
const isRunning = () => ['running', 'initializing', 'paused'].includes(task()?.status);
const isLoaded = () => task()?.status === 'idle';

let timer;
/** Asked again when the service says so, while the page is visible. */
const follow = (seconds) => {
  clearTimeout(timer);
  if (seconds > 0) timer = setTimeout(() => (document.hidden ? follow(seconds) : look()), seconds * 1000);
};

const look = async () => {
  const { token } = state;
  const { data, failure, pollAfter } = await call('GET /jwc/evaluation/status');
  if (token !== state.token) return;
  const before = state.reads.task ?? {};
  const task = failure ? { ...before, failure } : { value: data, failure: null, readAt: textOf(nowMs()) };
  change({ reads: { ...state.reads, task } });
  if (data && ended.includes(data.status)) state.forms.answers = {};
  if (state.route.view === 'evaluation') follow(failure ? failure.wait || 10 : pollAfter);
};

export const open = async () => {
  if (!form('course').key) await look();
};

/** What a button began: its failure is told, and what stands now is read. */
const act = async (operation, options, done) => {
  setForm('evaluation', { isWorking: true, failure: null });
  const answer = await call(operation, options);
  setForm('evaluation', { isWorking: false, failure: answer.failure ?? null });
  await look();
  if (!answer.failure) say(done ? t(done) : answer.message);
  return answer.failure ?? null;
};

const begin = () => act('POST /jwc/evaluation/initialize', {});
const excluded = () =>
  form('evaluation').excluded ??
  task()
    .course_list.filter((each) => each.excluded)
    .map((each) => each.course_key);
const isPending = ({ is_evaluated: answer }) => answer !== '是';
const pending = () => task().course_list.filter(isPending);
const wanted = () => pending().filter(({ course_key: key }) => !excluded().includes(key));

const toggle = (key) => {
  const now = excluded();
  setForm('evaluation', { excluded: now.includes(key) ? now.filter((each) => each !== key) : [...now, key] });
};

const askStart = () => {
  const count = wanted().length;
  openDialog({
    title: t('evaluation.start'),
    text: t('evaluation.startAbout', { count, minutes: Math.ceil((count * 6 + 145) / 60) }),
    action: t('evaluation.startNow', { count }),
    isGrave: true,
    run: () => act('POST /jwc/evaluation/start', { body: { exclude: excluded() } }, 'evaluation.started'),
  });
};

const askStop = () =>
  openDialog({
    title: t('evaluation.stop'),
    text: t('evaluation.stopAbout'),
    isGrave: true,
    run: () => act('POST /jwc/evaluation/terminate', {}, 'evaluation.stopped'),
  });

const openCourse = async (key) => {
  setForm('course', { key, preview: null, failure: null, wrong: {}, isEdited: false });
  const { data, failure } = await call('GET /jwc/evaluation/preview', { query: { course_key: key } });
  if (form('course').key === key) setForm('course', { preview: data, failure, failedAt: Date.now() });
  document.getElementById('title')?.focus();
};

const close = () => {
  state.forms.course = {};
  change();
  queueMicrotask(() => document.getElementById('title').focus());
};

/** An edited course is not left without a question. */
export const mayLeave = (go) => {
  if (!form('course').isEdited) return true;
  openDialog({
    title: t('evaluation.unsaved'),
    text: t('evaluation.unsavedAbout'),
    action: t('evaluation.discard'),
    isGrave: true,
    run: async () => {
      setForm('course', { isEdited: false });
      queueMicrotask(go);
    },
  });
  return false;
};
const leaveCourse = () => mayLeave(close) && close();
addEventListener('beforeunload', (event) => form('course').isEdited && event.preventDefault());

/** Typed texts are kept by course until the run has ended, so that nothing is lost on the way. */
const typed = (key) => form('answers')[key] ?? {};
const edit = (question, value) => {
  const { key, wrong } = form('course');
  setForm('answers', { [key]: { ...typed(key), [question]: value } });
  setForm('course', { isEdited: true, wrong: { ...wrong, [question]: undefined } });
};

const save = async (event) => {
  event.preventDefault();
  const { key, preview } = form('course');
  const own = typed(key);
  const answers = {
    ratings: preview.ratings.map((each) => ({ key: each.key, value: own[each.key] ?? each.value })),
    comments: preview.comments.map((each) => ({ key: each.key, text: own[each.key] ?? each.text })),
  };
  setForm('course', { isWorking: true, failure: null });
  const { data, failure } = await call('PUT /jwc/evaluation/preview', { body: { course_key: key, answers } });
  setForm('course', { isWorking: false });
  if (!failure) {
    delete state.forms.answers[key];
    setForm('course', { preview: data, isEdited: false, wrong: {} });
    say(t('evaluation.saved'));
    return close();
  }
  // `loc` is body, answers, list, place: each fault stands at its question.
  const wrong = {};
  for (const { loc, msg } of failure.details) {
    const question = preview[loc[2]]?.[loc[3]];
    if (question) wrong[question.key] = msg;
  }
  const [first] = Object.keys(wrong);
  setForm('course', { wrong, failure: first ? null : failure, failedAt: Date.now() });
  if (first) queueMicrotask(() => document.querySelector(`[data-question="${CSS.escape(first)}"]`).focus());
};

const rating = (each, at, own, wrong) => html`<fieldset class="question">
  <legend>${at + 1}. ${each.question || t('evaluation.question', { at: at + 1 })}</legend>
  <div class="options">${each.options.map(
    ({ value, choice }, place) => html`<label>
    <input type="radio" name=${`rating-${at}`} data-question=${place === 0 ? each.key : undefined} checked=${(own[each.key] ?? each.value) === value}
      onChange=${() => edit(each.key, value)} /><span>${choice || value}</span></label>`,
  )}</div>
  ${wrong[each.key] && html`<p class="wrong" role="alert">${wrong[each.key]}</p>`}
</fieldset>`;

/** Counted as the campus counts: UTF-16 units, which is the length of a text here. */
const comment = (each, at, own, wrong) => {
  const text = own[each.key] ?? each.text;
  const id = `comment-${at}`;
  return html`<div class="field"><label for=${id}>${each.question || t('evaluation.comment')}</label>
    <textarea id=${id} rows="3" data-question=${each.key} value=${text} maxlength=${each.max_length ?? undefined} aria-describedby=${`${id}-about`}
      aria-invalid=${wrong[each.key] ? 'true' : undefined} onInput=${({ target }) => edit(each.key, target.value)}></textarea>
    <p id=${`${id}-about`} class="small">${each.max_length === null ? text.length : `${text.length} / ${each.max_length}`}${wrong[each.key] && html` <span class="wrong">${wrong[each.key]}</span>`}</p></div>`;
};

const course = () => {
  const { key, preview, failure, wrong, isWorking, isEdited } = form('course');
  const own = typed(key);
  const title = task()?.course_list.find((each) => each.course_key === key)?.course_name ?? '';
  return html`${heading(preview?.course_name ?? title, button(t('back'), leaveCourse))}
    ${failure && failed({ failure, failedAt: form('course').failedAt }, preview ? null : () => openCourse(key))}
    ${!preview && !failure && loading()}
    ${
      preview &&
      html`<p class="under">${[preview.teacher_name, preview.questionnaire_name].filter(Boolean).join(' · ')}</p>
      <form onSubmit=${save} novalidate>
        <section class="card">${preview.ratings.map((each, at) => rating(each, at, own, wrong))}</section>
        <section class="card">${preview.comments.map((each, at) => comment(each, at, own, wrong))}</section>
        <div class="actions sticky"><button type="submit" class="main" disabled=${isWorking || !isEdited}>${t('evaluation.save')}</button>${button(t('back'), leaveCourse)}</div>
      </form>`
    }`;
};

const courseRow = (each) => {
  const { course_key: key, course_name: name, teacher_name: teacher } = each;
  const isDone = !isPending(each);
  const isOut = excluded().includes(key);
  return html`<li key=${key}><span class="what"><b>${name}</b><small>${teacher}</small></span>
    ${isDone && badge(t('evaluation.done'), 'good')}
    ${
      !isDone &&
      isLoaded() &&
      html`<label class="choice"><input type="checkbox" checked=${!isOut} onChange=${() => toggle(key)} aria-label=${`${t('evaluation.include')}: ${name}`} /><span>${t('evaluation.include')}</span></label>
      ${!isOut && button(t('evaluation.look'), () => openCourse(key), { label: `${t('evaluation.look')}: ${name}` })}`
    }
    ${!isDone && !isLoaded() && each.excluded && badge(t('evaluation.out'))}</li>`;
};

const failures = (list) =>
  list.length > 0 &&
  html`<section class="card"><h2>${t('evaluation.failedCourses')}</h2>
  <ul class="rows">${list.map((each) => html`<li><span class="what"><b>${each.course_name}</b><small>${t(`evaluation.${each.reason}`)}</small></span></li>`)}</ul></section>`;

const running = (value) => {
  const all = value.success_count + value.fail_count + value.pending_courses - value.excluded_courses;
  return html`<section class="card" aria-live="polite"><h2>${t('evaluation.running')}</h2>
    <progress max=${Math.max(all, 1)} value=${value.success_count + value.fail_count} aria-label=${t('evaluation.running')}></progress>
    <p>${t('evaluation.counts', { done: value.success_count, failed: value.fail_count, all })}</p>
    ${value.current_countdown > 0 && html`<p class="small">${t('evaluation.countdown', { seconds: value.current_countdown })}</p>`}
    ${button(t('evaluation.stop'), askStop, { look: 'grave' })}</section>`;
};

const outcome = (value) => html`<section class="card"><h2>${t(`evaluation.${value.status}`)}</h2>
  <p>${t('evaluation.counts', { done: value.success_count, failed: value.fail_count, all: value.success_count + value.fail_count })}</p>
  ${value.error_message && html`<p class="wrong">${value.error_message}</p>`}
  ${button(t('evaluation.load'), begin, { look: 'main', isDisabled: form('evaluation').isWorking })}</section>`;

const overview = (value) => {
  const { failure, isWorking } = form('evaluation');
  return html`${failure && html`<p class="failed" role="alert">${told(failure)}</p>`}
    ${value === null && empty('evaluation', t('evaluation.about'), button(t(isWorking ? 'loading' : 'evaluation.load'), begin, { look: 'main', isDisabled: isWorking }))}
    ${value && isRunning() && running(value)}
    ${value && ended.includes(value.status) && outcome(value)}
    ${value && failures(value.failed_courses)}
    ${
      value &&
      value.course_list.length > 0 &&
      html`<section class="card"><h2>${t('evaluation.courses')}</h2><ul class="rows">${value.course_list.map(courseRow)}</ul>
      ${
        isLoaded() &&
        html`<p class="small">${t('evaluation.drawn')}</p><div class="actions">
        ${button(t('evaluation.startCount', { count: wanted().length }), askStart, { look: 'main', isDisabled: isWorking || wanted().length === 0 })}
        ${button(t('evaluation.reload'), begin, { isDisabled: isWorking })}</div>`
      }</section>`
    }`;
};

export const view = () => {
  if (form('course').key) return course();
  return html`${heading(t('view.evaluation'), refreshButton(state.reads.task, look))}${part(state.reads.task, look, overview)}`;
};
