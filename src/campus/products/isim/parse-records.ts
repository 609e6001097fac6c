import type { ElectricityBalance, Payment, UsageRecord } from '../../../domain/electricity/records.ts';
import { amountIn, statesAmount } from '../../parsing/amounts.ts';
import { attributeOf, hasCssClasses, hasEnd, htmlTokens } from '../../parsing/html-tokens.ts';
import { leaveOut, readersOf, refuseIfMostDropped, unreadable } from '../../parsing/reading.ts';
import { clean, extend } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

const parts = ['title', 'after', 'subtitle'] as const;
type BalancePart = (typeof parts)[number];

/** One list item of a record page. A part that is missing is null, one without text `""`. */
interface RecordItem extends Record<BalancePart, string | null> {
  /** The class that the balance rows carry on the item itself. */
  readonly isContent: boolean;
  /** Inside `#divRecord`. */
  readonly isRecord: boolean;
}

const longestPart = 500;
/** A room has some thousands of rows in a year of days and meters. A page with more items is not read to its end. */
const mostItems = 10_000;

interface RecordPage {
  /** In page order. */
  readonly items: readonly RecordItem[];
  /** Whether the page has a `#divRecord`, and whether its end was seen. */
  readonly records: 'missing' | 'open' | 'closed';
}

/** All list items of a page. Items of these pages hold no nested items. */
export const recordItems = (page: string): RecordPage => {
  const items: RecordItem[] = [];
  let records: RecordPage['records'] = 'missing';
  /** Open `div`s from `#divRecord` on; 0 outside it. */
  let recordDepth = 0;
  let item: RecordItem | null = null;
  let part: BalancePart | null = null;
  /** Open `div`s inside the part that is being read. */
  let partDepth = 0;
  for (const token of htmlTokens(page)) {
    if (items.length > mostItems) break;
    if (token.kind === 'text') {
      if (item !== null && part !== null) item[part] = extend(item[part] ?? '', token.text, longestPart);
    } else if (token.kind !== 'raw' && token.name === 'li') {
      item = part = null;
      if (token.kind === 'close') continue;
      const isContent = hasCssClasses(token.attributes, 'item-content');
      item = { isContent, isRecord: recordDepth > 0, title: null, after: null, subtitle: null };
      items.push(item);
    } else if (token.kind === 'open' && token.name === 'div') {
      if (recordDepth > 0) recordDepth += 1;
      else if (attributeOf(token.attributes, 'id') === 'divRecord') recordDepth = 1;
      if (recordDepth === 1) records = 'open';
      if (part !== null) partDepth += 1;
      if (part !== null || item === null) continue;
      const begun = parts.find((name) => hasCssClasses(token.attributes, `item-${name}`));
      // The first of its kind counts.
      if (begun === undefined || item[begun] !== null) continue;
      [part, partDepth] = [begun, 0];
      item[begun] = '';
    } else if (token.kind === 'close' && token.name === 'div') {
      if (recordDepth === 1) records = 'closed';
      if (recordDepth > 0) recordDepth -= 1;
      if (partDepth > 0) partDepth -= 1;
      else part = null;
    }
  }
  for (const read of items) for (const name of parts) read[name] &&= clean(read[name]);
  return { items, records };
};

/** Records name a day; a row that counts them or says that there are none does not. */
const isDated = (title: string | null): boolean => /\d\s?[-/.年月]\s?\d/.test(title ?? '');

/**
 * Rows that were cut off would be missing silently: what begins must also end. The end of a document need not be
 * written, that of its records must.
 */
const wholeItems = (page: string): readonly RecordItem[] => {
  const { items, records } = recordItems(page);
  if (items.length > mostItems) throw unreadable('electricity', 'too many rows');
  const begins = /<html[\s>]/i.test(page) || records === 'open';
  if (begins && records !== 'closed' && !hasEnd(page)) throw unreadable('electricity', 'page breaks off');
  return items;
};

interface BalanceTitle {
  readonly strict: string;
  readonly loose: string;
}
const purchasedTitle: BalanceTitle = { strict: '剩余购电', loose: '购电' };
const subsidyTitle: BalanceTitle = { strict: '剩余补助', loose: '补助' };

/** What was bought or used in a time is not what is left. */
const isOfPeriod = /累计|历史|总购|已购|[本上每][日天周月季年]|[昨今][日天年]|最近|上次/;

/** The rows of the balance, under their usual titles, else under titles that only resemble them. */
const balanceRows = (items: readonly RecordItem[], { strict, loose }: BalanceTitle): readonly RecordItem[] => {
  const usual = items.filter((item) => item.isContent && item.title?.includes(strict));
  if (usual.length > 0) return usual;
  return items.filter(({ isRecord, title }) => !isRecord && title?.includes(loose) && !isOfPeriod.test(title));
};

