import { call } from '../api.js';
import { ring } from '../charts.js';
import { moment } from '../dates.js';
import { html } from '../htm.js';
import { forget, form, load, offers, say, setForm, state, t } from '../store.js';
import { badge, button, empty, field, heading, openDialog, part, refreshButton } from '../ui.js';

/** Lists, each with what it is read by. Those beside the joined ones are read when they are chosen. */
const lists = {
  joined: ['laborClub.joinedActivities', 'GET /ldjlb/labor/joined/activities'],
  clubs: ['laborClub.joinedClubs', 'GET /ldjlb/labor/joined/clubs'],
  directory: ['laborClub.directory', 'GET /ldjlb/labor/clubs'],
  applications: ['laborClub.clubApplications', 'GET /ldjlb/labor/club/applications'],
};
const offeredLists = () => Object.keys(lists).filter((name) => offers(lists[name][0]));
const chosen = () => form('labor').list ?? offeredLists()[0];
const queryOf = (name) =>
  name === 'directory' ? { page_size: 30, page_index: form('labor').page ?? 1, ...wordOf() } : {};
const wordOf = () => (form('labor').keyword ? { keyword: form('labor').keyword } : {});
const keyOf = (name) => `labor ${name} ${Object.values(queryOf(name)).join(' ')}`.trim();

export const open = ({ isRefresh = false } = {}) => {
  if (offers('laborClub.finishedCount')) load('progress', 'GET /ldjlb/labor/progress', { isRefresh });
  const name = chosen();
  if (name) load(keyOf(name), lists[name][1], { query: queryOf(name), isRefresh });
};
const again = () => open({ isRefresh: true });
const choose = (values) => {
  setForm('labor', values);
  open();
};

/** The campus counts an activity as a tenth where it states no share. */
const progress = ({ finish_count: count, progress_percentage: percent }) =>
  ring(t('labor.ring', { count, percent }), percent / 100, count, t('labor.progress', { count, percent }));

/** An answer of the campus with its own code: it was asked, and said no. */
const refusedBy = ({ data, message }) => {
  if (!data || data.code === 0) return null;
  return { code: 'REFUSED', message: data.msg || message, details: [] };
};

/** Sent once. Where the answer is lost the outcome is unknown, so the list is read and nothing is repeated. */
const write = (operation, options, done) => async (values) => {
  const answer = await call(operation, options(values));
  const refused = answer.failure || refusedBy(answer);
  for (const name of offeredLists()) forget(keyOf(name));
  open();
  if (!refused) say(t(done));
  return refused;
};

const askSignUp = ({ ID: id, Title: title, StartTime: from }) =>
  openDialog({
    title: t('labor.signUp'),
    text: t('labor.signUpAbout', { title, time: moment(from, state.language) }),
    run: write(
      'POST /ldjlb/labor/activity/{activity_id}/apply',
      () => ({ params: { activity_id: id } }),
      'labor.signedUp',
    ),
  });

const askJoin = ({ ID: id, Name: name }) =>
  openDialog({
    title: t('labor.join'),
    text: t('labor.joinAbout', { name }),
    body: () => field('reason', t('labor.reason'), { required: true, maxlength: 200, autocomplete: 'off' }),
    run: write(
      'POST /ldjlb/labor/club/{club_id}/apply',
      (values) => ({ params: { club_id: id }, body: { reason: values.get('reason') } }),
      'labor.applied',
    ),
  });

const toggle = (key, operation, params) => {
  const isOpen = form('labor').open === key;
  setForm('labor', { open: isOpen ? '' : key });
  if (!isOpen) load(key, operation, { params });
};

const signList = ({ data }) =>
  data.length === 0
    ? html`<p class="small">${t('labor.noSigns')}</p>`
    : html`<ul class="rows">${data.map(
        (item) => html`<li><span class="what"><b>${item.TypeName}</b>
      <small>${moment(item.StartTime, state.language)} – ${moment(item.EndTime, state.language)}</small></span>
      ${badge(item.IsSign ? t('labor.signed', { time: item.SignTime.slice(5, 16) }) : t('labor.unsigned'), item.IsSign ? 'good' : '')}</li>`,
      )}</ul>`;

const span = (item) => `${moment(item.StartTime, state.language)} – ${moment(item.EndTime, state.language)}`;

const canSignUp = ({ State: code, IsJson: isJoined, IsClose: isClosed }) =>
  code === 2 && !isJoined && !isClosed && offers('laborClub.signUp');

