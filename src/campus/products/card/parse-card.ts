import type { CardPurchase, CardState, CardTransaction } from '../../../domain/card/records.ts';
import { failures } from '../../../domain/errors.ts';
import { amountIn, statesAmount } from '../../parsing/amounts.ts';
import { optStr, str } from '../../parsing/cells.ts';
import { refuseOtherOrder } from '../../parsing/columns.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { hasEnd } from '../../parsing/html-tokens.ts';
import { noteOddity } from '../../parsing/oddities.ts';
import { readersOf, refuseIfMostDropped, unreadable } from '../../parsing/reading.ts';
import { saysFailure } from '../../parsing/refusals.ts';
import { plainMessage } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

const mostRows = 2_000;

export const balanceAlive = reader('balanceAlive', (page: string): boolean => page.includes('余额'));
export const stateAlive = reader('stateAlive', (page: string): boolean => page.includes('卡状态'));
export const transactionsAlive = reader('transactionsAlive', (page: string): boolean => page.includes('记账时间'));
export const purchasesAlive = reader('purchasesAlive', (page: string): boolean => page.includes('购电'));

/** A cut page may lack the amount we look for, or further rows. */
const requireWholePage = (page: string): void => {
  if (!hasEnd(page)) throw unreadable('card', 'page without its end');
};

/** Texts of all labels, in document order. */
const labelsIn = (page: string): readonly string[] => {
  requireWholePage(page);
  return elementsIn(page, (tag) => (tag === 'label' ? tag : null)).map(({ text }) => text);
};

const nameOf = (label: string): string => label.replace(/[\s:：]/g, '');

/** On no card is more: it is the number of an account. */
const mostMoney = 1e8;

/** The money of a text; null for none. A cell that states one we cannot read is noted. @param label beside it */
const moneyIn = (text: string, label = ''): number | null => {
  const amount = amountIn(text, label);
  if (amount !== null && amount.unit !== 'kwh' && Math.abs(amount.value) < mostMoney) return amount.value;
  if (statesAmount(text)) noteOddity('default', 'amount');
  return null;
};

/**
 * The balance of the card: other balances may be beside it.
 * @throws Failure `upstream-unreadable`, also where it does not say which amount it is: never 0
 */
export const parseBalance = reader('parseBalance', (page: string): number => {
  if (!balanceAlive(page)) throw unreadable('card', 'balance page without its mark');
  const labels = labelsIn(page);
  const names = labels.map(nameOf);
  const balances = names.flatMap((name, at) => (name.endsWith('余额') ? [at] : []));
  const named = ['校园卡余额', '校园余额'].map((wanted) => balances.filter((at) => names[at] === wanted));
  const found = named.find((places) => places.length > 0) ?? balances;
  // Behind the name as a heading stands none.
  const stated = found.filter((at) => found === balances || statesAmount(labels[at + 1] ?? ''));
  const [amount = null, ...others] = new Set(stated.map((at) => moneyIn(labels[at + 1] ?? '', labels[at])));
  const isOne = found === balances ? balances.length === 1 : others.length === 0;
  if (amount === null || !isOne) throw unreadable('card', 'no balance of the card');
  return amount;
});

export const parseState = reader('parseState', (page: string): CardState => {
  if (!stateAlive(page)) throw unreadable('card', 'state page without its mark');
  const labels = labelsIn(page);
  const behind = (name: string): string | null => {
    const at = labels.findIndex((label) => nameOf(label) === name);
    const inOne = labels.map((label) => label.match(/^(.+?)\s?[:：]\s?(.+)$/)).find((parts) => parts?.[1] === name);
    const value = at < 0 ? inOne?.[2] : labels[at + 1];
    // Where nothing stands behind a label, the next one is none of its values.
    return value === undefined || /[:：]$|^[-—]*$/.test(value) ? null : optStr(value);
  };
  return { account_status: behind('账户状态'), card_status: behind('卡状态') };
});

/** Cells of all rows that have some, and the headings beside them. */
const rowsIn = (page: string): { readonly rows: readonly string[][]; readonly heading: readonly string[] } => {
  requireWholePage(page);
  const rows: string[][] = [];
  const heading: string[] = [];
  for (const { kind, text } of elementsIn(page, (tag) => (['table', 'tr', 'th', 'td'].includes(tag) ? tag : null))) {
    if (kind === 'td') rows.at(-1)?.push(str(text));
    else if (kind === 'th') heading.push(text);
    else rows.push([]);
  }
  const filled = rows.filter((cells) => cells.length > 0);
  if (filled.length > mostRows) throw unreadable('card', 'more rows than an account has');
  return { rows: filled, heading };
};

