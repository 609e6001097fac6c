import { call, exportAll } from '../api.js';
import { moment } from '../dates.js';
import { html } from '../htm.js';
import { change, forget, load, say, state, t, told } from '../store.js';
import { badge, button, choice, field, heading, openDialog, part, refreshButton } from '../ui.js';

/** What can be listed and ended: how it is read, its rows, and how one of them ends. */
const lists = {
  sessions: { read: 'GET /auth/sessions', end: 'DELETE /auth/sessions/{id}' },
  tokens: { read: 'GET /auth/tokens', end: 'DELETE /auth/tokens/{id}' },
  hooks: { read: 'GET /events/hooks', end: 'DELETE /events/hooks/{id}' },
};

export const open = ({ isRefresh = false } = {}) => {
  for (const name of Object.keys(lists)) load(name, lists[name].read, { isRefresh });
  load('profile', 'GET /profile/user/get', { isRefresh });
  load('theme', 'GET /profile/client/get', { isRefresh });
};
const again = () => open({ isRefresh: true });

const askEnd = (name, { id }, title) =>
  openDialog({
    title: t('account.end'),
    text: t(`account.${name}.end`, { title }),
    isGrave: true,
    run: async () => {
      const { failure } = await call(lists[name].end, { params: { id } });
      forget(name);
      open();
      return failure;
    },
  });

const endButton = (name, each, title) =>
  button(t('account.end'), () => askEnd(name, each, title), { label: `${t('account.end')}: ${title}` });
const used = (at) => t('account.used', { at: moment(at, state.language) });

const rowOf = {
  sessions: (each) => html`<li key=${each.id}><span class="what"><b>${each.client ?? t('account.unknown')}</b>
    <small>${[used(each.last_used_at), each.network].filter(Boolean).join(' · ')}</small></span>
    ${each.current ? badge(t('account.current'), 'good') : endButton('sessions', each, each.client ?? t('account.unknown'))}</li>`,
  tokens: (each) => html`<li key=${each.id}><span class="what"><b>${each.name}</b>
    <small>${each.scopes.join(', ')}</small><small>${[used(each.last_used_at), t('account.until', { at: moment(each.expires_at, state.language) })].join(' · ')}</small></span>
    ${endButton('tokens', each, each.name)}</li>`,
  hooks: (each) => html`<li key=${each.id}><span class="what"><b>${each.url}</b>
    <small>${each.types.join(', ')}</small></span>${badge(t(`account.state.${each.state}`), each.state === 'on' ? 'good' : 'warn')}
    ${endButton('hooks', each, each.url)}</li>`,
};

const listCard = (name) => html`<section class="card"><h2>${t(`account.${name}`)}</h2>
  ${part(state.reads[name], again, (value) => {
    const rows = value[name];
    return rows.length === 0
      ? html`<p class="small">${t(`account.${name}.none`)}</p>`
      : html`<ul class="rows">${rows.map(rowOf[name])}</ul>`;
  })}</section>`;

/** A student who has never set one has none: the form is empty then. */
const isUnset = (read) => read?.failure?.code === 'PROFILE_NOT_FOUND';
const formPart = (name, draw) => (isUnset(state.reads[name]) ? draw(null) : part(state.reads[name], again, draw));

const saveTo = (name, operation, bodyOf) => async (event) => {
  event.preventDefault();
  const { data, failure } = await call(operation, { body: bodyOf(new FormData(event.target)) });
  change({
    reads: { ...state.reads, [name]: failure ? { ...state.reads[name], problem: failure } : { value: data, at: 0 } },
  });
  say(failure ? '' : t('saved'));
};

/** Of a 422: what is wrong with a field. */
const wrongAt = (name, member) => state.reads[name]?.problem?.details.find(({ loc }) => loc[1] === member)?.msg;
const problemOf = (name) => {
  const problem = state.reads[name]?.problem;
  return problem && problem.details.length === 0 && html`<p class="wrong" role="alert">${told(problem)}</p>`;
};

