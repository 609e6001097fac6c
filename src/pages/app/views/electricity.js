import { call } from '../api.js';
import { curve } from '../charts.js';
import { moment, shortDate } from '../dates.js';
import { html } from '../htm.js';
import { forget, form, load, offers, say, setForm, state, t, told } from '../store.js';
import { button, empty, heading, part, refreshButton, select, stat, stats } from '../ui.js';

const isUnbound = () => {
  const { meter } = state.reads;
  return Boolean(meter?.failure && meter.failure.code === 'UNBOUND_ROOM');
};

export const open = async ({ isRefresh = false } = {}) => {
  await load('meter', 'GET /isim/elec/info', { isRefresh });
  if (isUnbound() || form('room').isOpen) openRooms();
};
const again = () => open({ isRefresh: true });

const openRooms = () => {
  if (offers('electricity.readRooms')) load('buildings', 'GET /isim/room/list/buildings');
};

const chooseBuilding = (building) => {
  setForm('room', { building, floor: '', room: '' });
  if (building)
    load(`building ${building}`, 'GET /isim/room/list/building/{building_code}', {
      params: { building_code: building },
    });
};

const bind = async (event) => {
  event.preventDefault();
  const { room } = form('room');
  if (!room) return setForm('room', { problem: t('electricity.choose') });
  const { failure } = await call('POST /isim/room/bind', { body: { room_id: room } });
  if (failure) return setForm('room', { problem: told(failure) });
  state.forms.room = {};
  forget('meter', 'home');
  say(t('electricity.bound'));
  open();
};

const named = (list) => [['', t('electricity.pick')], ...list.map(({ code, name }) => [code, name])];

const rooms = (buildings) => {
  const { building = '', floor = '', room = '', problem } = form('room');
  const read = state.reads[`building ${building}`];
  const floors = read?.value?.data[0]?.floors || [];
  const chosen = floors.find(({ code }) => code === floor);
  return html`<form class="narrow" onSubmit=${bind}>
    ${select('building', t('electricity.building'), building, named(buildings), chooseBuilding)}
    ${
      building &&
      part(
        read,
        () => chooseBuilding(building),
        () => html`
      ${select('floor', t('electricity.floor'), floor, named(floors), (code) => setForm('room', { floor: code, room: '' }))}
      ${chosen && select('room', t('electricity.room'), room, named(chosen.rooms), (code) => setForm('room', { room: code, problem: '' }))}`,
      )
    }
    ${problem && html`<p class="wrong" role="alert">${problem}</p>`}
    <div class="actions"><button type="submit" class="main" disabled=${!room}>${t('electricity.bind')}</button>
      ${!isUnbound() && button(t('cancel'), () => setForm('room', { isOpen: false }))}</div>
  </form>`;
};

const roomForm = () => html`<section class="card"><h2>${t('electricity.yourRoom')}</h2>
  <p>${t('electricity.bindAbout')}</p>
  ${
    offers('electricity.readRooms')
      ? part(state.reads.buildings, openRooms, ({ buildings }) => rooms(buildings))
      : html`<p class="wrong">${t('failed.offered')}</p>`
  }</section>`;

/** Newest first, as the campus lists them; a curve goes the other way. */
const curveOf = (meter, records) => {
  const own = records.filter(({ meter_name: name }) => name === meter).reverse();
  const total = own.reduce((sum, { usage_amount: amount }) => sum + amount, 0);
  const label = t('electricity.curve', {
    meter,
    from: shortDate(own[0].record_time, state.language),
    to: shortDate(own[own.length - 1].record_time, state.language),
    total: total.toFixed(1),
  });
  return curve(
    label,
    own.map(({ record_time: at, usage_amount: amount }) => [shortDate(at, state.language), amount]),
    {
      caption: t('electricity.sum', { total: total.toFixed(1), count: own.length }),
      numbers: t('numbers'),
      headers: [t('electricity.time'), 'kWh'],
      rows: own.map(({ record_time: at, usage_amount: amount }) => [moment(at, state.language), amount]).reverse(),
    },
  );
};

const filled = ({ room_display: room, balance, usage_records: usage, payments }) => {
  const { remaining_purchased: bought, remaining_subsidy: subsidy } = balance;
  const meters = [...new Set(usage.map(({ meter_name: name }) => name))];
  const meter = meters.includes(form('meter').name) ? form('meter').name : meters[0];
  return html`
    <section class="card"><h2>${room}</h2>
      ${stats(stat(t('electricity.bought'), bought, ' kWh'), stat(t('electricity.subsidy'), subsidy, ' kWh'))}
      ${button(t('electricity.other'), () => {
        setForm('room', { isOpen: true });
        openRooms();
      })}
    </section>
    <section class="card"><h2>${t('electricity.usage')}</h2>
      ${
        meters.length > 1 &&
        select(
          'meter',
          t('electricity.meter'),
          meter,
          meters.map((name) => [name, name]),
          (name) => setForm('meter', { name }),
        )
      }
      ${usage.length === 0 ? empty('electricity', t('electricity.noUsage')) : curveOf(meter, usage)}
    </section>
    <section class="card"><h2>${t('electricity.payments')}</h2>
      ${
        payments.length === 0
          ? html`<p class="small">${t('electricity.noPayments')}</p>`
          : html`<ul class="rows">${payments.map(
              ({ payment_time: at, amount, payment_type: type }) => html`<li>
          <span class="what"><b>${type}</b><small>${moment(at, state.language)}</small></span><span class="mark">${amount}</span></li>`,
            )}</ul>`
      }
    </section>`;
};

export const view = () => html`
  ${heading(t('view.electricity'), refreshButton(state.reads.meter, again))}
  ${isUnbound() || form('room').isOpen ? roomForm() : part(state.reads.meter, again, filled)}`;
