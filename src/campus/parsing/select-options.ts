import { attributeOf, htmlTokens } from './html-tokens.ts';
import { collapse, decodeEntities, extended } from './text.ts';

/** Terms of a campus in a thousand years; a longer selector is not the one we know. */
const mostOptions = 2_000;
const longestText = 500;

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

/**
 * The options of the first `select` with that id or name; null where the page has no such selector, or only its
 * beginning.
 */
export const optionsOf = (page: string, attribute: 'id' | 'name', wanted: string): Option[] | null => {
  if (!page.includes(wanted)) return null;
  let found: Option[] | null = null;
  let option: { value: string; text: string; selected: boolean } | null = null;
  let inGroup = false;
  for (const token of htmlTokens(page)) {
    if (found === null) {
      const isOurs = token.kind === 'open' && token.name === 'select';
      if (isOurs && attributeOf(token.attributes, attribute) === wanted) found = [];
    } else if (token.kind === 'text') {
      if (option !== null) option.text = extended(option.text, token.text, longestText);
    } else if (token.name === 'select' && token.kind === 'close') {
      return found.map(({ text, ...rest }) => ({ ...rest, text: collapse(decodeEntities(text)) }));
    } else if (token.name === 'optgroup') {
      // The end of a group that never began does not end an option.
      if (token.kind === 'open' || inGroup) option = null;
      inGroup = token.kind === 'open';
    } else if (token.name === 'option') {
      option = null;
      if (token.kind !== 'open') continue;
      if (found.length === mostOptions) return null;
      const value = attributeOf(token.attributes, 'value')?.trim() ?? '';
      option = { value, text: '', selected: attributeOf(token.attributes, 'selected') !== null };
      found.push(option);
    }
  }
  return null;
};

/** By id, else by name. */
export const optionsNamed = (page: string, wanted: string): Option[] | null =>
  optionsOf(page, 'id', wanted) ?? optionsOf(page, 'name', wanted);
