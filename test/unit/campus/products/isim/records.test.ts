import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { isim } from '../../../../../src/campus/products/isim/index.ts';
import {
  parsePaymentPage,
  parseUsagePage,
  recordPageAlive,
} from '../../../../../src/campus/products/isim/parse-records.ts';
import { failureOf } from '../urp/fixtures.ts';
import { balanceItem, recordItem, recordPage, unreadable } from './fixtures.ts';

const balanceOf = (...rows: Array<[string, string]>) =>
  parseUsagePage(recordPage({ balance: rows.map(([title, value]) => balanceItem(title, value)).join('') })).balance;
const amountsOf = (...amounts: string[]) =>
  parsePaymentPage(
    recordPage({ records: amounts.map((amount) => recordItem('t', amount, '类型: x')).join('') }),
  ).payments.map(({ amount }) => amount);

describe('the balance', () => {
  it('is what is left of purchased and subsidised energy', () => {
    expect(parseUsagePage(recordPage()).balance).toEqual({ remaining_purchased: 120.35, remaining_subsidy: 36.8 });
  });

  it.each<[string, number]>([
    ['-3.2度', -3.2],
    ['1,234.5度', 1234.5],
    ['-1,234.56 度', -1234.56],
    ['-0.00度', 0],
    ['.5度', 0.5],
    ['5.度', 5],
    ['约 7 度', 7],
    ['7', 7],
    ['- 3.2度', -3.2],
    ['-&nbsp;3.2度', -3.2],
    ['﹣3.2度', -3.2],
    ['－￥3.2', -3.2],
    ['１，２３４．５度', 1234.5],
    ['①7度', 7],
  ])('%s is %f', (text, expected) => {
    expect(balanceOf(['剩余购电', text])).toEqual({ remaining_purchased: expected, remaining_subsidy: 0 });
  });

  it('takes the last of several rows, and only those that have a number', () => {
    expect(balanceOf(['剩余购电', '1度'], ['剩余购电(空调)', '2度'], ['剩余购电', '--'])).toEqual({
      remaining_purchased: 2,
      remaining_subsidy: 0,
    });
  });

  it('is found under titles that resemble the usual ones, which go first', () => {
    expect(balanceOf(['购电余额', '3度'], ['补助余额', '4度'])).toEqual({
      remaining_purchased: 3,
      remaining_subsidy: 4,
    });
    expect(balanceOf(['剩余购电', '1度'], ['购电余额', '3度'])).toEqual({
      remaining_purchased: 1,
      remaining_subsidy: 0,
    });
    const bare = recordPage({ balance: balanceItem('剩余购电', '6度').replace(' class="item-content"', '') });
    expect(parseUsagePage(bare).balance.remaining_purchased).toBe(6);
  });

  it.each([
    ['no balance rows', recordPage({ balance: '' })],
    ['a subsidy only', recordPage({ balance: balanceItem('剩余补助', '1度') })],
    ['a number that is none', recordPage({ balance: balanceItem('剩余购电', '1.2.3度') })],
    ['a dash that may be a minus sign or none', recordPage({ balance: balanceItem('剩余购电', '—3.2度') })],
    ['two minus signs', recordPage({ balance: balanceItem('剩余购电', '--3.2度') })],
    [
      'a subsidy that is no number',
      recordPage({ balance: [balanceItem('剩余购电', '1度'), balanceItem('剩余补助', '1.2.3度')].join('') }),
    ],
    ['no value', recordPage({ balance: '<li class="item-content"><div class="item-title">剩余购电</div></li>' })],
    ['the words of a balance among its records', recordPage({ balance: '', records: recordItem('购电', '1度', 'x') })],
  ])('is never zero for a page with %s', (_, page) => {
    expect(failureOf(() => parseUsagePage(page))).toEqual(unreadable);
  });
});

