import { call, configureApi } from './api.js';
import { minutesUntil } from './dates.js';
import { html, render } from './htm.js';
import { configureSignIn, isCounting, isRenewing, renew, signInProblem, signInTitle, signInView } from './sign-in.js';
import {
  calendars,
  change,
  dropLogin,
  keepLogin,
  keepTouch,
  keptLogin,
  keptTouch,
  load,
  offers,
  onChange,
  say,
  setToken,
  state,
  t,
  wordsOf,
} from './store.js';
import { button, dialogView, empty, failed, heading, icon, loading, onPersonNeeded, waitOf } from './ui.js';

/** Shown where the campus offers one of these sets. Each is a separate file, fetched when it is opened. */
const views = {
  today: [[]],
  timetable: [['academics.schedule']],
  scores: [['academics.wholeRecord'], ['academics.allScores', 'academics.terms']],
  exams: [['academics.exams']],
  electricity: [['electricity.readMeter']],
  activity: [['activityScore.total'], ['activityScore.categories']],
  labor: [['laborClub.finishedCount'], ['laborClub.joinedActivities'], ['laborClub.joinedClubs']],
  evaluation: [['evaluation.season', 'evaluation.courses', 'evaluation.open', 'evaluation.submit']],
  calendar: calendars.length > 0 ? [[]] : [],
  account: [[]],
};
/** On a telephone these stand below; the rest is behind "more". */
const MOST_TABS = 4;
const IDLE_MINUTES = 30;
const HIDDEN_MS = 60_000;
const LANGUAGE = 'campus-language';
const RELOADED = 'campus-reloaded';
const page = document.documentElement;

const offered = () => Object.keys(views).filter((name) => views[name].some((needs) => offers(...needs)));
const opened = {};

const parseRoute = () => {
  const [name, term = ''] = location.hash.slice(1).split('/');
  return {
    view: name === 'more' || Object.keys(views).includes(name) ? name : 'today',
    term: /^[\w-]{1,32}$/.test(term) ? term : '',
  };
};

/** A process of another version lacks this file: the page is loaded again, which names the right one. */
const reloadOnce = () => {
  if (sessionStorage.getItem(RELOADED) === 'yes') return;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
};

const openView = async ({ hasFocus = true } = {}) => {
  const { view } = state.route;
  if (hasFocus) {
    scrollTo(0, 0);
    const title = document.getElementById('title');
    if (title) title.focus();
  }
  if (!opened[view] && view !== 'more') {
    try {
      opened[view] = await import(`./views/${view}.js`);
      sessionStorage.removeItem(RELOADED);
    } catch {
      // Gone with another version, or out of reach.
      const answer = await fetch(new URL(`views/${view}.js`, import.meta.url)).catch(() => null);
      if (answer?.status === 404) return reloadOnce();
      return change({ unreached: view });
    }
  }
  if (opened[view]?.open && state.token && state.campus) opened[view].open();
  change();
};

const link = (name) => html`<a href=${`#${name}`} aria-current=${state.route.view === name ? 'page' : undefined}>
  ${icon(name)}<span>${t(`view.${name}`)}</span></a>`;

const navigation = () => {
  const names = offered();
  const rest = names.slice(MOST_TABS);
  const isMore = state.route.view === 'more' || rest.includes(state.route.view);
  return html`<nav class="tabs" aria-label=${t('nav.views')}>
    ${names.map((name, at) => html`<div key=${name} class=${at < MOST_TABS ? '' : 'beyond'}>${link(name)}</div>`)}
    ${rest.length > 0 && html`<div class="narrowed"><a href="#more" aria-current=${isMore ? 'page' : undefined}>${icon('more')}<span>${t('view.more')}</span></a></div>`}
  </nav>`;
};

const moreView = () => html`${heading(t('view.more'))}
  <div class="card"><ul class="rows links">${offered()
    .slice(MOST_TABS)
    .map((name) => html`<li key=${name}>${link(name)}</li>`)}</ul></div>`;

const header = () => html`<header class="bar">
  <a class="brand" href="#today">${t('brand')}</a>
  <span class="campus">${state.campus ? state.campus.name[state.language] : ''}</span>
  ${button(t('other'), toggleLanguage, { id: 'language', look: 'plain' })}
  ${state.token && button(t('logout'), () => logOut(), { look: 'plain' })}
