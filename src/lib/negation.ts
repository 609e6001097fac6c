/** Words of success are searched in clauses: a mark or a line end begins another one. */
const clauseEnd = /[，。；！,.;!\r\n]/;

/** These hold a sign of negation and negate nothing. */
const harmless = /非常|不仅|不但|不限|无误|无需/g;

const negating = /[不未没无非]|\b(?:can)?not\b|n['’]t\b|\bunable\b|fail/i;

/** A prefix of the word itself: `unsuccessful`. */
const prefix = /\bun-?$/i;

/** No message of the campus is longer; what follows is not looked at. */
const longestText = 4_000;

/**
 * What a text says of the words it is searched for: `negated` where any of them stands behind its own negation
 * clause, so that 未成功 is no success; null where none of them stands in it.
 * @param words without anchors, which would make clauses of what has none
 */
export const saysOf = (text: string, words: RegExp): 'affirmed' | 'negated' | null => {
  const every = new RegExp(words.source, words.flags.includes('g') ? words.flags : `${words.flags}g`);
  let said: 'affirmed' | null = null;
  for (const clause of text.slice(0, longestText).split(clauseEnd)) {
    // A negation before the first word stands before every later one as well; one between two, before the second.
    let from = 0;
    for (const found of clause.matchAll(every)) {
      if (found[0] === '') continue;
      const before = clause.slice(from, found.index).replace(harmless, ' ');
      if (negating.test(before) || prefix.test(before)) return 'negated';
      said = 'affirmed';
      from = found.index;
    }
  }
  return said;
};

/** True where one of the words stands in the text and none of them is negated. */
export const affirms = (text: string, words: RegExp): boolean => saysOf(text, words) === 'affirmed';
