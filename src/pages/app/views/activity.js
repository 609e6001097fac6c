import { moment } from '../dates.js';
import { html } from '../htm.js';
import { load, offers, state, t } from '../store.js';
import { badge, empty, heading, part, refreshButton } from '../ui.js';

export const open = ({ isRefresh = false } = {}) => {
  if (offers('activityScore.total')) load('total', 'GET /aac/credit/info', { isRefresh });
  if (offers('activityScore.categories')) load('categories', 'GET /aac/credit/list', { isRefresh });
};
const again = () => open({ isRefresh: true });

const total = ({ TotalScore: score, IsTypeAdopt: isAdopted, TypeAdoptResult: result }) => html`
  <p class="big">${score}</p>
  <p>${badge(t(isAdopted ? 'activity.adopted' : 'activity.notAdopted'), isAdopted ? 'good' : 'warn')} ${result}</p>`;

const category = ({ ID: id, TypeName: name, TotalScore: score, children }) => html`<details class="card" key=${id}>
  <summary><h2>${name}</h2><span class="mark">${score}</span></summary>
  ${
    children.length === 0
      ? html`<p class="small">${t('activity.noItems')}</p>`
      : html`<ul class="rows">${children.map(
          (item) => html`<li>
      <span class="what"><b>${item.Title}</b><small>${[item.TypeName, item.AddTime && moment(item.AddTime, state.language)].filter(Boolean).join(' · ')}</small></span>
      <span class="mark">${item.Score}</span></li>`,
        )}</ul>`
  }
</details>`;

const categories = (list) => (list.length === 0 ? empty('activity', t('activity.none')) : list.map(category));

export const view = () => html`
  ${heading(t('view.activity'), refreshButton(state.reads.total || state.reads.categories, again))}
  ${offers('activityScore.total') && html`<section class="card"><h2>${t('activity.total')}</h2>${part(state.reads.total, again, total)}</section>`}
  ${offers('activityScore.categories') && part(state.reads.categories, again, categories)}`;
