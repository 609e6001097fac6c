import { expect } from 'vitest';

export const unreadable = expect.objectContaining({ kind: 'upstream-unreadable', system: 'electricity' });

/** The pages and literals of the electricity site as a live session shows them. */

export const balanceItem = (title: string, value: string): string =>
  `<li class="item-content"><div class="item-inner">
    <div class="item-title">${title}</div><div class="item-after">${value}</div></div></li>`;

export const recordItem = (time: string, amount: string, label?: string): string =>
  `<li><div class="item-content"><div class="item-inner">
    <div class="item-title-row"><div class="item-title">${time}</div><div class="item-after">${amount}</div></div>
    ${label === undefined ? '' : `<div class="item-subtitle">${label}</div>`}</div></div></li>`;

const usual = [balanceItem('剩余购电', '120.35度'), balanceItem('剩余补助', '36.80度')].join('\n');

export const recordPage = ({ balance = usual, records = '' } = {}): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>记录</title></head><body>
<div class="list-block"><ul>
  ${balance}
</ul></div>
<div id="divRecord" class="list-block media-list"><ul>
  ${records}
</ul></div></body></html>`;

export const pickerPage = (
  values = '["", "02", "01", "11"]',
  names = '["请选择", "松园2号", "松园1号", "竹园11号"]',
): string =>
  `<!DOCTYPE html><html><head><title>房间绑定</title><script>var other = { values: ["9"] };</script></head><body>
<input type="text" id="pickerBuilding" readonly placeholder="请选择">
<script type="text/javascript">
  var pickerBuilding = myApp.picker({
    input: '#pickerBuilding', cols: [{ textAlign: 'center',
      values: ${values},
      displayValues: ${names} }]
  });
</script></body></html>`;