describe('a record page', () => {
  it('of a live session shows a balance row', () => {
    expect(recordPageAlive(recordPage())).toBe(true);
    expect(recordPageAlive(recordPage({ balance: balanceItem('剩余补助', '1度') }))).toBe(true);
    expect(recordPageAlive(recordPage({ balance: '' }))).toBe(false);
    expect(recordPageAlive(recordPage({ balance: '', records: recordItem('t', '1元', '类型: 下发补助') }))).toBe(false);
    expect(recordPageAlive('<script>"剩余购电"</script>')).toBe(false);
  });

  it.each([
    ['2026-03-18 00:04:58', '房间：1-101空调', '2026-03-18 00:04:58', '1-101空调'],
    ['2026-03-18 00:04:58 空调', '', '2026-03-18 00:04:58', '空调'],
    ['2026-03-18 照明', '电表: 1-101', '2026-03-18', '1-101'],
    ['2026-03-18 00:04:58', '', '2026-03-18 00:04:58', ''],
  ])('finds the meter of %j, %j', (title, subtitle, record_time, meter_name) => {
    const { usage } = parseUsagePage(recordPage({ records: recordItem(title, '1度', subtitle) }));
    expect(usage).toEqual([{ record_time, usage_amount: 1, meter_name }]);
  });

  it('keeps the order of its rows; time stamps and meters repeat', () => {
    const records = [
      recordItem('2026-03-18 00:04:58', '4.62度', '电表: 1-101'),
      recordItem('2026-03-18 00:04:58', '0.00度', '电表：1-101空调'),
      recordItem('2026-03-17 00:04:58', '1,234.56度', '电表 : 1-101'),
    ].join('\n');
    expect(parseUsagePage(recordPage({ records }))).toEqual({
      balance: { remaining_purchased: 120.35, remaining_subsidy: 36.8 },
      usage: [
        { record_time: '2026-03-18 00:04:58', usage_amount: 4.62, meter_name: '1-101' },
        { record_time: '2026-03-18 00:04:58', usage_amount: 0, meter_name: '1-101空调' },
        { record_time: '2026-03-17 00:04:58', usage_amount: 1234.56, meter_name: '1-101' },
      ],
      dropped: 0,
    });
  });

  it('without records, or without their element, gives an empty list', () => {
    expect(parseUsagePage(recordPage()).usage).toEqual([]);
    expect(parsePaymentPage(recordPage().replace('divRecord', 'other')).payments).toEqual([]);
  });

  it('keeps rows without a label or with one of another form, drops rows without a number, skips other items', () => {
    const records = [
      recordItem('a', '1度'),
      recordItem('b', '2度', ' 主表 &amp; 副表 '),
      recordItem('c', '.度', '电表: x'),
      recordItem('d', '--', '电表: x'),
      recordItem('e', '3元', '电表: x'),
      '<li>更多</li><li><div class="item-title">f</div></li>',
      recordItem('g', '-4.5度', '电表: x'),
    ].join('');
    expect(parseUsagePage(recordPage({ records }))).toMatchObject({
      usage: [
        { record_time: 'a', usage_amount: 1, meter_name: '' },
        { record_time: 'b', usage_amount: 2, meter_name: '主表 & 副表' },
        { record_time: 'g', usage_amount: -4.5, meter_name: 'x' },
      ],
      // Those that name no day are notices.
      dropped: 0,
    });
  });

  it('gives payments with their signs', () => {
    const records = recordItem('2026-02-20 09:00:00', '-12.50元', '类型：下发补助');
    expect(parsePaymentPage(recordPage({ records })).payments).toEqual([
      { payment_time: '2026-02-20 09:00:00', amount: -12.5, payment_type: '下发补助' },
    ]);
    expect(amountsOf('- 12.50元', '-￥1,250.50元', '–1元', '５元')).toEqual([-12.5, -1250.5, -1, 5]);
    expect(amountsOf('1,250.50元', '-1,250.50 元', '.25元', '12.5.1元', '元', '-元')).toEqual([1250.5, -1250.5, 0.25]);
  });

  it('is read with its closing tags missing, and with tags inside its texts', () => {
    const page = recordPage({ records: recordItem('<b>2026</b>-03-18', '<div><i>4</i>.5</div>度', '电表: <b>1</b>') });
    expect(parseUsagePage(page).usage).toEqual([{ record_time: '2026-03-18', usage_amount: 4.5, meter_name: '1' }]);
    const open = recordPage({ records: `${recordItem('a', '1度')}${recordItem('b', '2度')}` }).replaceAll('</li>', '');
    expect(parseUsagePage(open).usage).toHaveLength(2);
  });

  it('that breaks off is unreadable, because any number of rows may be missing', () => {
    const page = recordPage({ records: recordItem('a', '1度').repeat(9) });
    for (const part of [0.5, 0.9, 0.95]) {
      const half = page.slice(0, page.length * part);
      for (const parse of [parseUsagePage, parsePaymentPage]) expect(failureOf(() => parse(half))).toEqual(unreadable);
    }
    expect(parseUsagePage(page.replace('</body>', '')).usage).toHaveLength(9);
    expect(parseUsagePage(page.replace('</html>', '')).usage).toHaveLength(9);
  });

  it('may omit the end of the document, but not that of its records', () => {
    const page = recordPage({ records: recordItem('a', '1度', '电表: x').repeat(9) }).replace('</body></html>', '');
    expect(parseUsagePage(page).usage).toHaveLength(9);
    const fragment = page.slice(page.indexOf('<div'));
    expect(parseUsagePage(fragment).usage).toHaveLength(9);
    expect(failureOf(() => parseUsagePage(fragment.slice(0, fragment.lastIndexOf('<li>'))))).toEqual(unreadable);
    expect(failureOf(() => parseUsagePage(page.replace('divRecord', 'other')))).toEqual(unreadable);
  });

  it('whose days all have amounts of another kind is unreadable; rows that name no day do not count', () => {
    const day = '2026-03-18 00:04:58';
    const payments = recordPage({ records: recordItem(day, '1元').repeat(2) });
    expect(failureOf(() => parseUsagePage(payments))).toEqual(unreadable);
    expect(failureOf(() => parsePaymentPage(recordPage({ records: recordItem(day, '1张') })))).toEqual(unreadable);
    for (const row of [recordItem('暂无记录', '--'), recordItem('共', '0条'), recordItem(day, '--')]) {
      expect(parseUsagePage(recordPage({ records: row })).usage).toEqual([]);
    }
  });

  it('leaves out payments in energy, which are no money', () => {
    const page = readFileSync(new URL('../../../../fixtures/field/f16-payment-in-kwh.html', import.meta.url), 'utf8');
    const { value, oddities } = collectOddities(() => parsePaymentPage(page));
    expect(value).toEqual({
      payments: [{ payment_time: '2026-09-10 12:00:00', amount: 50, payment_type: '一卡通充值' }],
      dropped: 0,
    });
    expect(oddities).toEqual([{ kind: 'payment-in-kwh', name: '', count: 1 }]);
    const records = recordItem('2026-03-18 00:04:58', '20.00度', '类型:补助').repeat(3);
    expect(parsePaymentPage(recordPage({ records }))).toEqual({ payments: [], dropped: 0 });
  });

  it.each([
    ['欠费 12.50 度', -12.5],
    ['（12.50度）', -12.5],
    ['12.50-', -12.5],
    ['欠费 0 度', 0],
  ])('of which the balance says %s is a debt of %d', (text, value) => {
    expect(balanceOf(['剩余购电', text]).remaining_purchased).toBe(value);
  });

  it.each([
    ['剩余购电', '120.35元'],
    ['剩余购电(元)', '120.35'],
    ['累计购电', '500度'],
    ['本月购电', '500度'],
  ])('of which %s says %s is no energy that is left', (title, text) => {
    expect(failureOf(() => balanceOf([title, text]))).toEqual(unreadable);
  });

  it('whose sums stand among its records shows none of them', () => {
    const records = ['合计', '累计', '本月累计'].map((title) => recordItem(title, '500度')).join('');
    expect(parseUsagePage(recordPage({ records })).usage).toEqual([]);
  });

  it.each(['12。5度', '1e2度', '无欠费', '12.5度/日'])('of which the balance says %s is unreadable', (text) => {
    expect(failureOf(() => balanceOf(['剩余购电', text]))).toEqual(unreadable);
  });

  it('with more rows than a room can have is unreadable', () => {
    const most = recordPage({ records: recordItem('2026-03-18 00:04:58', '1度').repeat(9_000) });
    expect(parseUsagePage(most).usage).toHaveLength(9_000);
    const page = recordPage({ records: '<li>'.repeat(10_001) });
    for (const parse of [parseUsagePage, parsePaymentPage]) expect(failureOf(() => parse(page))).toEqual(unreadable);
  });
});

it.each(['session过期', '登录超时', '您的会话已经过期', 'Session timeout', '用户未登录', '请重新登录'])(
  'a short answer of a dead session is one: %s',
  (text) => {
    expect(isim.row.showsDeath?.(text)).toBe(true);
  },
);
