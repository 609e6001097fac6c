import { call } from './api.js';
import { html } from './htm.js';
import { change, state, t, told } from './store.js';
import { button, choice, field, heading } from './ui.js';

/**
 * Signing in, registering, and what the campus wants of a person on the way: on the page of a challenge, on the page for
 * students, and in the middle of it, when a session has to be renewed. Keeps no password: fields are read when they are sent.
 */

/** `onDone({token, pair, stays, registers})` is told when it is over; the token of a renewal is null. `mayStay`: offers to keep it. */
const settings = { onDone: async () => {}, mayStay: false, intro: 'sign.intro', title: 'sign.title' };
export const configureSignIn = (values) => Object.assign(settings, values);

const initial = {
  view: 'login',
  registers: false,
  isRenewal: false,
  challenge: null,
  resendAt: 0,
  /** Functions, so that they follow the language. */
  problem: null,
  status: null,
  wrong: '',
  isWorking: false,
};
const now = () => state.signIn || initial;
const element = (id) => document.getElementById(id);

/** The field that is wrong is named to those who listen, and has the focus. */
const show = (values) => {
  const before = now();
  const after = { ...before, problem: null, status: null, wrong: '', ...values };
  change({ signIn: after });
  const target = after.wrong || (after.view === before.view ? '' : 'title');
  if (target) queueMicrotask(() => element(target)?.focus());
};

/** Nothing has been sent where one of several phones has to be chosen first. */
const hasToChoose = ({ targets, sent }) => targets.length > 1 && sent !== 'yes';

const enterChallenge = (challenge, values = {}) => {
  if (element('answer')) element('answer').value = '';
  show({ view: 'challenge', challenge, resendAt: Date.now() + challenge.resend_after * 1000, ...values });
  if (values.problem) return;
  queueMicrotask(() => {
    const first = hasToChoose(challenge) ? document.querySelector('input[name=target]') : element('answer');
    if (first) first.focus();
  });
};

/** Of the login whose challenge is answered; forgotten as soon as it is over. */
let pending = { pair: null, stays: false };

const finish = async (token) => {
  const { pair, stays } = pending;
  const { registers, isRenewal } = now();
  pending = { pair: null, stays: false };
  if (isRenewal) change({ signIn: null });
  await settings.onDone({ token, pair, stays, registers });
};

const loginFields = () => {
  const { login } = state.campus || { login: { fields: [] } };
  const names = login.fields.map(({ name }) => name);
  return ['userid', 'password', 'vpn_password'].filter((name) => names.length === 0 || names.includes(name));
};

const wrongOf = { EC_PASSWORD_ERROR: 'vpn_password', UAAP_PASSWORD_ERROR: 'password', CREDENTIALS_INVALID: 'userid' };

const logIn = async (event) => {
  const { elements } = event.target;
  const { registers } = now();
  const names = [...loginFields(), ...(registers ? ['invite_code'] : [])];
  const missing = names.find((name) => elements[name].value.trim() === '');
  if (missing) return show({ problem: () => t('sign.missing'), wrong: missing });
  const pair = Object.fromEntries(loginFields().map((name) => [name, elements[name].value]));
  pair.userid = pair.userid.trim();
  pending = { pair, stays: Boolean(elements.stays?.checked) };
  let answer;
  if (registers) {
    const code = elements.invite_code.value.trim();
    const invite = await call('POST /auth/register/invite', { body: { invite_code: code }, token: '' });
    if (invite.failure) return show({ problem: () => told(invite.failure), wrong: 'invite_code' });
    const { invite_token } = invite.data;
    answer = await call('POST /auth/register/next', { body: { ...pair, invite_token }, token: '' });
  } else {
    answer = await call('POST /auth/login/next', { body: pair, token: '' });
  }
  const { failure, data } = answer;
  if (!failure) return finish(data.token);
  if (failure.code === 'LOGIN_CHALLENGE') return enterChallenge(data.challenge);
  show({ problem: () => told(failure), wrong: wrongOf[failure.code] || '' });
};

/** A renewal goes back to what was shown; a login to its form. */
const leave = (problem) => {
  if (now().isRenewal) change({ signIn: null, said: problem() });
  else show({ view: 'login', challenge: null, problem });
};

