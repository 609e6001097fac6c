/**
 * The Markdown of our own documents as HTML: headings, paragraphs, lists, tables and code, one line at a time. Everything
 * else of the text is shown as it is: unlike what a package makes, the page is safe without a second look at its text.
 */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Where a heading is found, as the usual hosts of repositories have it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

type Link = (target: string) => string | null;

const inline = (text: string, link: Link): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => {
      if (at % 2 === 1) return `<code>${escaped(part.slice(1, -1))}</code>`;
      return escaped(part)
        .replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, (_, words: string, target: string) => {
          const address = link(target);
          return address === null ? words : `<a href="${address}">${words}</a>`;
        })
        .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replace(/&lt;(https?:[^&\s]*)>/g, '<a href="$1">$1</a>');
    })
    // A link around code is cut in three by it.
    .join('')
    .replace(/\[(<code>[^\][]*<\/code>)\]\(([^()\s]*)\)/g, (_, words: string, target: string) => {
      const address = link(target);
      return address === null ? words : `<a href="${address}">${words}</a>`;
    });

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);

const kindOf = (line: string): 'fence' | 'heading' | 'row' | 'item' | 'blank' | 'text' => {
  if (line.startsWith('```')) return 'fence';
  if (/^#{1,4} /.test(line)) return 'heading';
  if (line.startsWith('|')) return 'row';
  if (/^(?:- |\d+\. )/.test(line)) return 'item';
  return line.trim() === '' ? 'blank' : 'text';
};

/** `link` says where a target leads; null: nowhere here, so that only its words are shown. */
export const htmlOf = (markdown: string, link: Link): { readonly title: string; readonly body: string } => {
  const html: string[] = [];
  const anchors = new Set<string>();
  let title = '';
  let open: 'p' | 'ul' | 'table' | 'pre' | null = null;
  let text: string[] = [];
  const close = (): void => {
    if (open === 'p') html.push(`<p>${inline(text.join(' '), link)}</p>`);
    if (open === 'ul') html.push(`<ul>${text.map((item) => `<li>${inline(item, link)}</li>`).join('')}</ul>`);
    if (open === 'table') html.push(`<div class="wide"><table>${text.join('')}</table></div>`);
    if (open === 'pre') html.push(`<pre><code>${escaped(text.join('\n'))}</code></pre>`);
    open = null;
    text = [];
  };
  const enter = (block: NonNullable<typeof open>): void => {
    if (open !== block) close();
    open = block;
  };
  const row = (line: string): void => {
    if (/^[|\s:-]+$/.test(line)) return;
    const tag = text.length === 0 ? 'th' : 'td';
    const cells = cellsOf(line);
    // A code of the first column can be linked to, where it comes first.
    const [, code] = /^ `([A-Z][A-Z_]+)` $/.exec(cells[0] ?? '') ?? [];
    const id = code !== undefined && !anchors.has(code) ? ` id="${code}"` : '';
    if (code !== undefined) anchors.add(code);
    text.push(`<tr${id}>${cells.map((cell) => `<${tag}>${inline(cell.trim(), link)}</${tag}>`).join('')}</tr>`);
  };
  for (const line of markdown.split('\n')) {
    const kind = kindOf(line);
    if (open === 'pre') {
      if (kind === 'fence') close();
      else text.push(line);
    } else if (kind === 'fence') {
      close();
      open = 'pre';
    } else if (kind === 'heading') {
      close();
      const [, marks = '#', words = ''] = /^(#+) (.*)$/.exec(line) ?? [];
      if (title === '') title = words;
      html.push(`<h${marks.length} id="${escaped(anchorOf(words))}">${inline(words, link)}</h${marks.length}>`);
    } else if (kind === 'row') {
      enter('table');
      row(line);
    } else if (kind === 'item') {
      enter('ul');
      text.push(line.replace(/^(?:- |\d+\. )/, ''));
    } else if (kind === 'blank') {
      close();
    } else if (open === 'ul') {
      text.push(`${text.pop()} ${line.trim()}`);
    } else {
      enter('p');
      text.push(line);
    }
  }
  close();
  return { title, body: html.join('\n') };
};
