import type { Balance, Payment, UsageRecord } from '../../domain/electricity/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { type RecordItem, recordItems } from './record-items.ts';

/**
 * A number as these pages print it: with a minus sign, with thousands commas. It begins where a number can begin, so
 * that nothing is read out of the middle of something else.
 */
const number = '(?<![\\d.,])([-−－]?(?:\\d[\\d,]*(?:\\.\\d*)?|\\.\\d+))';
const anyNumber = new RegExp(`${number}(?![\\d.,])`);
const kilowattHours = new RegExp(`${number}\\s*度`);
const yuan = new RegExp(`${number}\\s*元`);

const numberIn = (text: string | null, pattern: RegExp): number | null => {
  const found = pattern.exec(text ?? '')?.[1];
  if (found === undefined) return null;
  const value = Number(found.replaceAll(',', '').replace(/^[−－]/, '-'));
  return Number.isFinite(value) ? value + 0 : null;
};

/** Rows that were cut off would be missing without a sign: a document that begins must also end. */
const wholeItems = (page: string): readonly RecordItem[] => {
  const begins = /<html[\s>]/i.test(page);
  if (begins && !/<\/(?:body|html)\s*>/i.test(page)) throw unreadable('electricity', 'page breaks off');
  return [...recordItems(page)];
};

interface BalanceTitle {
  readonly strict: string;
  readonly loose: string;
}
const purchasedTitle: BalanceTitle = { strict: '剩余购电', loose: '购电' };
const subsidyTitle: BalanceTitle = { strict: '剩余补助', loose: '补助' };

/** The rows of the balance, under their usual titles, else under titles that only resemble them. */
const balanceRows = (items: readonly RecordItem[], { strict, loose }: BalanceTitle): readonly RecordItem[] => {
  const usual = items.filter((item) => item.isContent && item.title?.includes(strict));
  return usual.length > 0 ? usual : items.filter((item) => !item.isRecord && item.title?.includes(loose));
};

/** The last row that has a number; null when none has. */
const amountOf = (rows: readonly RecordItem[]): number | null =>
  rows.map(({ after }) => numberIn(after, anyNumber)).findLast((amount) => amount !== null) ?? null;

/** A record page of a live session that is bound to a room shows at least one balance row. */
export const recordPageAlive = (page: string): boolean => {
  if (!page.includes(purchasedTitle.loose) && !page.includes(subsidyTitle.loose)) return false;
  const items = [...recordItems(page)];
  return [purchasedTitle, subsidyTitle].some((title) => balanceRows(items, title).length > 0);
};

const readBalance = (items: readonly RecordItem[]): Balance => {
  const purchased = amountOf(balanceRows(items, purchasedTitle));
  // Not every dormitory has a subsidy, but none is without purchased energy: its absence is no zero.
  if (purchased === null) throw unreadable('electricity', 'balance missing');
  return { purchased, subsidy: amountOf(balanceRows(items, subsidyTitle)) ?? 0 };
};

interface Row {
  readonly time: string;
  readonly amount: number;
  readonly label: string;
}

/** Rows of `#divRecord` that have a title and an amount, in page order. */
const readRows = (items: readonly RecordItem[], amount: RegExp, label: RegExp): { rows: Row[]; dropped: number } => {
  const records = items.filter((item) => item.isRecord && item.title !== null && item.after !== null);
  const rows = records.flatMap(({ title, after, subtitle }) => {
    const value = numberIn(after, amount);
    const text = subtitle ?? '';
    return value === null ? [] : [{ time: title ?? '', amount: value, label: label.exec(text)?.[1]?.trim() ?? text }];
  });
  return { rows, dropped: records.length - rows.length };
};

/**
 * The usage page: balance and one row per meter and day. An empty list is a room without records.
 * @throws Failure `upstream-unreadable` when the page shows no purchased energy or breaks off
 */
export const parseUsagePage = (page: string): { balance: Balance; usage: UsageRecord[]; dropped: number } => {
  const items = wholeItems(page);
  const { rows, dropped } = readRows(items, kilowattHours, /电表\s*[:：]\s*(.+)/);
  const usage = rows.map(({ time, amount, label }) => ({ time, amount, meter: label }));
  return { balance: readBalance(items), usage, dropped };
};

/**
 * The payment page; amounts may be negative. An empty list is a room without payments.
 * @throws Failure `upstream-unreadable` when the page breaks off
 */
export const parsePaymentPage = (page: string): { payments: Payment[]; dropped: number } => {
  const { rows, dropped } = readRows(wholeItems(page), yuan, /类型\s*[:：]\s*(.+)/);
  return { payments: rows.map(({ time, amount, label }) => ({ time, amount, type: label })), dropped };
};
