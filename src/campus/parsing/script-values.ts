/** Reading values out of script text without running it. Each reads the text once, forward. */

/** After the string or comment that begins at `at`; `at` itself where none does. A broken string ends with its line. */
const behindQuoted = (text: string, at: number): number => {
  const sign = text[at];
  if (sign === '"' || sign === "'" || sign === '`') {
    for (let i = at + 1; i < text.length; i += 1) {
      if (text[i] === '\\') i += text.startsWith('\r\n', i + 1) ? 2 : 1;
      else if (text[i] === sign) return i + 1;
      else if (text[i] === '\n' && sign !== '`') return i;
    }
    return text.length;
  }
  if (sign !== '/') return at;
  const next = text[at + 1];
  if (next !== '/' && next !== '*') return at;
  const end = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  if (end < 0) return text.length;
  return next === '/' ? end : end + 2;
};

/**
 * Where the expression that begins at `from` ends: at the first comma or closing bracket that is not inside a string,
 * a comment or nested brackets; -1 when the text ends before.
 */
export const expressionEnd = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const behind = behindQuoted(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if ((sign === ',' || sign === ';') && depth === 0) return at;
    at += 1;
  }
  return -1;
};

/** A script literal as JSON: without comments and without commas before a closing bracket. Strings stay as they are. */
export const asJson = (literal: string): string => {
  const kept: string[] = [];
  /** Position of the latest comma, while only blanks and comments have followed it. */
  let comma = -1;
  for (let at = 0; at < literal.length; ) {
    const piece = literal.slice(at, Math.max(behindQuoted(literal, at), at + 1));
    at += piece.length;
    const isComment = piece.length > 1 && piece.startsWith('/');
    if (isComment) continue;
    if ((piece === ']' || piece === '}') && comma >= 0) kept[comma] = '';
    if (piece.trim() !== '') comma = piece === ',' ? kept.length : -1;
    kept.push(piece);
  }
  return kept.join('');
};

/** A script with a blank for every comment. Strings stay as they are. */
export const withoutComments = (script: string): string => {
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < script.length; ) {
    const behind = behindQuoted(script, at);
    if (behind > at && script[at] === '/') {
      kept.push(script.slice(from, at), ' ');
      from = behind;
    }
    at = Math.max(behind, at + 1);
  }
  return kept.join('') + script.slice(from);
};
