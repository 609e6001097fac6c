/** Weeks in a mask: the first sign is week 1. */
export const mostWeeks = 24;

const words: ReadonlyArray<readonly [RegExp, (week: number) => boolean]> = [
  [/全周|单双周|^[每全]周?$/, () => true],
  [/单周|奇数?周|^单$/, (week) => week % 2 === 1],
  [/(?<!单)双周|偶数?周|^双$/, (week) => week % 2 === 0],
];

/** The mask of 全周, 单周 or 双周 in a text; null where it holds none of them, or several. */
export const maskOfWord = (text: string): string | null => {
  const [first, ...more] = words.filter(([word]) => word.test(text.trim()));
  if (first === undefined || more.length > 0) return null;
  return Array.from({ length: mostWeeks }, (_, index) => (first[1](index + 1) ? '1' : '0')).join('');
};

/** The weeks are those of a word alone: how many of them there are, the term decides. */
export const areOfWord = (mask: string, description: string): boolean =>
  !/\d/.test(description) && maskOfWord(description) === mask;
