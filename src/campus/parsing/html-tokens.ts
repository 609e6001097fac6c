import { decodeEntities } from './text.ts';

/**
 * A page as a flat sequence. Times grow with the length of the page alone, however its tags are nested, crossed or cut:
 * a tree of a hostile page would cost the square of its depth, and the stack.
 */
export type HtmlToken = HtmlPart & {
  /** Where it stands in the page; comments and anything cut off at the end stand between tokens and behind them. */
  readonly from: number;
  readonly to: number;
};

type HtmlPart =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string }
  /** Source text: entities are not decoded. */
  | { readonly kind: 'text'; readonly text: string }
  /** The text inside a script, style or text area. */
  | { readonly kind: 'raw'; readonly name: string; readonly text: string };

const rawElements = new Set(['script', 'style', 'textarea']);

/** Index of the `>` that ends the tag begun before `from`, outside quoted attribute values; -1 if it is cut off. */
const tagEnd = (html: string, from: number, open: { '"': boolean; "'": boolean }): number => {
  const mark = /[>"']/g;
  mark.lastIndex = from;
  for (let found = mark.exec(html); found !== null; found = mark.exec(html)) {
    const [sign] = found;
    if (sign === '>') return found.index;
    if (sign !== '"' && sign !== "'") continue;
    // A quote opens a value only after `=`, and only if another one follows somewhere.
    if (!open[sign] || !/=\s{0,8}$/.test(html.slice(Math.max(from - 1, found.index - 10), found.index))) continue;
    const end = html.indexOf(sign, found.index + 1);
    if (end < 0) open[sign] = false;
    else mark.lastIndex = end + 1;
  }
  return -1;
};

export function* htmlTokens(html: string): Generator<HtmlToken> {
  /** False once no further quote of that kind follows: then it is not looked for again. */
  const quotes = { '"': true, "'": true };
  let at = 0;
  const begin = /<(?:!--|[!?]|(\/?)([a-zA-Z][^\s/<>]{0,63}))/g;
  for (let found = begin.exec(html); found !== null; found = begin.exec(html)) {
    if (found.index > at) yield { kind: 'text', text: html.slice(at, found.index), from: at, to: found.index };
    const name = found[2]?.toLowerCase();
    if (name === undefined) {
      // `<!-->` is a complete comment: its end may share the dashes of its beginning.
      const end = found[0] === '<!--' ? html.indexOf('-->', found.index + 2) : html.indexOf('>', found.index);
      if (end < 0) return;
      at = end + (found[0] === '<!--' ? 3 : 1);
    } else {
      const end = tagEnd(html, begin.lastIndex, quotes);
      if (end < 0) return;
      const place = { from: found.index, to: end + 1 };
      // Browsers take `</br>` for a line break.
      if (found[1] === '/' && name === 'br') yield { kind: 'open', name, attributes: '', ...place };
      else if (found[1] === '/') yield { kind: 'close', name, ...place };
      else yield { kind: 'open', name, attributes: html.slice(begin.lastIndex, end), ...place };
      at = end + 1;
      if (found[1] !== '/' && rawElements.has(name)) {
        const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
        closing.lastIndex = at;
        const stop = closing.exec(html)?.index ?? html.length;
        yield { kind: 'raw', name, text: html.slice(at, stop), from: at, to: stop };
        at = stop;
      }
    }
    begin.lastIndex = at;
  }
  if (at < html.length) yield { kind: 'text', text: html.slice(at), from: at, to: html.length };
}

/** Attribute of an opening tag, entities decoded; `""` when it has no value, null when it is missing. */
export const attributeOf = (attributes: string, wanted: string): string | null => {
  const pair = /([^\s"'<>/=]+)(?:\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  for (const [, name, double, single, bare] of attributes.matchAll(pair)) {
    if (name?.toLowerCase() === wanted) return decodeEntities(double ?? single ?? bare ?? '');
  }
  return null;
};

export const hasCssClasses = (attributes: string, ...wanted: string[]): boolean => {
  if (!attributes.includes(wanted[0] ?? '')) return false;
  const classes = (attributeOf(attributes, 'class') ?? '').split(/\s+/);
  return wanted.every((name) => classes.includes(name));
};

/** A page that arrived to its end has nothing missing. */
export const hasEnd = (page: string): boolean => /<\/(?:body|html)\s?>/i.test(page);
