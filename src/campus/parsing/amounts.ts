/** Amounts of energy and money as pages print them. */

export interface Amount {
  readonly value: number;
  readonly unit: 'kwh' | 'yuan' | null;
}

/** Full-width digits, commas, points and signs as plain ones, and every sign that prints as a minus as `-`. */
const plainAmount = (text: string): string =>
  text
    .replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u2212\u2010\u2011\u2013\ufe63]|负(?=\s?[¥￥]?\s?[.\d])/g, '-')
    .replaceAll('￥', '¥');

/** No amount is stated in a longer text. */
const longestText = 500;

const number = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?|\.\d+/y;

/** What may stand behind a number, up to its end. */
const behind = /^(?:\s|度|元|kwh|\([^()\d]*\))*(\))?(?:\s|度|元|kwh)*(-)?\s*$/i;

const debtWord = '(?:欠[费款电]?|透支)(?:金额|电量|余额|度数|电费|购电)?';
const debtBefore = new RegExp(`${debtWord}[\\s:)\\]]*$`);
const debtTitle = new RegExp(`^(?:[已所]?${debtWord}|.{1,20}[([]${debtWord}[)\\]])$`);
/** 欠费为负 tells how to read a sign. */
const legend = /[欠支].{0,4}负|负.{0,6}[欠支]/;
/** Of an amount; a number under another title is none. */
const amountTitle = /[余额款量费数电]|补助|剩|合计|[欠支约]|balance|amount/i;

const denied = new RegExp(`(?:无|不|未|没有?)${debtWord}`);

/**
 * The number of a text, negative where it says so in any way: a minus before or behind, brackets around it, a word of debt
 * directly before it or as its `title`.
 * @returns null for none: also for a number that is not read to its end, and where two signs leave a doubt
 */
export const amountIn = (text: string, title = ''): Amount | null => {
  const plain = plainAmount(text.slice(0, longestText));
  // A point that begins a number stands before its first digit.
  const at = plain.search(/\.?\d/);
  if (at < 0) return null;
  number.lastIndex = at;
  const digits = number.exec(plain)?.[0];
  if (digits === undefined) return null;
  const tail = behind.exec(plain.slice(at + digits.length));
  if (tail === null) return null;
  const [, closing, minusBehind] = tail;
  const found = /^(.*?)(\()?\s*(?:(-)\s*¥?|¥\s*(-)?)?\s*$/s.exec(plain.slice(0, at).trimEnd()) ?? [];
  const [, before = '', opening, minusFirst, minusThen] = found;
  // A dash or a point that belongs to something else, and half a bracket.
  if (/[-—.,¥]\s*$/.test(before) || (opening === undefined) !== (closing === undefined)) return null;
  if (denied.test(before)) return null;
  const isDebt = debtBefore.test(before);
  if (!isDebt && /[欠亏负赊退]|透支|[应未][缴付交]|[待补]缴|滞纳|逾期/.test(before)) return null;
  const label = /([\p{L}]+)\s?:\s*$/u.exec(before)?.[1];
  if (label !== undefined && !isDebt && !amountTitle.test(label)) return null;
  const named = plainAmount(title).replace(/[\s:]/g, '');
  const ofTitle = debtTitle.test(named);
  if (!ofTitle && /欠|透支/.test(named) && !denied.test(named) && !legend.test(named)) return null;
  const signs = [minusFirst ?? minusThen, minusBehind, opening, isDebt || ofTitle || undefined];
  const minuses = signs.filter((sign) => sign !== undefined).length;
  const size = Number(digits.replaceAll(',', ''));
  if (!Number.isFinite(size) || (minuses > 1 && size !== 0)) return null;
  const rest = plain.slice(at + digits.length);
  const units = [
    /度|kwh/i.test(rest) && 'kwh',
    /元/.test(rest) || /¥/.test(plain.slice(0, at)) ? 'yuan' : false,
  ] as const;
  const [unit = null, other] = units.filter((each) => each !== false);
  if (other !== undefined) return null;
  return { value: minuses === 0 || size === 0 ? size : -size, unit };
};

/** A text with digits states an amount, also when it cannot be read; `--` states none. */
export const statesAmount = (text: string): boolean => /\d/.test(plainAmount(text));
