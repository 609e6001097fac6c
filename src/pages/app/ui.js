import { minutesUntil, moment } from './dates.js';
import { html } from './htm.js';
import { change, state, t, told, wordsOf } from './store.js';

const strokes = {
  today: 'M4 11l8-7 8 7v9a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  timetable: 'M4 5h16v15H4zM4 10h16M9 10v10M15 10v10',
  scores: 'M5 20V10M12 20V4M19 20v-7',
  exams: 'M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h4',
  electricity: 'M13 3L5 14h6l-1 7 9-12h-7z',
  activity: 'M12 3l2.7 5.6 6.1.8-4.5 4.2 1.1 6.1L12 16.8l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z',
  labor: 'M12 21V10M12 13c-5 0-7-3-7-7 5 0 7 3 7 7zM12 16c4 0 6-2 7-6-4 0-7 2-7 6z',
  evaluation: 'M5 4h14v13H9l-4 4zM9 9h6M9 13h4',
  calendar: 'M4 6h16v14H4zM4 11h16M8 3v5M16 3v5',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-7 8-7s7 2 8 7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  refresh: 'M20 6v5h-5M4 18v-5h5M19 11a7 7 0 0 0-12-4M5 13a7 7 0 0 0 12 4',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  done: 'M5 12l5 5 9-10',
};

export const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${strokes[name]} /></svg>`;

/** The heading of a view has the focus when the view is opened. */
export const heading = (title, ...more) => html`
  <div class="heading"><h1 id="title" tabindex="-1">${title}</h1>${more}</div>`;

export const button = (text, onClick, { look = '', isDisabled = false, label, id } = {}) => html`
  <button type="button" id=${id} class=${look} aria-label=${label} disabled=${isDisabled} onClick=${onClick}>${text}</button>`;

export const refreshButton = (read, again) =>
  button(icon('refresh'), again, { look: 'plain', isDisabled: Boolean(read?.isLoading), label: t('refresh') });

export const loading = () => html`
  <div class="loading" aria-busy="true"><span class="unseen">${t('loading')}</span><i></i><i></i><i></i></div>`;

export const empty = (name, text, ...more) => html`<div class="empty">${icon(name)}<p>${text}</p>${more}</div>`;

export const waitOf = (read) => {
  if (!read?.failure?.wait) return 0;
  return Math.max(0, Math.ceil((read.failedAt + read.failure.wait * 1000 - Date.now()) / 1000));
};

const isCampus = ({ status }) => status === 502 || status === 504;

const explain = ({ failure }) => {
  if (failure.code === 'NOT_OFFERED') return t('failed.offered');
  if (!isCampus(failure) || !failure.system) return wordsOf(failure);
  const since = state.since[failure.system];
  const system = t(`system.${failure.system}`);
  return since === undefined
    ? t('failed.system', { system })
    : t('failed.since', { system, since: moment(since, state.language) });
};

/** What went wrong, and what can be done: a step for the student, waiting, or asking again. */
export const failed = (read, again) => {
  const wait = waitOf(read);
  const { code } = read.failure;
  if (code === 'PERSON_NEEDED') return personNeeded();
  const isRefused = code === 'USER_NEED_RESET_PASSWORD';
  return html`<div class="failed" role="alert">
    <p>${explain(read)}</p>
    ${wait > 0 && html`<p class="small">${t('failed.wait', { seconds: wait })}</p>`}
    ${
      isRefused
        ? button(t('sign.enter'), () => state.logOut(), { look: 'main' })
        : code !== 'NOT_OFFERED' &&
          again &&
          button(t('again'), again, { isDisabled: wait > 0 || Boolean(read.isLoading) })
    }
  </div>`;
};

let beginStep = () => {};
/** Sign-in steps are drawn by sign-in.js, which needs this file. */
export const onPersonNeeded = (begin) => {
  beginStep = begin;
};
export const personNeeded = () => html`<div class="failed">
  <p>${t('person.needed')}</p>${button(t('person.begin'), beginStep, { look: 'main' })}</div>`;

/** Said above a value that is older than usual, or that could not be read again. */
const age = (read, again) => {
  const code = read.failure ? read.failure.code : read.standsFor;
  if (!code && !read.age) return null;
  const at = t('old', { at: moment(read.readAt, state.language) });
  if (!code) return html`<p class="small">${at}</p>`;
  const isPerson = code === 'PERSON_NEEDED';
  const why = isPerson ? t('person.needed') : explain(read.failure ? read : { failure: { code, status: 0 } });
  return html`<div class="old" role="status"><p>${at} ${why}</p>
    ${isPerson ? button(t('person.begin'), beginStep) : again && button(t('again'), again, { isDisabled: read.isLoading || waitOf(read) > 0 })}</div>`;
};

/** A value of the campus in each of its states. */
export const part = (read, again, draw) => {
  if (!read || (read.value === undefined && !read.failure)) return loading();
  if (read.value === undefined) return failed(read, again);
  return html`${age(read, again)}${draw(read.value)}`;
};

export const stat = (label, value, more) => html`
  <div class="stat"><dt>${label}</dt><dd>${value}${more && html`<small>${more}</small>`}</dd></div>`;

export const stats = (...rows) => html`<dl class="stats">${rows}</dl>`;

export const rounded = (value, digits = 2) =>
  value === null || value === undefined ? '–' : Number(value.toFixed(digits));

/** As the campus itself counts them. */
export const averages = ({ gpa, average_score: average, rank, rank_total: total }) => [
  stat(t('summary.gpa'), rounded(gpa)),
  average !== null && stat(t('summary.average'), rounded(average)),
  rank !== null && stat(t('summary.rank'), rank, total !== null && ` / ${total}`),
];

export const badge = (text, look = '') => html`<span class=${`badge ${look}`}>${text}</span>`;

/** `about` stands below the field, `wrong` says what is the matter with it, unless that is said elsewhere (`isWrong`). */
export const field = (name, label, { about, wrong, isWrong = Boolean(wrong), ...attributes } = {}) => {
  const id = attributes.id || name;
  const described = [about && `${id}-about`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input id=${id} name=${name} ...${attributes} aria-invalid=${isWrong ? 'true' : undefined} aria-describedby=${described || undefined} />
    ${about && html`<p id=${`${id}-about`} class="small">${about}</p>`}
    ${wrong && html`<p id=${`${id}-wrong`} class="wrong">${wrong}</p>`}
  </div>`;
};