</header>`;

const body = () => {
  const { view } = state.route;
  const campus = state.reads.campus;
  if (state.campus === null) return campus?.failure ? failed(campus, start) : loading();
  if (!state.token || isRenewing()) return signInView();
  if (view === 'more') return moreView();
  if (!offered().includes(view)) return html`${heading(t(`view.${view}`))}${empty(view, t('failed.offered'))}`;
  if (opened[view]) return opened[view].view();
  const again = () => location.reload();
  return html`${heading(t(`view.${view}`))}${state.unreached === view ? failed({ failure: { code: 'LOST' } }, again) : loading()}`;
};

const titleOf = () => {
  const own = state.token && !isRenewing() ? t(`view.${state.route.view}`) : signInTitle();
  return [signInProblem(), own, t('brand')].filter(Boolean).join(' · ');
};

const draw = () => {
  page.lang = state.language === 'zh' ? 'zh-CN' : 'en';
  document.title = titleOf();
  const isIn = Boolean(state.token && state.campus);
  render(
    html`<a class="skip" href="#title" onClick=${skip}>${t('nav.skip')}</a>
      ${header()}
      <div class=${isIn ? 'frame in' : 'frame'}>
        ${isIn && navigation()}
        <main>${state.notice && !state.token && html`<p class="old" role="alert">${state.notice()}</p>`}${body()}</main>
      </div>
      <p class="said" role="status">${state.said}</p>
      ${dialogView()}`,
    document.getElementById('app'),
  );
};

const skip = (event) => {
  event.preventDefault();
  document.getElementById('title').focus();
};

const useLanguage = async (language) => {
  const answer = await fetch(new URL(`words/${language}.json`, import.meta.url));
  if (!answer.ok) return reloadOnce();
  configureApi({ language });
  change({ language, words: await answer.json() });
};

const toggleLanguage = async () => {
  const language = state.language === 'zh' ? 'en' : 'zh';
  localStorage.setItem(LANGUAGE, language);
  await useLanguage(language);
};

/** Every tab of this browser hears who has signed in and who has left. */
const tabs = new BroadcastChannel('campus-login');
let who = '';

const leave = (notice) => {
  dropLogin();
  who = '';
  setToken('');
  change({ signIn: null, notice, said: '' });
};

/** Nothing of it stays in memory, nor behind the button that goes back. */
const logOut = async ({ isEnded = false, notice = '' } = {}) => {
  const { token } = state;
  tabs.postMessage({ left: who });
  leave(null);
  if (!isEnded) await call('POST /auth/logout', { token, keepalive: true });
  if (notice) sessionStorage.setItem('campus-notice', notice);
  location.replace('./');
};

tabs.addEventListener('message', ({ data }) => {
  if (!state.token) return;
  if (data.left === who) leave(() => t('out.elsewhere'));
  else if (data.entered && data.entered !== who) leave(() => t('out.other'));
});

const enter = ({ token, userid, stays = false }) => {
  who = userid;
  keepLogin({ token, userid, stays });
  tabs.postMessage({ entered: userid });
  setToken(token);
  change({ signIn: null, notice: null });
  isStaying = stays;
  touch();
  openView();
};

let isStaying = false;
let touchedAt = 0;
const touch = () => {
  touchedAt = Date.now();
  if (state.token && !isStaying) keepTouch(touchedAt);
};
for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, touch, { passive: true });

const isIdle = () => state.token && !isStaying && Date.now() - touchedAt > IDLE_MINUTES * 60_000;
const isWaiting = () => isCounting() || Object.values(state.reads).some((read) => waitOf(read) > 0);

/** Of the first screen, which says until when it holds. */
const isOutdated = () => {
  const { home } = state.reads;
  const next = home?.value?.parts.next;
  const asked = Math.max(home?.at ?? 0, home?.failedAt ?? 0);
  return Boolean(next?.data && minutesUntil(next.data.valid_until) <= 0 && Date.now() - asked > HIDDEN_MS);
};

let hiddenAt = 0;
const refreshHome = () => state.route.view === 'today' && openView({ hasFocus: false });
document.addEventListener('visibilitychange', () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > HIDDEN_MS) refreshHome();
});
addEventListener('pageshow', ({ persisted }) => persisted && !keptLogin() && state.token && location.reload());

let seconds = 0;
setInterval(() => {
  seconds += 1;
  if (isIdle()) logOut({ notice: 'out.idle' });
  if (document.hidden) return;
  if (isOutdated()) refreshHome();
  if (isWaiting() || seconds % 20 === 0) change();
}, 1000);

addEventListener('hashchange', () => {
  const route = parseRoute();
  const guard = opened[state.route.view] && opened[state.route.view].mayLeave;
  if (route.view !== state.route.view && guard && !guard(() => (location.hash = `#${route.view}`))) {
    history.replaceState(null, '', `#${state.route.view}`);
    return;
  }
  change({ route, said: '', dialog: null });
  queueMicrotask(openView);
});

const start = async () => {
  await load('campus', 'GET /campus');
  const { campus } = state.reads;
  if (!campus?.value) return;
  change({ campus: campus.value });
  openView({ hasFocus: false });
};

configureApi({
  onLoggedOut: (failure) => {
    tabs.postMessage({ left: who });
    leave(() => `${t('out.ended')} ${wordsOf(failure)}`);
  },
});
configureSignIn({
  mayStay: true,
  onDone: async ({ token, pair, stays }) => {
    if (token) return enter({ token, userid: pair.userid, stays });
    // A step was passed, or none is wanted any more: what failed for it is read again.
    for (const [key, read] of Object.entries(state.reads)) if (read.failure) delete state.reads[key];
    say(t('person.done'));
    openView({ hasFocus: false });
  },
});
onPersonNeeded(renew);
Object.assign(state, { logOut });

const begin = async () => {
  page.dataset.started = '';
  await useLanguage(localStorage.getItem(LANGUAGE) || state.language);
  const notice = sessionStorage.getItem('campus-notice');
  sessionStorage.removeItem('campus-notice');
  if (notice) change({ notice: () => t(notice) });
  const kept = keptLogin();
  if (kept) {
    who = kept.userid;
    isStaying = kept.stays;
    touchedAt = keptTouch() || Date.now();
    setToken(kept.token);
    if (isIdle()) return logOut({ notice: 'out.idle' });
  }
  change({ route: parseRoute() });
  onChange(draw);
  await start();
};

begin();
