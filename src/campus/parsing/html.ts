/**
 * Yields the source text of every `select` of a page, in page order, closing tag included. Comments, scripts and text
 * areas are skipped, so markup quoted in them does not count; a `select` that is never closed belongs to a page that
 * was cut and is left out. Goes once over the text: it picks the piece for a tree parser, whose own time grows with
 * the square of the depth on hostile pages.
 */
export function* selectSources(html: string): Generator<string> {
  const opening = /<!--|<(script|style|textarea|select)(?=[\s/>])/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const tag = found[1]?.toLowerCase();
    const closing = tag === undefined ? /-->/g : new RegExp(`</${tag}[^<>]*>`, 'gi');
    // `<!-->` is a whole comment: its end may share the dashes of its beginning.
    closing.lastIndex = found.index + 2;
    // Unclosed: the rest of the page belongs to it.
    if (closing.exec(html) === null) return;
    if (tag === 'select') yield html.slice(found.index, closing.lastIndex);
    opening.lastIndex = closing.lastIndex;
  }
}

/** Whether the end of a page arrived: what stands before it is then all there is. */
export const hasEnd = (page: string): boolean => /<\/(?:body|html)\s?>/i.test(page);