const params = () => ({ id: now().challenge.id });

/** Of an answer that was lost: nothing is sent again before the challenge was looked at. */
const look = async () => {
  const { data, failure } = await call('GET /auth/challenges/{id}', { params: params() });
  if (!failure) return enterChallenge(data.challenge, { problem: () => t('code.LOST'), wrong: 'answer' });
  leave(() => (failure.code === 'LOST' ? told(failure) : t('sign.lost')));
};

const submitAnswer = async () => {
  const typed = element('answer').value.normalize('NFKC').trim();
  if (typed === '') return show({ problem: () => t('sign.missing'), wrong: 'answer' });
  const { kind, answers_left: left } = now().challenge;
  const { data, failure } = await call('POST /auth/challenges/{id}/answer', {
    params: params(),
    body: { answer: typed },
  });
  if (!failure) return finish(data.token);
  if (failure.code === 'LOGIN_CHALLENGE') {
    const { challenge } = data;
    const isNext = challenge.kind !== kind || challenge.answers_left === left;
    const wrong = { problem: () => t('sign.wrong'), wrong: 'answer' };
    return enterChallenge(challenge, isNext ? { status: () => t('sign.passed') } : wrong);
  }
  if (failure.code === 'LOST') return look();
  if (failure.code === 'NOT_FOUND') return leave(() => t('sign.over'));
  if (failure.status === 422) return show({ problem: () => t('sign.malformed'), wrong: 'answer' });
  if (failure.status === 429 || failure.status === 409) return show({ problem: () => told(failure), wrong: 'answer' });
  leave(() => told(failure));
};

const sendCode = async () => {
  const { targets } = now().challenge;
  const chosen = document.querySelector('input[name=target]:checked');
  if (targets.length > 1 && chosen === null) return show({ problem: () => t('sign.choose'), wrong: 'target-0' });
  const body = targets.length > 1 ? { target: Number(chosen.value) } : {};
  const { data, failure } = await call('POST /auth/challenges/{id}/send', { params: params(), body });
  if (!failure) {
    const { challenge } = data;
    const isSent = challenge.kind === 'sms' && !hasToChoose(challenge);
    return enterChallenge(challenge, isSent ? { status: () => t(`sign.sent.${challenge.sent}`) } : {});
  }
  if (failure.code === 'NOT_FOUND') return leave(() => t('sign.over'));
  if (failure.code === 'LOST') return look();
  show({ problem: () => told(failure) });
};

const giveUp = async () => {
  await call('DELETE /auth/challenges/{id}', { params: params() });
  leave(() => t('sign.cancelled'));
};

/** One thing at a time: what is pressed while the campus is asked does nothing. */
const working = (work) => async (event) => {
  event.preventDefault();
  if (now().isWorking) return;
  show({ isWorking: true, status: () => t('sign.working') });
  const asked = now().status;
  try {
    await work(event);
  } finally {
    const { signIn } = state;
    if (signIn)
      change({ signIn: { ...signIn, isWorking: false, status: signIn.status === asked ? null : signIn.status } });
  }
};

/** Signs in with the stored passwords, while the student is there to answer. */
export const renew = async () => {
  const { data, failure } = await call('POST /auth/challenges');
  const challenge = data?.challenge;
  if (!failure && challenge) {
    change({ signIn: { ...initial, isRenewal: true } });
    return enterChallenge(challenge);
  }
  if (!failure || failure.code === 'CHALLENGE_NEEDLESS') return settings.onDone({ token: null });
  change({ said: told(failure) });
};

const imageTypes = { '/9j/': 'jpeg', R0lG: 'gif' };

const aboutStep = (challenge) => {
  const { kind, sent, still_valid: isValid } = challenge;
  const about = [t(`sign.${kind}`)];
  if (kind === 'elsewhere') about.push(challenge.message);
  if (kind === 'sms') about.push(t(hasToChoose(challenge) ? 'sign.choosePhone' : `sign.sent.${sent}`));
  if (kind === 'sms' && isValid) about.push(t('sign.stillValid'));
  return about.join(state.language === 'zh' ? '' : ' ');
};