const profile = (
  value,
) => html`<form class="narrow" onSubmit=${saveTo('profile', 'PUT /profile/user/update', (form) => ({ nickname: form.get('nickname'), slogan: form.get('slogan') }))}>
  ${value?.avatar_url && new URL(value.avatar_url, document.baseURI).origin === location.origin && html`<img class="avatar" src=${value.avatar_url} alt=${t('account.avatar')} />`}
  ${field('nickname', t('account.nickname'), { maxlength: 50, defaultValue: value?.nickname ?? '', autocomplete: 'nickname', wrong: wrongAt('profile', 'nickname') })}
  ${field('slogan', t('account.slogan'), { maxlength: 100, defaultValue: value?.slogan ?? '', autocomplete: 'off', wrong: wrongAt('profile', 'slogan') })}
  ${problemOf('profile')}<button type="submit">${t('save')}</button></form>`;

const numbers = {
  light_mode_opacity: 1,
  light_mode_brightness: 1,
  light_mode_blur: 100,
  dark_mode_opacity: 1,
  dark_mode_brightness: 1,
  dark_mode_background_blur: 100,
};
const themeOf = (form) => ({
  dark_mode: form.get('dark_mode') === 'on',
  ...Object.fromEntries(
    Object.keys(numbers)
      .filter((name) => form.get(name) !== '')
      .map((name) => [name, Number(form.get(name))]),
  ),
});
const theme = (value) => html`<form class="narrow" onSubmit=${saveTo('theme', 'PUT /profile/client/update', themeOf)}>
  ${choice('dark_mode', t('account.dark_mode'), { defaultChecked: value?.dark_mode ?? false })}
  ${Object.entries(numbers).map(([name, max]) => field(name, t(`account.${name}`), { type: 'number', min: 0, max, step: max === 1 ? 0.05 : 1, defaultValue: value?.[name] ?? '', wrong: wrongAt('theme', name) }))}
  ${problemOf('theme')}<button type="submit">${t('save')}</button></form>`;

const askExport = () =>
  openDialog({
    title: t('account.export'),
    text: t('account.exportAbout'),
    run: async () => {
      const { file, failure } = await exportAll();
      if (failure) return failure;
      const url = URL.createObjectURL(file);
      Object.assign(document.createElement('a'), { href: url, download: 'campus.json' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
  });

const askAll = () =>
  openDialog({
    title: t('account.logoutAll'),
    text: t('account.logoutAllAbout'),
    isGrave: true,
    run: async () => {
      const { failure } = await call('POST /auth/logout/all', { body: {} });
      if (!failure) await state.logOut({ isEnded: true });
      return failure;
    },
  });

const secret = (name, label) =>
  field(name, label, { type: 'password', autocomplete: 'off', required: true, id: `erase-${name}` });
const askErasure = () =>
  openDialog({
    title: t('account.erase'),
    text: t('account.eraseAbout'),
    isGrave: true,
    body: () => html`${secret('password', t('sign.password'))}
      ${state.campus.login.fields.some(({ name }) => name === 'vpn_password') && secret('vpn_password', t('sign.vpn'))}`,
    run: async (form) => {
      const { failure } = await call('POST /auth/account/delete', { body: Object.fromEntries(form) });
      if (!failure) await state.logOut({ isEnded: true, notice: 'out.erased' });
      return failure;
    },
  });

export const view = () => html`${heading(t('view.account'), refreshButton(state.reads.sessions, again))}
  ${listCard('sessions')}${listCard('tokens')}${listCard('hooks')}
  <section class="card"><h2>${t('account.profile')}</h2>${formPart('profile', profile)}</section>
  <details class="card"><summary><h2>${t('account.theme')}</h2></summary><p class="small">${t('account.themeAbout')}</p>${formPart('theme', theme)}</details>
  <section class="card"><h2>${t('account.data')}</h2><p>${t('account.dataAbout')} <a href="../privacy">${t('account.privacy')}</a></p>
    <div class="actions">${button(t('account.export'), askExport)}${button(t('account.logoutAll'), askAll)}${button(t('account.erase'), askErasure, { look: 'grave' })}</div></section>`;
