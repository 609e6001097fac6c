import { call } from '../api.js';
import { moment } from '../dates.js';
import { html } from '../htm.js';
import { calendars, forget, form, load, say, setForm, state, t, told } from '../store.js';
import { button, choice, empty, field, heading, openDialog, part, refreshButton } from '../ui.js';

export const open = ({ isRefresh = false } = {}) => load('feeds', 'GET /calendar/feeds', { isRefresh });
const again = () => open({ isRefresh: true });

const make = async (event) => {
  event.preventDefault();
  const values = new FormData(event.target);
  const include = calendars.filter((name) => values.get(name));
  if (include.length === 0) return setForm('feed', { failure: null, problem: t('calendar.choose') });
  const minutes = values.get('alarm');
  const body = {
    name: values.get('name').trim() || t('calendar.name'),
    include,
    ...(minutes ? { alarm_minutes: Number(minutes) } : {}),
  };
  setForm('feed', { isWorking: true, failure: null, problem: '' });
  const { data, failure } = await call('POST /calendar/feeds', { body });
  setForm('feed', { isWorking: false, failure, made: data ?? null, qr: '' });
  if (failure) return;
  forget('feeds');
  open();
  say(t('calendar.made'));
  const { generate } = await import('../qr.js');
  setForm('feed', { qr: pathOf(generate(data.url)) });
  document.getElementById('made')?.focus();
};

/** The dark squares as one path. */
const pathOf = (code) => {
  let path = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  return { path, size: code.size };
};

const copy = async (text) => {
  await navigator.clipboard.writeText(text);
  say(t('copied'));
};

const made = ({ url }, qr) => html`<section class="card" id="made" tabindex="-1"><h2>${t('calendar.address')}</h2>
  <p>${t('calendar.once')}</p>
  <p class="secret">${url}</p>
  ${navigator.clipboard && button(t('copy'), () => copy(url))}
  ${qr && html`<svg class="qr" viewBox=${`-4 -4 ${qr.size + 8} ${qr.size + 8}`} role="img" aria-label=${t('calendar.qr')}><rect x="-4" y="-4" width=${qr.size + 8} height=${qr.size + 8} fill="#fff" /><path d=${qr.path} fill="#000" /></svg>`}
  <p class="small">${t('calendar.how')}</p></section>`;

const askEnd = ({ id, name }) =>
  openDialog({
    title: t('calendar.end'),
    text: t('calendar.endAbout', { name }),
    isGrave: true,
    run: async () => {
      const { failure } = await call('DELETE /calendar/feeds/{id}', { params: { id } });
      if (!failure && form('feed').made?.id === id) setForm('feed', { made: null });
      forget('feeds');
      open();
      return failure;
    },
  });

const feeds = ({ feeds: list }) =>
  list.length === 0
    ? empty('calendar', t('calendar.none'))
    : html`<ul class="rows">${list.map(
        (each) => html`<li key=${each.id}><span class="what"><b>${each.name}</b>
      <small>${each.include.map((name) => t(`calendar.${name}`)).join(' · ')}</small>
      <small>${each.last_polled_at ? t('calendar.polled', { at: moment(each.last_polled_at, state.language) }) : t('calendar.unpolled')}</small></span>
      ${button(t('calendar.end'), () => askEnd(each), { label: `${t('calendar.end')}: ${each.name}` })}</li>`,
      )}</ul>`;

export const view = () => {
  const { failure, problem, isWorking, made: feed, qr } = form('feed');
  const wrong = problem || (failure && told(failure));
  return html`${heading(t('view.calendar'), refreshButton(state.reads.feeds, again))}
    <p class="under">${t('calendar.about')}</p>
    ${feed && made(feed, qr)}
    <section class="card"><h2>${t('calendar.make')}</h2><form class="narrow" onSubmit=${make}>
      ${field('name', t('calendar.feedName'), { maxlength: 50, autocomplete: 'off', placeholder: t('calendar.name') })}
      <fieldset><legend>${t('calendar.include')}</legend>${calendars.map((name) => choice(name, t(`calendar.${name}`), { defaultChecked: true }))}</fieldset>
      ${field('alarm', t('calendar.alarm'), { type: 'number', min: 0, max: 1440, inputmode: 'numeric' })}
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <button type="submit" class="main" disabled=${isWorking}>${t('calendar.make')}</button></form></section>
    <section class="card"><h2>${t('calendar.yours')}</h2>${part(state.reads.feeds, again, feeds)}</section>`;
};