const sendLabel = (kind, seconds) => {
  if (kind === 'captcha') return t('sign.newImage');
  return seconds > 0 ? t('sign.sendIn', { seconds }) : t('sign.send');
};

const challengeForm = ({ challenge, resendAt, wrong }) => {
  const { kind, image_png_base64: image, targets, expires_at: until, answers_left: left } = challenge;
  const seconds = Math.ceil((resendAt - Date.now()) / 1000);
  return html`<form id="challenge" class="narrow" novalidate onSubmit=${working(submitAnswer)}>
    ${
      targets.length > 1 &&
      html`<fieldset><legend>${t('sign.sendTo')}</legend>
      ${targets.map(({ index, label }, at) => html`<label class="choice"><input type="radio" id=${`target-${at}`} name="target" value=${index} /><span>${label}</span></label>`)}
    </fieldset>`
    }
    ${image !== null && html`<img src=${`data:image/${imageTypes[image.slice(0, 4)] || 'png'};base64,${image}`} alt=${t('sign.image')} />`}
    ${kind !== 'totp' && kind !== 'elsewhere' && button(sendLabel(kind, seconds), working(sendCode), { id: 'send', isDisabled: kind === 'sms' && seconds > 0 })}
    ${
      kind !== 'elsewhere' &&
      field('answer', t(`sign.${kind}Label`), {
        about: until && t('sign.until', { time: until.slice(11), left }),
        maxlength: 64,
        inputmode: kind === 'captcha' ? 'text' : 'numeric',
        autocomplete: kind === 'captcha' ? 'off' : 'one-time-code',
        autocapitalize: 'off',
        spellcheck: false,
        isWrong: wrong === 'answer',
      })
    }
    <div class="actions">
      ${kind !== 'elsewhere' && html`<button type="submit" class="main">${t('sign.submit')}</button>`}
      ${button(t('cancel'), working(giveUp))}
    </div>
  </form>`;
};

/** What was typed stays there while a step is answered, in case the student has to begin again. */
const loginForm = ({ registers, wrong, view }) => {
  const mark = (name) => ({ isWrong: wrong === name, required: true });
  const plain = { autocapitalize: 'off', spellcheck: false };
  const secret = { type: 'password', autocomplete: registers ? 'off' : 'current-password' };
  return html`<form id="login" class="narrow" novalidate hidden=${view === 'challenge'} onSubmit=${working(logIn)}>
    ${field('userid', t('sign.userid'), { autocomplete: 'username', ...plain, ...mark('userid') })}
    ${field('password', t('sign.password'), { ...secret, ...mark('password') })}
    ${loginFields().includes('vpn_password') && field('vpn_password', t('sign.vpn'), { ...secret, autocomplete: 'off', ...mark('vpn_password') })}
    ${choice('isNew', t('sign.isNew'), { checked: registers, onChange: ({ target }) => show({ registers: target.checked }) })}
    ${registers && field('invite_code', t('sign.invite'), { autocomplete: 'off', ...plain, ...mark('invite_code') })}
    ${settings.mayStay && choice('stays', t('sign.stay'))}
    <button type="submit" class="main wide" id="enter">${t(registers ? 'sign.register' : 'sign.enter')}</button>
  </form>`;
};

export const signInTitle = () => t(now().view === 'challenge' ? 'sign.stepTitle' : settings.title);
export const signInProblem = () => (now().problem ? now().problem() : '');

export const signInView = () => {
  const shown = now();
  const { view, challenge, problem, status } = shown;
  return html`<section class="sign-in" aria-busy=${shown.isWorking ? 'true' : undefined}>
    ${heading(signInTitle())}
    <p>${view === 'challenge' ? aboutStep(challenge) : t(settings.intro)}</p>
    <p id="problem" class="wrong" role="alert">${problem ? problem() : ''}</p>
    <p id="status" class="small" role="status">${status ? status() : ''}</p>
    ${!shown.isRenewal && loginForm(shown)}
    ${view === 'challenge' && challengeForm(shown)}
  </section>`;
};

/** While a person is at a step, its seconds are counted. */
export const isCounting = () => state.signIn !== null && state.signIn.resendAt > Date.now();
export const isBusy = () => now().isWorking;
export const isRenewing = () => state.signIn?.isRenewal;
