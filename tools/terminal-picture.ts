/** A terminal as an SVG picture: text, so it is compared like every other generated document. */

export type TerminalLine =
  /** `more`: the command of the line before goes on. */
  | { readonly kind: 'command'; readonly text: string; readonly more?: boolean }
  | { readonly kind: 'comment' | 'header'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown };

const LINE = 20;
const LEFT = 20;
const TOP = 52;
const WIDTH = 840;

const colours = {
  command: '#e6edf3',
  comment: '#8b949e',
  header: '#d2a8ff',
  prompt: '#7ee787',
  key: '#79c0ff',
  text: '#a5d6ff',
  number: '#ffa657',
  sign: '#e6edf3',
} as const;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const span = (colour: keyof typeof colours, text: string): string =>
  `<tspan fill="${colours[colour]}">${escaped(text)}</tspan>`;

/** A line of indented JSON: its member, its value, and signs. */
const colouredJson = (line: string): string => {
  const [, indent = '', key = '', rest = ''] = /^( *)("[^"]*": )?(.*)$/.exec(line) ?? [];
  const [, value = '', comma = ''] = /^(.*?)(,?)$/.exec(rest) ?? [];
  const colour = value.startsWith('"') ? 'text' : /^[{}[\]]/.test(value) ? 'sign' : 'number';
  return `${indent}${key === '' ? '' : span('key', key)}${span(colour, value)}${span('sign', comma)}`;
};

const rowsOf = (line: TerminalLine): string[] => {
  if (line.kind === 'json') return JSON.stringify(line.value, null, 2).split('\n').map(colouredJson);
  if (line.kind !== 'command') return [span(line.kind, line.text)];
  return [`${span('prompt', line.more ? '  ' : '$ ')}${span('command', line.text)}`];
};

export const terminalPicture = (title: string, lines: readonly TerminalLine[]): string => {
  const rows = lines.flatMap(rowsOf);
  const height = TOP + rows.length * LINE + 8;
  const text = rows.map((row, index) => `<text x="${LEFT}" y="${TOP + index * LINE + 4}">${row}</text>`);
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${20 + index * 18}" cy="18" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;white-space:pre}</style>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('')}
${text.join('\n')}
</svg>
`;
};
