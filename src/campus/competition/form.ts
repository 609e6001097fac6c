import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';

/** The form of a page as a browser would send it back. */
export interface PageForm {
  /** Named controls with their current values, in page order. */
  readonly fields: ReadonlyMap<string, string>;
  /** Ids of text fields, by which a control without a fixed name is found. */
  readonly namesById: ReadonlyMap<string, string>;
  /** Where links post back to, by the id of the link. */
  readonly targets: ReadonlyMap<string, string>;
}

const mostControls = 2_000;
const notSent = new Set(['submit', 'button', 'image', 'reset', 'file']);

const targetOf = (href: string): string | null => /__doPostBack\(\s{0,4}['"]([^'"]{1,300})['"]/.exec(href)?.[1] ?? null;

/** Reads the first form that is posted, up to its end. Null when the page has none. */
export const readForm = (page: string): PageForm | null => {
  const fields = new Map<string, string>();
  const namesById = new Map<string, string>();
  const targets = new Map<string, string>();
  let inForm = false;
  let select: { name: string; value: string | null } | null = null;
  /** An option without a value sends its text. */
  let option: { selected: boolean; text: string } | null = null;
  const endOption = (): void => {
    if (select !== null && option !== null && (select.value === null || option.selected)) {
      select.value = collapse(decodeEntities(option.text));
    }
    option = null;
  };
  const endSelect = (): void => {
    endOption();
    if (select !== null && select.value !== null) fields.set(select.name, select.value);
    select = null;
  };
  let area: string | null = null;
  for (const token of htmlTokens(page)) {
    if (!inForm) {
      inForm =
        token.kind === 'open' &&
        token.name === 'form' &&
        attributeOf(token.attributes, 'method')?.toLowerCase() === 'post';
      continue;
    }
    if (fields.size + targets.size > mostControls) break;
    if (token.kind === 'text') {
      if (option !== null) option.text += token.text.slice(0, 500);
      continue;
    }
    if (token.kind === 'raw') {
      if (token.name === 'textarea' && area !== null) fields.set(area, decodeEntities(token.text));
      area = null;
      continue;
    }
    if (token.kind === 'close') {
      if (token.name === 'form') break;
      if (token.name === 'select') endSelect();
      if (token.name === 'option') endOption();
      continue;
    }
    const { attributes } = token;
    const get = (wanted: string): string | null => attributeOf(attributes, wanted);
    if (token.name === 'a') {
      const target = targetOf(get('href') ?? '');
      if (target !== null) targets.set(get('id') ?? '', target);
      continue;
    }
    if (token.name === 'option' && select !== null) {
      endOption();
      const value = get('value');
      const selected = get('selected') !== null;
      if (value === null) option = { selected, text: '' };
      else if (select.value === null || selected) select.value = value;
      continue;
    }
    const name = get('name');
    if (name === null || name === '' || get('disabled') !== null) continue;
    if (token.name === 'select') {
      endSelect();
      select = { name, value: null };
    } else if (token.name === 'textarea') area = name;
    else if (token.name === 'input') {
      const type = (get('type') ?? 'text').toLowerCase();
      const box = type === 'checkbox' || type === 'radio';
      if (notSent.has(type) || (box && get('checked') === null)) continue;
      fields.set(name, get('value') ?? (box ? 'on' : ''));
      const id = get('id');
      if (id !== null) namesById.set(id, name);
    }
  }
  return inForm ? { fields, namesById, targets } : null;
};

/** A page of a live session: its form carries a view state. */
export const competitionPageAlive = (page: string): boolean =>
  page.includes('__VIEWSTATE') && (readForm(page)?.fields.get('__VIEWSTATE') ?? '') !== '';