export const choice = (name, label, attributes = {}) => html`
  <label class="choice"><input type="checkbox" name=${name} ...${attributes} /><span>${label}</span></label>`;

export const select = (id, label, value, options, onChoose, more = {}) => html`
  <div class="field"><label for=${id}>${label}</label>
    <select id=${id} value=${value} ...${more} onChange=${({ target }) => onChoose(target.value)}>
      ${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
    </select>
  </div>`;

/** Asks before something is done. `{title, text, action, isGrave, body, run}`; `action` is as the title, `run` is given the form. */
export const openDialog = (dialog) =>
  change({ dialog: { action: dialog.title, ...dialog, failure: null, isWorking: false } });
export const closeDialog = () => {
  const shown = document.querySelector('dialog');
  if (shown?.open) shown.close();
  else change({ dialog: null });
};

const showModal = (element) => {
  if (element && !element.open) element.showModal();
};

/** The focus goes back to the button that asked; where that has gone with what it ended, to the heading. */
const forgetDialog = () => {
  change({ dialog: null });
  if (document.activeElement === document.body) document.getElementById('title').focus();
};

const runDialog = async (event) => {
  event.preventDefault();
  const { dialog } = state;
  if (dialog.isWorking) return;
  change({ dialog: { ...dialog, isWorking: true, failure: null } });
  const failure = await dialog.run(new FormData(event.target));
  if (failure) change({ dialog: { ...state.dialog, isWorking: false, failure } });
  else closeDialog();
};

export const dialogView = () => {
  const { dialog } = state;
  if (dialog === null) return null;
  const { title, text, action, isGrave, body, failure, isWorking } = dialog;
  return html`<dialog ref=${showModal} aria-labelledby="dialog-title" onClose=${forgetDialog}>
    <form onSubmit=${runDialog}>
      <h2 id="dialog-title">${title}</h2>
      ${text && html`<p>${text}</p>`}
      ${body?.()}
      ${failure && html`<p class="wrong" role="alert">${told(failure)}</p>`}
      <div class="actions">
        <button type="submit" class=${isGrave ? 'main grave' : 'main'} disabled=${isWorking}>${action}</button>
        ${button(t('cancel'), closeDialog)}
      </div>
    </form>
  </dialog>`;
};

/** How long it is until then. */
export const inMinutes = (text) => {
  const minutes = minutesUntil(text);
  if (minutes < 60) return t('in.minutes', { count: Math.max(minutes, 0) });
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t('in.hours', { hours, minutes: minutes % 60 }) : t('in.days', { count: Math.round(hours / 24) });
};

/** In the reader's language where the code has the usual form; otherwise as the campus calls it. */
export const termName = (code, name = code) => {
  const [, from, to, season] = /^(\d{4})-(\d{4})-([123])-/.exec(code) || [];
  return from === undefined ? name : t(`term.${season}`, { from, to });
};

export const termChoice = (view, code) => {
  const { value = [] } = state.reads.terms || {};
  if (value.length < 2) return null;
  const options = value.map((each) => [each.term_code, termName(each.term_code, each.term_name)]);
  return select('term', t('term'), code, options, (chosen) => {
    location.hash = `#${view}/${chosen}`;
  });
};
