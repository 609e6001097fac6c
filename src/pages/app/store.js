import { call, configureApi } from './api.js';
import { nowMs, setCampusTime, textOf } from './dates.js';

/** What is shown is a function of this one value. It lives in memory alone; only the token and the language are kept. */
export const state = {
  language: /^zh/i.test(navigator.language) ? 'zh' : 'en',
  words: {},
  campus: null,
  token: '',
  /** The name of a view, and the term that it shows. */
  route: { view: 'today', term: '' },
  /** By name: `{value, readAt, age, standsFor, isLoading, failure}`; `standsFor`: the code of what failed at the campus. */
  reads: {},
  /** What is typed or chosen in a view and is no value of the campus. */
  forms: {},
  /** Of failing systems: since when. */
  since: {},
  said: '',
  dialog: null,
  /** A sign-in or a renewal under way; see sign-in.js. */
  signIn: null,
};

let draw = () => {};
let isDue = false;
export const onChange = (listener) => {
  draw = listener;
};
/** Changes are drawn together, once the work under way has ended. */
export const change = (values = {}) => {
  Object.assign(state, values);
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
};

/** The words of a name, with the values that they have a place for. */
export const t = (name, values = {}) =>
  (state.words[name] || name).replace(/\{(\w+)\}/g, (_, key) => (values[key] === undefined ? '' : String(values[key])));

/** In Chinese the words of the service, which say more; in English those of the code. */
export const wordsOf = ({ code, message, details = [] }) => {
  if (code === 'VALIDATION_ERROR' && details.length > 0) return details.map(({ msg }) => msg).join(' ');
  return (state.language === 'zh' && message) || state.words[`code.${code}`] || t('code.SERVER_ERROR');
};

/** The same, and when it may be tried again. */
export const told = (failure) =>
  failure.wait > 0 ? `${wordsOf(failure)} ${t('failed.wait', { seconds: failure.wait })}` : wordsOf(failure);

export const form = (name, initial = {}) => state.forms[name] || initial;
export const setForm = (name, values) => {
  state.forms[name] = { ...state.forms[name], ...values };
  change();
};
/** What a reader is told of what was done; gone after a few seconds. */
export const say = (text) => {
  change({ said: text });
  setTimeout(() => state.said === text && change({ said: '' }), 6_000);
};

const FRESH_MS = 60_000;
const put = (key, values) => {
  state.reads = { ...state.reads, [key]: { ...state.reads[key], ...values } };
  change();
};

/** Since when a system fails is asked only where no value can be shown instead. */
const learnSince = async () => {
  const { data } = await call('GET /status');
  if (!data) return;
  const failing = data.systems.filter(({ fails_since: since }) => since !== null);
  change({ since: Object.fromEntries(failing.map(({ name, fails_since: since }) => [name, since])) });
};

const read = async (key, operation, options) => {
  const { token } = state;
  const known = state.reads[key] || {};
  put(key, { isLoading: true });
  const { data, failure, age, standsFor } = await call(operation, options);
  // Of another student, or of none.
  if (token !== state.token) return;
  if (failure) {
    put(key, { isLoading: false, failure, failedAt: Date.now() });
    if ([502, 504].includes(failure.status) && known.value === undefined) await learnSince();
    return;
  }
  const at = Date.now();
  put(key, { isLoading: false, failure: null, value: data, at, standsFor, age, readAt: textOf(nowMs() - age * 1000) });
};

const underWay = {};
/**
 * Reads what a view shows, unless it was read within a minute; two views may wait for the same reading. What was shown
 * before stays until the answer is there.
 */
export const load = async (key, operation, { isRefresh = false, ...options } = {}) => {
  const known = state.reads[key] || {};
  const isFresh = known.value !== undefined && !known.failure && !known.standsFor && Date.now() - known.at < FRESH_MS;
  if (isFresh && !isRefresh && !known.isLoading) return;
  if (!known.isLoading) underWay[key] = read(key, operation, { ...options, isRefresh });
  await underWay[key];
};

/** The next opening of the view reads it again. */
export const forget = (...keys) => {
  for (const key of keys) delete state.reads[key];
  change();
};

const { calendars: toldCalendars = '' } = document.documentElement.dataset;
/** The parts of a calendar that the campus offers, as the service tells with the page; on that of a challenge, none. */
export const calendars = toldCalendars.split(' ').filter(Boolean);

export const offers = (...capabilities) => capabilities.every((name) => state.campus?.capabilities.includes(name));

const TOKEN = 'campus-token';
const TOUCHED = 'campus-touched';
const stores = () => [sessionStorage, localStorage];

/** The token of this tab, or the one that was to stay on this device. `{token, userid}` or null. */
export const keptLogin = () => {
  for (const store of stores()) {
    try {
      const kept = JSON.parse(store.getItem(TOKEN));
      if (kept?.token) return { ...kept, stays: store === localStorage };
    } catch {
      store.removeItem(TOKEN);
    }
  }
  return null;
};
export const keepLogin = ({ token, userid, stays }) => {
  dropLogin();
  (stays ? localStorage : sessionStorage).setItem(TOKEN, JSON.stringify({ token, userid }));
};
export const dropLogin = () => {
  for (const store of stores()) store.removeItem(TOKEN);
  sessionStorage.removeItem(TOUCHED);
};
/** Beside the token of a tab: a browser that opens a closed tab again gives it back what it kept. */
export const keepTouch = (at) => sessionStorage.setItem(TOUCHED, String(at));
export const keptTouch = () => Number(sessionStorage.getItem(TOUCHED));

export const setToken = (token) => {
  change({ token, reads: {}, forms: {}, dialog: null });
  configureApi({ token });
};

configureApi({ onTime: setCampusTime });
