const digits = '一二三四五六七八九';

/** The signs of a number from 1 to 99. */
export const hanNumberPattern = `[${digits}]?十?[${digits}]?`;

const wholeNumber = new RegExp(`^${hanNumberPattern}$`);

/** `十六` → 16; null for what is no number up to 99. */
export const hanNumber = (text: string): number | null => {
  if (text === '' || !wholeNumber.test(text)) return null;
  const [tens = '', ones = ''] = text.includes('十') ? text.split('十') : ['0', text];
  const digit = (sign: string, otherwise: number): number => (sign === '' ? otherwise : digits.indexOf(sign) + 1);
  return digit(tens, 1) * 10 + digit(ones, 0);
};
