import { attributeOf, type HtmlToken, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf } from '../../parsing/reading.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

/** The form of a page as a browser would send it back. */
export interface PostBackForm {
  /** Named controls with their current values, in page order. */
  readonly fields: ReadonlyMap<string, string>;
  /** Ids of text fields, by which a control without a fixed name is found. */
  readonly namesById: ReadonlyMap<string, string>;
  /** Post-back targets, keyed by the id of the link. */
  readonly targets: ReadonlyMap<string, string>;
}

const mostControls = 2_000;
const notSent = new Set(['submit', 'button', 'image', 'reset', 'file']);

type Attribute = (name: string) => string | null;

const beginsPostedForm = (token: HtmlToken): boolean =>
  token.kind === 'open' && token.name === 'form' && attributeOf(token.attributes, 'method')?.toLowerCase() === 'post';

const targetOf = (href: string): string | null => /__doPostBack\(\s{0,4}['"]([^'"]{1,300})['"]/.exec(href)?.[1] ?? null;

/** Collects the first form that is posted, tag by tag, up to its end. */
class FormReader {
  readonly #fields = new Map<string, string>();
  readonly #namesById = new Map<string, string>();
  readonly #targets = new Map<string, string>();
  #inForm = false;
  #select: { readonly name: string; value: string | null } | null = null;
  /** An option without a value sends its text. */
  #option: { readonly selected: boolean; text: string } | null = null;
  #area: string | null = null;

  /** Null when the page has no such form. */
  read(page: string): PostBackForm | null {
    for (const token of htmlTokens(page)) {
      if (!this.#inForm) this.#inForm = beginsPostedForm(token);
      else if (this.#fields.size + this.#targets.size > mostControls) break;
      else if (token.kind === 'close' && token.name === 'form') break;
      else this.#take(token);
    }
    if (!this.#inForm) return null;
    return { fields: this.#fields, namesById: this.#namesById, targets: this.#targets };
  }

  #take(token: HtmlToken): void {
    if (token.kind === 'open') this.#begin(token.name, (name) => attributeOf(token.attributes, name));
    else if (token.kind === 'close') this.#end(token.name);
    else if (token.kind === 'text') {
      if (this.#option !== null) this.#option.text += token.text.slice(0, 500);
    } else {
      if (token.name === 'textarea' && this.#area !== null) this.#fields.set(this.#area, decodeEntities(token.text));
      this.#area = null;
    }
  }

  #end(tag: string): void {
    if (tag === 'select') this.#endSelect();
    if (tag === 'option') this.#endOption();
  }

  #begin(tag: string, get: Attribute): void {
    if (tag === 'a') {
      const target = targetOf(get('href') ?? '');
      if (target !== null) this.#targets.set(get('id') ?? '', target);
    } else if (tag === 'option') this.#beginOption(get);
    else this.#beginControl(tag, get);
  }

  #beginOption(get: Attribute): void {
    if (this.#select === null) return;
    this.#endOption();
    const value = get('value');
    const selected = get('selected') !== null;
    if (value === null) this.#option = { selected, text: '' };
    else if (this.#select.value === null || selected) this.#select.value = value;
  }

  #beginControl(tag: string, get: Attribute): void {
    const name = get('name');
    if (name === null || name === '' || get('disabled') !== null) return;
    if (tag === 'select') {
      this.#endSelect();
      this.#select = { name, value: null };
    } else if (tag === 'textarea') this.#area = name;
    else if (tag === 'input') this.#input(name, get);
  }

  #input(name: string, get: Attribute): void {
    const type = (get('type') ?? 'text').toLowerCase();
    const box = type === 'checkbox' || type === 'radio';
    if (notSent.has(type) || (box && get('checked') === null)) return;
    this.#fields.set(name, get('value') ?? (box ? 'on' : ''));
    const id = get('id');
    if (id !== null) this.#namesById.set(id, name);
  }

  #endOption(): void {
    const [select, option] = [this.#select, this.#option];
    if (select !== null && option !== null && (select.value === null || option.selected)) {
      select.value = collapse(decodeEntities(option.text));
    }
    this.#option = null;
  }

  #endSelect(): void {
    this.#endOption();
    if (this.#select !== null && this.#select.value !== null) this.#fields.set(this.#select.name, this.#select.value);
    this.#select = null;
  }
}

/** Reads the first form that is posted. Null when the page has none. */
export const readForm = reader('readForm', (page: string): PostBackForm | null => new FormReader().read(page));

/** A page of a live session: its form carries a view state. */
export const competitionPageAlive = reader(
  'competitionPageAlive',
  (page: string): boolean => page.includes('__VIEWSTATE') && (readForm(page)?.fields.get('__VIEWSTATE') ?? '') !== '',
);
