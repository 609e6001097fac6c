import { attributeOf, hasClasses, htmlTokens } from '../parsing/html-tokens.ts';
import { clean } from '../parsing/text.ts';

/** One list item of a record page. A part that is missing is null, one without text `""`. */
export interface RecordItem {
  /** The class that the balance rows carry on the item itself. */
  readonly isContent: boolean;
  /** Inside `#divRecord`. */
  readonly isRecord: boolean;
  readonly title: string | null;
  readonly after: string | null;
  readonly subtitle: string | null;
}

type Part = 'title' | 'after' | 'subtitle';

const parts: ReadonlyArray<readonly [className: string, part: Part]> = [
  ['item-title', 'title'],
  ['item-after', 'after'],
  ['item-subtitle', 'subtitle'],
];

const longestPart = 500;
/** A room has some thousands of rows in a year of days and meters. A page with more items is not read to its end. */
export const mostItems = 10_000;

class OpenItem {
  readonly isContent: boolean;
  readonly isRecord: boolean;
  readonly #texts: Partial<Record<Part, string>> = {};
  #part: Part | null = null;
  /** Open `div`s inside the part that is being read. */
  #depth = 0;

  constructor(isContent: boolean, isRecord: boolean) {
    this.isContent = isContent;
    this.isRecord = isRecord;
  }

  openDiv(attributes: string): void {
    if (this.#part !== null) {
      this.#depth += 1;
      return;
    }
    const part = parts.find(([className]) => hasClasses(attributes, className))?.[1];
    // The first of its kind counts.
    if (part === undefined || this.#texts[part] !== undefined) return;
    this.#part = part;
    this.#texts[part] = '';
  }

  closeDiv(): void {
    if (this.#depth > 0) this.#depth -= 1;
    else this.#part = null;
  }

  text(text: string): void {
    if (this.#part === null) return;
    const known = this.#texts[this.#part] ?? '';
    if (known.length < longestPart) this.#texts[this.#part] = known + text.slice(0, longestPart);
  }

  close(): RecordItem {
    const textOf = (part: Part): string | null => {
      const text = this.#texts[part];
      return text === undefined ? null : clean(text);
    };
    const { isContent, isRecord } = this;
    return { isContent, isRecord, title: textOf('title'), after: textOf('after'), subtitle: textOf('subtitle') };
  }
}

interface RecordPage {
  /** In page order. */
  readonly items: readonly RecordItem[];
  /** Whether the page has a `#divRecord`, and whether its end was seen. */
  readonly records: 'missing' | 'open' | 'closed';
}

/** All list items of a page. Items of these pages hold no items of their own. */
export const recordItems = (page: string): RecordPage => {
  const items: RecordItem[] = [];
  let item: OpenItem | null = null;
  let records: RecordPage['records'] = 'missing';
  /** Open `div`s from `#divRecord` on; 0 outside it. */
  let recordDepth = 0;
  for (const token of htmlTokens(page)) {
    if (items.length > mostItems) break;
    if (token.kind === 'text') {
      item?.text(token.text);
    } else if (token.kind !== 'raw' && token.name === 'li') {
      if (item !== null) items.push(item.close());
      item = token.kind === 'open' ? new OpenItem(hasClasses(token.attributes, 'item-content'), recordDepth > 0) : null;
    } else if (token.kind === 'open' && token.name === 'div') {
      if (recordDepth > 0) recordDepth += 1;
      else if (attributeOf(token.attributes, 'id') === 'divRecord') recordDepth = 1;
      if (recordDepth === 1) records = 'open';
      item?.openDiv(token.attributes);
    } else if (token.kind === 'close' && token.name === 'div') {
      if (recordDepth === 1) records = 'closed';
      if (recordDepth > 0) recordDepth -= 1;
      item?.closeDiv();
    }
  }
  if (item !== null) items.push(item.close());
  return { items, records };
};
