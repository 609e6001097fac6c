import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import {
  parseBalance,
  parsePurchases,
  parseState,
  parseTransactions,
} from '../../../../../src/campus/products/card/parse-card.ts';

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

it('a balance that two labels state differently, or that is the number of an account, is none', () => {
  const labels = (...texts: string[]) => parseBalance(page(texts.map((text) => `<label>${text}</label>`).join('')));
  expect(labels('校园卡余额', '5', '校园卡余额', '5')).toBe(5);
  expect(() => labels('校园卡余额', '99', '校园卡余额', '5')).toThrow(unreadable);
  expect(() => labels('校园卡余额', '99', '校园卡余额', '9。9')).toThrow(unreadable);
  expect(labels('校园卡余额', '99', '校园卡余额', '卡状态')).toBe(99);
  expect(labels('校园卡余额', '卡号', '校园卡余额', '99')).toBe(99);
  expect(() => labels('校园卡余额', '6222021234567890')).toThrow(unreadable);
});

it.each([
  [['账户状态:', '正常', '卡状态:', '挂失'], '正常', '挂失'],
  [['账户状态:正常', '卡状态：挂失'], '正常', '挂失'],
  [['卡状态:', '账户状态:', '正常'], '正常', null],
  [['账户状态', 'null', '卡状态', '--'], null, null],
])('the state in the labels %j', (labels, account_status, card_status) => {
  const text = page(labels.map((label) => `<label>${label}</label>`).join(''));
  expect(parseState(text)).toEqual({ account_status, card_status });
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

  it('whose heading has income before expense, by any name, are refused', () => {
    const renamed = heading.with(2, '转入').with(3, '转出');
    expect(() => parseTransactions(page(`<table>${row(renamed, 'th')}${row(usual)}</table>`))).toThrow(unreadable);
  });

  it('are read under headings that begin like an amount and are none', () => {
    const named = heading
      .with(2, '支出金额')
      .with(3, '存取')
      .with(4, '充值类型')
      .with(6, '收款商户')
      .with(7, '付款终端');
    expect(parseTransactions(page(`<table>${row(named, 'th')}${row(usual)}</table>`)).rows).toHaveLength(1);
  });

  it('are neither the pager nor the word null', () => {
    const pager = ['共 120 条 第1/12页', '下一页', '', '', '', '', '', ''];
    expect(read(usual.with(6, 'null').with(7, 'NULL'), pager)).toMatchObject({
      rows: [{ place: '', terminal: '' }],
      dropped: 0,
    });
  });

  it('are none where the campus says so, and a failure where it says why', () => {
    expect(read(['没有查询到记录'])).toEqual({ rows: [], dropped: 0 });
    for (const notice of ['查询失败，请稍后再试', '会话超时，请重新登录'])
      for (const rows of [[[notice]], [heading, [notice]]])
        expect(() => read(...rows)).toThrow(
          expect.objectContaining({ kind: 'upstream-refused', upstreamMessage: notice }),
        );
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

it('purchases that are counted in energy have no amount of money, nor has a refund', () => {
  const usual = ['张三', '2023000001', '东校区', '1-101', '50.00', '2026-03-01 12:00:00', '自助'];
  const read = (amount: string, cells = usual) => {
    const heading = `姓名 学号 校区 房间 ${amount} 购电时间 售电点`.split(' ');
    return parsePurchases(page(`购电 <table>${row(heading, 'th')}${row(cells)}</table>`)).rows[0]?.amount;
  };
  expect(['购电额度', '金额(元,0.55元/度)'].map((amount) => read(amount))).toEqual([50, 50]);
  expect([read('购电金额'), read('购电量(度)'), read('购电金额', usual.with(4, '退款50.00'))]).toEqual([
    50,
    null,
    null,
  ]);
});