/** The last row that states an amount; null when none does. @throws Failure `upstream-unreadable` if it cannot be read */
const amountOf = (rows: readonly RecordItem[]): number | null => {
  const stated = rows.findLast(({ after }) => statesAmount(after ?? ''));
  if (stated === undefined) return null;
  const amount = amountIn(stated.after ?? '', stated.title ?? '');
  if (amount === null) throw unreadable('electricity', 'balance without a number');
  if ([stated.after, stated.title].some((text) => text?.includes('元'))) {
    throw unreadable('electricity', 'balance of money');
  }
  return amount.value;
};

/** A record page of a live session that is bound to a room shows at least one balance row. */
export const recordPageAlive = reader('recordPageAlive', (page: string): boolean => {
  if (!page.includes(purchasedTitle.loose) && !page.includes(subsidyTitle.loose)) return false;
  const { items } = recordItems(page);
  return [purchasedTitle, subsidyTitle].some((title) => balanceRows(items, title).length > 0);
});

const readBalance = (items: readonly RecordItem[]): ElectricityBalance => {
  const purchased = amountOf(balanceRows(items, purchasedTitle));
  // Some dormitories have no subsidy, but all have purchased energy, so a missing value is not zero.
  if (purchased === null) throw unreadable('electricity', 'balance missing');
  return { remaining_purchased: purchased, remaining_subsidy: amountOf(balanceRows(items, subsidyTitle)) ?? 0 };
};

/** The kind of the meter may stand behind the time. */
const partsOfTitle = (title: string): { readonly time: string; readonly kind: string } => {
  const [, time = title, kind = ''] =
    /^(\d{4}-\d{1,2}-\d{1,2}(?: \d{1,2}:\d{2}(?::\d{2})?)?) (\D.{0,100})$/.exec(title) ?? [];
  return { time, kind: kind.trim() };
};

interface AmountRow {
  readonly time: string;
  readonly amount: number;
  readonly label: string;
}

interface RecordKind {
  /** Named in logs. */
  readonly what: string;
  readonly unit: 'kwh' | 'yuan';
  readonly label: RegExp;
  /** Rows of the other unit belong to the page, and are left out. */
  readonly mayHoldOther: boolean;
}

/** Rows of `#divRecord` that have a title and an amount. Days without a readable amount are not an empty list. */
const readRecords = (
  items: readonly RecordItem[],
  { what, unit, label, mayHoldOther }: RecordKind,
): { rows: AmountRow[]; dropped: number } => {
  const records = items.filter((item) => item.isRecord && item.title !== null && item.after !== null);
  const rows: AmountRow[] = [];
  let dropped = 0;
  for (const { title, after, subtitle } of records) {
    const stated = amountIn(after ?? '');
    const text = subtitle ?? '';
    const isSum = /^(?:[合总小累]\s?计|[本上][日周月年].{0,2}[合总累]?计)/.test(title ?? '');
    if (isSum) leaveOut('notice');
    else if (stated?.unit === unit && title !== '') {
      const { time, kind } = partsOfTitle(title ?? '');
      rows.push({ time, amount: stated.value, label: label.exec(text)?.[1]?.trim() ?? (text || kind) });
    } else if (stated?.unit === 'kwh' && mayHoldOther) leaveOut('payment-in-kwh');
    // A notice names no day or states no amount.
    else if ((title !== '' && !isDated(title)) || !statesAmount(after ?? '')) leaveOut('notice');
    else dropped += 1;
  }
  refuseIfMostDropped('electricity', what, { rows, dropped });
  return { rows, dropped };
};

const usageRecords = {
  what: 'usage rows',
  unit: 'kwh',
  label: /(?:电表|房间|表计)\s*[:：]\s*(.+)/,
  mayHoldOther: false,
} as const;
const paymentRecords = { what: 'payments', unit: 'yuan', label: /类型\s*[:：]\s*(.+)/, mayHoldOther: true } as const;

/**
 * The usage page: balance and one row per meter and day. An empty list is a room without records.
 * @throws Failure `upstream-unreadable` when the page shows no purchased energy, breaks off or has too many rows
 */
export const parseUsagePage = reader(
  'parseUsagePage',
  (page: string): { balance: ElectricityBalance; usage: UsageRecord[]; dropped: number } => {
    const items = wholeItems(page);
    const { rows, dropped } = readRecords(items, usageRecords);
    const usage = rows.map(({ time, amount, label }) => ({
      record_time: time,
      usage_amount: amount,
      meter_name: label,
    }));
    return { balance: readBalance(items), usage, dropped };
  },
);

/**
 * The payment page; amounts may be negative. An empty list is a room without payments.
 * @throws Failure `upstream-unreadable` when the page breaks off or has too many rows
 */
export const parsePaymentPage = reader('parsePaymentPage', (page: string): { payments: Payment[]; dropped: number } => {
  const { rows, dropped } = readRecords(wholeItems(page), paymentRecords);
  return {
    payments: rows.map(({ time, amount, label }) => ({ payment_time: time, amount, payment_type: label })),
    dropped,
  };
});
