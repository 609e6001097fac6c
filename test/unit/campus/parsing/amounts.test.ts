import { expect, it } from 'vitest';
import { amountIn } from '../../../../src/campus/parsing/amounts.ts';

it.each<[string, number | null]>([
  ['12.50度', 12.5],
  ['12.50 kWh', 12.5],
  ['￥12.50', 12.5],
  ['￥-12.50元', -12.5],
  ['-￥12.50', -12.5],
  ['约 7 度', 7],
  ['1,234.5度', 1234.5],
  ['7度（含补助）', 7],
  ['欠费 12.50 度', -12.5],
  ['欠 12.50 度', -12.5],
  ['欠费：12.50', -12.5],
  ['欠费金额:12.50元', -12.5],
  ['透支12.50元', -12.5],
  ['(12.50)', -12.5],
  ['（12.50元）', -12.5],
  ['(12.50)度', -12.5],
  ['12.50-', -12.5],
  ['12.50度-', -12.5],
  ['欠费 0.00 度', 0],
  ['(0.00)', 0],
  ['-0', 0],
  ['无欠费', null],
  ['未欠费 3.00', null],
  ['没有欠费 0', null],
  // Two signs, or words of debt elsewhere: which of them counts is not said.
  ['欠费 -12.50', null],
  ['欠费说明 12.50', null],
  // Not read to its end.
  ['12。5', null],
  ['1e2', null],
  ['12.5.1', null],
  ['12,5', null],
  ['1,2345', null],
  ['12.5 度/日', null],
  ['12.5度 3', null],
  ['(12.5', null],
  ['12.5)', null],
  ['--3.2', null],
  ['—3.2度', null],
  ['12度元', null],
  ['负12.5', -12.5],
  ['余额：负 ¥12.5', -12.5],
  ['应缴 30 元', null],
  ['待缴：30 元', null],
  ['亏 12', null],
  ['欠款 12.50', -12.5],
  ['未缴 12.50', null],
  ['赊 12.50', null],
  // Under another title.
  ['学号：20239001', null],
  ['Room: 308', null],
  ['可用余额：12.50', 12.5],
  ['', null],
  ['--', null],
])('%j is %j', (text, value) => {
  expect(amountIn(text)?.value ?? null).toBe(value);
});

it.each([
  ['欠费', -12.5],
  ['透支：', -12.5],
  ['欠费金额', -12.5],
  ['欠款', -12.5],
  ['欠电', -12.5],
  ['已透支', -12.5],
  ['欠费购电', -12.5],
  ['剩余购电（欠费）', -12.5],
  ['剩余购电（欠费为负）', 12.5],
  ['剩余购电', 12.5],
])('12.50 under the title %s is %d', (title, value) => {
  expect(amountIn('12.50', title)?.value).toBe(value);
});

it('under a title that leaves a doubt is none', () => {
  expect(amountIn('12.50', '欠费/余额')).toBeNull();
});

it('names its unit', () => {
  expect(['1度', '1kWh', '1元', '¥1', '1'].map((text) => amountIn(text)?.unit)).toEqual([
    'kwh',
    'kwh',
    'yuan',
    'yuan',
    null,
  ]);
});
