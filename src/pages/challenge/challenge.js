import { call, configureApi } from '../app/api.js';
import { html, render } from '../app/htm.js';
import { configureSignIn, isBusy, isCounting, signInProblem, signInTitle, signInView } from '../app/sign-in.js';
import { change, keepLogin, onChange, state, t } from '../app/store.js';
import { button, heading } from '../app/ui.js';
import { words } from './words.js';

/**
 * For a student whose app cannot show what the campus asks: the sign-in, then the way back to the app. The page keeps
 * nothing unless the student goes on with it.
 */

/** `{registers, pair, token}` once the sign-in is over; the token is kept where the session at the campus depends on it. */
let done = null;

/** Ends the token that it was given: left behind, it would throw the app's own out as the oldest of five. */
const finish = async ({ token, pair, registers }) => {
  done = { registers, pair, token };
  change({ signIn: null });
  queueMicrotask(() => document.getElementById('title').focus());
  const { data } = await call('GET /auth/sessions', { token });
  if (!(data?.sessions.length > 1)) return;
  done = { ...done, token: '' };
  await call('POST /auth/logout', { token });
};

/** The session is live, so that the same passwords are answered at once with a token for this page. */
const usePage = async () => {
  const { pair } = done;
  const token = done.token || (await call('POST /auth/login/next', { body: pair, token: '' })).data?.token;
  if (token) keepLogin({ token, userid: pair.userid, stays: false });
  location.assign('app/');
};

const doneView = () => html`<section class="sign-in">
  ${heading(t('sign.doneTitle'))}
  <p>${t(done.registers ? 'sign.doneRegister' : 'sign.done')}</p>
  ${'pages' in document.documentElement.dataset && button(t('sign.usePage'), usePage)}
</section>`;

const useLanguage = (language) => {
  configureApi({ language });
  change({ language, words: words[language] });
};

onChange(() => {
  document.documentElement.lang = state.language === 'zh' ? 'zh-CN' : 'en';
  const title = done ? t('sign.doneTitle') : signInTitle();
  document.title = [signInProblem(), title, 'Campus Gateway'].filter(Boolean).join(' · ');
  render(
    html`<header class="bar"><span class="brand">${t('brand')}</span>
      ${button(t('other'), () => useLanguage(state.language === 'zh' ? 'en' : 'zh'), { id: 'language', look: 'plain' })}</header>
      <main aria-busy=${isBusy() ? 'true' : undefined}>${done ? doneView() : signInView()}</main>`,
    document.getElementById('app'),
  );
});
configureSignIn({ onDone: finish, intro: 'sign.introApp' });
setInterval(() => isCounting() && change(), 1_000);
useLanguage(state.language);
call('GET /campus').then(({ data }) => data && change({ campus: data }));
