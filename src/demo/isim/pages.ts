import { type DemoReply, escapeHtml, page, reply } from '../exchange.ts';
import { type DemoRoom, DORMITORIES } from '../records/dormitories.ts';
import type { MeterRow, RoomRecords } from '../records/meters.ts';

const PLACEHOLDER = '请选择';

export const errorContent = '<div class="content-block">会话已过期，请重新进入</div>';

const listText = (items: readonly string[]): string => `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;

export const bindingPage = (): DemoReply =>
  page(
    '房间绑定',
    `<div class="list-block"><ul><li><div class="item-content"><div class="item-input">
  <input type="text" id="pickerBuilding" readonly placeholder="${PLACEHOLDER}"></div></div></li></ul></div>
<script type="text/javascript">
  var pickerBuilding = myApp.picker({
    input: '#pickerBuilding', cols: [{ textAlign: 'center',
      values: ${listText(['', ...DORMITORIES.map(({ code }) => code)])},
      displayValues: ${listText([PLACEHOLDER, ...DORMITORIES.map(({ name }) => name)])} }]
  });
</script>`,
  );

/** Script literals keep their keys bare; the switch makes strict JSON of them. */
const literal = (members: Readonly<Record<string, unknown>>, strict: boolean): string => {
  const inner = Object.entries(members)
    .map(([key, value]) => `${strict ? JSON.stringify(key) : key}:${JSON.stringify(value)}`)
    .join(',');
  return `[{${inner}}]`;
};

const SCRIPT_TYPE = 'text/plain;charset=UTF-8';

/** An unknown code offers nothing, not even the placeholder. */
export const pickerAnswer = (
  entries: readonly DemoRoom[] | undefined,
  keys: readonly [codes: string, names: string],
  strict: boolean,
): DemoReply => {
  if (entries === undefined) return reply(200, SCRIPT_TYPE, '[]');
  const lists = {
    [keys[0]]: ['', ...entries.map(({ code }) => code)],
    [keys[1]]: [PLACEHOLDER, ...entries.map(({ name }) => name)],
  };
  return reply(200, SCRIPT_TYPE, literal(lists, strict));
};

/** The text of the bound room; empty when it could not be bound. */
export const bindingAnswer = (bindinginfo: string, strict: boolean): DemoReply =>
  reply(200, SCRIPT_TYPE, literal({ bindinginfo }, strict));

const balanceRow = (title: string, value: string): string => `  <li class="item-content"><div class="item-inner">
    <div class="item-title">${title}</div><div class="item-after">${value}</div></div></li>`;

const recordRow = ({ time, amount, label }: MeterRow): string =>
  `  <li><div class="item-content"><div class="item-inner">
    <div class="item-title-row"><div class="item-title">${time}</div><div class="item-after">${amount}</div></div>
    <div class="item-subtitle">${escapeHtml(label)}</div></div></div></li>`;

/** A record page; without a bound room it has neither balance nor rows. */
export const recordPage = (title: string, records: RoomRecords | null, rows: readonly MeterRow[]): DemoReply => {
  const balance =
    records === null ? [] : [balanceRow('剩余购电', records.purchased), balanceRow('剩余补助', records.subsidy)];
  return page(
    title,
    `<div class="list-block"><ul>
${balance.join('\n')}
</ul></div>
<div id="divRecord" class="list-block media-list"><ul>
${rows.map(recordRow).join('\n')}
</ul></div>`,
  );
};
