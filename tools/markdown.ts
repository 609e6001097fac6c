import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../src/pages/html.ts';

/** The anchor that the usual hosts of repositories give a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** HTML in the text is shown as it is written. `link` says where a target leads; null: only its words are shown. */
export const htmlOf = (markdown: string, link: (target: string) => string | null): string => {
  const anchors = new Set<string>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = link(href);
        return address === null ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      tablerow({ text }) {
        // A code of the first column can be linked to, where it comes first.
        const [, code] = /^<td><code>([A-Z][A-Z_]+)<\/code><\/td>/.exec(text) ?? [];
        const isFirst = code !== undefined && !anchors.has(code);
        if (isFirst) anchors.add(code);
        return `<tr${isFirst ? ` id="${code}"` : ''}>${text}</tr>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>');
};