const activity = (item) => {
  const key = `signs ${item.ID}`;
  const show = () => toggle(key, 'GET /ldjlb/labor/{activity_id}/sign_list', { activity_id: item.ID });
  return html`<li key=${item.ID}><span class="what"><b>${item.Title}</b>
      <small>${[item.ClubName, span(item)].filter(Boolean).join(' · ')}</small>
      <small>${[t('labor.places', { taken: item.MemberNum, all: item.PeopleNum }), item.ChargeUserName].filter(Boolean).join(' · ')}</small></span>
    ${badge(item.StateName, item.State === 5 || item.State === 2 ? 'good' : '')}
    ${canSignUp(item) && button(t('labor.signUp'), () => askSignUp(item), { look: 'main', label: `${t('labor.signUp')}: ${item.Title}` })}
    ${item.IsJson && offers('laborClub.signItems') && button(t('labor.signs'), show, { label: `${t('labor.signs')}: ${item.Title}` })}
    ${form('labor').open === key && html`<div class="inner">${part(state.reads[key], show, signList)}</div>`}</li>`;
};

const activities = ({ data }) =>
  data.length === 0 ? empty('labor', t('labor.noActivities')) : html`<ul class="rows">${data.map(activity)}</ul>`;

const club = (item) => {
  const key = `club ${item.ID}`;
  const show = () => toggle(key, 'GET /ldjlb/labor/club/{club_id}/activities', { club_id: item.ID });
  const mayJoin = item.IsJoin === false && item.IsEnable && offers('laborClub.joinClub');
  return html`<li key=${item.ID}><span class="what"><b>${item.Name}</b>
      <small>${[item.TypeName, t('labor.members', { taken: item.MemberNum, all: item.PeopleNum }), item.DpeartName].filter(Boolean).join(' · ')}</small></span>
    ${item.IsJoin && badge(t('labor.member'), 'good')}
    ${item.IsJoin === false && !item.IsEnable && badge(t('labor.closed'))}
    ${mayJoin && button(t('labor.join'), () => askJoin(item), { label: `${t('labor.join')}: ${item.Name}` })}
    ${item.IsJoin !== false && offers('laborClub.clubActivities') && button(t('labor.activities'), show, { label: `${t('labor.activities')}: ${item.Name}` })}
    ${form('labor').open === key && html`<div class="inner">${part(state.reads[key], show, activities)}</div>`}</li>`;
};

const clubs = ({ data }) =>
  data.length === 0 ? empty('labor', t('labor.noClubs')) : html`<ul class="rows">${data.map(club)}</ul>`;

const search = (event) => {
  event.preventDefault();
  choose({ keyword: new FormData(event.target).get('keyword').trim(), page: 1 });
};

const directory = (value) => {
  const { TotalItemCount: all, PageSize: size, CurrentPageIndex: page } = value.pageInfo;
  const pages = Math.max(Math.ceil(all / size), 1);
  return html`${clubs(value)}${
    pages > 1 &&
    html`<div class="stepper">
    ${button(t('labor.before'), () => choose({ page: page - 1 }), { isDisabled: page <= 1 })}
    <span>${page} / ${pages}</span>
    ${button(t('labor.after'), () => choose({ page: page + 1 }), { isDisabled: page >= pages })}</div>`
  }`;
};

const looks = { approved: 'good', rejected: 'warn', pending: '' };
const applications = ({ data }) =>
  data.length === 0
    ? empty('labor', t('labor.noApplications'))
    : html`<ul class="rows">${data.map(
        (item) => html`<li key=${item.ID}><span class="what"><b>${item.ClubName}</b>
      <small>${[item.AddTime && moment(item.AddTime, state.language), item.Reason].filter(Boolean).join(' · ')}</small>
      ${(item.ReplyComment || item.StateName) && html`<small>${item.ReplyComment || item.StateName}</small>`}</span>
      ${badge(t(`labor.${item.status}`), looks[item.status])}</li>`,
      )}</ul>`;

const draw = { joined: activities, clubs, directory, applications };

export const view = () => {
  const name = chosen();
  return html`${heading(t('view.labor'), refreshButton(state.reads[keyOf(name)], again))}
    ${offers('laborClub.finishedCount') && html`<section class="card">${part(state.reads.progress, again, progress)}</section>`}
    <div class="segments" role="group" aria-label=${t('labor.lists')}>${offeredLists().map(
      (each) => html`
      <button type="button" aria-pressed=${each === name ? 'true' : 'false'} onClick=${() => choose({ list: each, open: '' })}>${t(`labor.${each}`)}</button>`,
    )}</div>
    ${
      name === 'directory' &&
      html`<form class="inline" role="search" onSubmit=${search}>${field('keyword', t('labor.keyword'), { maxlength: 50, autocomplete: 'off' })}
      <button type="submit">${t('labor.search')}</button></form>`
    }
    ${name && html`<section class="card">${part(state.reads[keyOf(name)], again, draw[name])}</section>`}`;
};