/** Rows with a cell for each label; a row of one cell is a notice, one that begins with the first label a heading. */
const table = (page: string, labels: ReadonlyArray<RegExp | null>) => {
  const found = rowsIn(page);
  const isHeading = ([first = '']: readonly string[]): boolean => /^(?:姓名|学号|记账时间)$/.test(nameOf(first));
  const heading = found.rows.find(isHeading) ?? found.heading;
  refuseOtherOrder('card', 'rows', heading, labels);
  const isSum = ([first = '']: readonly string[]): boolean =>
    /^(?:[合总小]计|本页|共计|共\d+[条页]|第\d+页|[首上下]一?页)/.test(nameOf(first));
  const notices = found.rows.flatMap((cells) => (cells.length === 1 ? cells : []));
  const [notice] = notices.filter((each) => saysFailure({ msg: each }));
  if (notice !== undefined && notices.length === found.rows.filter((cells) => cells !== heading).length)
    throw failures.upstreamRefused('card', undefined, { upstreamMessage: plainMessage(notice) });
  const rows = found.rows.filter((cells) => cells.length > 1 && cells !== heading && !isSum(cells));
  const fitting = rows.filter((cells) => cells.length === labels.length);
  const dropped = rows.length - fitting.length;
  refuseIfMostDropped('card', 'rows', { rows: fitting, dropped });
  return { fitting, dropped, heading };
};

/** Those with something in one of these columns. @throws Failure `upstream-unreadable` where most have nothing */
const nameCells = (rows: readonly string[][], ...columns: readonly number[]): readonly string[][] => {
  const found = rows.filter((cells) => columns.some((column) => (cells[column] ?? '') !== ''));
  refuseIfMostDropped('card', 'rows', { rows: found, dropped: rows.length - found.length });
  return found;
};

// Words that begin other headings as well are those of an amount only as a whole: 充值类型, 收款商户.
const transactionLabels = [
  /^记账/,
  /^(?:消费|交易|发生)(?:时间|日期)/,
  /^(?:出账|支出|支付金额)|^(?:转出|扣款|付款)金?额?(?:[(（]元?[)）])?$/,
  /^(?:入账|收入)|^(?:转入|存入|充值|收款)金?额?(?:[(（]元?[)）])?$/,
  /类型$/,
  /余额/,
  /区域|商户|地点/,
  /终端/,
];
const purchaseLabels = [/^姓名/, /^学号/, /^校区/, /^房间/, /金额/, /时间|日期/, /售电点/];

export const parseTransactions = reader(
  'parseTransactions',
  (page: string): { readonly rows: CardTransaction[]; readonly dropped: number } => {
    if (!transactionsAlive(page)) throw unreadable('card', 'transactions without their mark');
    const { fitting, dropped } = table(page, transactionLabels);
    const rows = nameCells(fitting, 0, 1).map(
      ([booked = '', occurred = '', out = '', into = '', type = '', left = '', ...where]) => ({
        booked_at: booked,
        occurred_at: occurred,
        expense: moneyIn(out),
        income: moneyIn(into),
        type,
        balance: moneyIn(left),
        place: where[0] ?? '',
        terminal: where[1] ?? '',
      }),
    );
    return { rows, dropped: dropped + fitting.length - rows.length };
  },
);

/** Name and number of the student, in the first two columns, are not read. */
export const parsePurchases = reader(
  'parsePurchases',
  (page: string): { readonly rows: CardPurchase[]; readonly dropped: number } => {
    if (!purchasesAlive(page)) throw unreadable('card', 'purchases without their mark');
    const { fitting, dropped, heading } = table(page, purchaseLabels);
    const unit = heading[4] ?? '';
    const isEnergy = /(?<!额)度|电量|kwh/i.test(unit) && !unit.includes('元');
    const rows = nameCells(fitting, 4, 5).map(
      ([, , area = '', room = '', amount = '', purchased_at = '', office = '']) => ({
        area,
        room,
        amount: isEnergy ? null : moneyIn(amount),
        purchased_at,
        office,
      }),
    );
    return { rows, dropped: dropped + fitting.length - rows.length };
  },
);
