import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseBalance, parsePurchases, parseTransactions } from '../../../../../src/campus/products/card/parse-card.ts';

const page = (body: string): string => `<html><body>${body}</body></html>`;
const row = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const unreadable = expect.objectContaining({ kind: 'upstream-unreadable', system: 'card' });

describe('the balance', () => {
  const balance = (text: string, label = '校园卡余额：') =>
    parseBalance(page(`<label>${label}</label><label>${text}</label>`));
  it.each([
    ['36.80元', 36.8],
    ['-3.20', -3.2],
    ['（3.20）元', -3.2],
    ['3.20-', -3.2],
    ['欠费 3.20 元', -3.2],
    ['透支3.20', -3.2],
    ['¥ -3.20', -3.2],
    ['负3.20元', -3.2],
    ['1,250.50元', 1250.5],
    ['0.00', 0],
  ])('%s is %d', (text, value) => {
    expect(balance(text)).toBe(value);
  });

  it.each(['暂无', '3。2', '1e2', '无欠费', '12 度', '3.20/1.00', '应缴 3.20'])(
    '%s is none, never a part of it',
    (text) => {
      expect(() => balance(text)).toThrow(unreadable);
    },
  );
});

describe('transactions', () => {
  const heading = '记账时间 消费时间 出账 入账 操作类型 余额 消费区域 终端号'.split(' ');
  const usual = ['2026-03-02 12:00:00', '2026-03-02 11:58:00', '12.00', '', '消费', '24.80', '一食堂', '7'];
  const read = (...rows: string[][]) =>
    parseTransactions(page(`<table>${row(heading, 'th')}${rows.map((cells) => row(cells)).join('')}</table>`));

  it('have amounts in every spelling; one that cannot be read is null and noted', () => {
    const { value, oddities } = collectOddities(() => read(usual, usual.with(2, '12。5').with(5, '欠费 3.20')));
    expect(value.rows.map(({ expense, income, balance }) => [expense, income, balance])).toEqual([
      [12, null, 24.8],
      [null, null, -3.2],
    ]);
    expect(oddities).toEqual([{ kind: 'default', name: 'amount', count: 1 }]);
  });

  it('in another order of columns are refused', () => {
    for (const [one, other] of [
      [2, 3],
      [0, 1],
      [4, 6],
      [6, 7],
      [2, 5],
    ] as const) {
      const swapped = heading.with(one, heading[other] ?? '').with(other, heading[one] ?? '');
      const text = page(`<table>${row(swapped, 'th')}${row(usual)}</table>`);
      expect(() => parseTransactions(text)).toThrow(unreadable);
    }
  });

  it('of another width are dropped and counted, and most of them are no such page', () => {
    expect(read(usual, usual, usual.slice(1)).dropped).toBe(1);
    expect(() => read(usual, usual.slice(1), usual.slice(1))).toThrow(unreadable);
  });

  it('without a time and an amount are dropped: they name nothing', () => {
    const empty = usual.map(() => '');
    expect(read(usual, empty)).toMatchObject({ rows: { length: 1 }, dropped: 1 });
    expect(() => read(empty)).toThrow(unreadable);
  });
});

describe('purchases', () => {
  const heading = '姓名 学号 校区 房间 购电金额 购电时间 售电点'.split(' ');
  const usual = ['林晓', '2023000001', '东校区', '1-101', '50.00', '2026-03-02 12:00:00', '自助'];
  const read = (head: string[], ...rows: string[][]) =>
    parsePurchases(page(`<table>${[head, ...rows].map((cells) => row(cells)).join('')}</table>`));

  it('are read under their heading, and refused under another one', () => {
    expect(read(heading, usual).rows).toEqual([
      { area: '东校区', room: '1-101', amount: 50, purchased_at: '2026-03-02 12:00:00', office: '自助' },
    ]);
    expect(() => read(['学号', '姓名', ...heading.slice(2)], usual)).toThrow(unreadable);
    expect(() => read([...heading.slice(0, 4), '购电时间', '购电金额', '售电点'], usual)).toThrow(unreadable);
  });

  it('without a time and an amount are dropped', () => {
    expect(() =>
      read(
        heading,
        usual.map(() => ''),
      ),
    ).toThrow(unreadable);
  });
});

it('a number under another title is no balance', () => {
  const labels = ['校园卡余额：', '学号：20239001'].map((text) => `<label>${text}</label>`).join('');
  expect(() => parseBalance(`<html>${labels}</html>`)).toThrow(
    expect.objectContaining({ kind: 'upstream-unreadable' }),
  );
});

it('the sum of the rows is none of them', () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows =
    row('2026-01-01', '2026-01-01', '2', '', '消费', '9', '食堂', '1') + row('合计', '', '2', '', '', '', '', '');
  expect(parseTransactions(`<i>记账时间</i><table>${rows}</table></html>`).rows).toMatchObject([{ expense: 2 }]);
});
