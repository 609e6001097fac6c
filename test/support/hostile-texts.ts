/** Hostile texts out of a good one: each of its marks repeated, unclosed, nested, and runs of every sign inside it. */

export interface Shape<T = string> {
  readonly name: string;
  /** A text of about that many characters, or a file of that many bytes. */
  of(size: number): T;
}

/** Texts that parsers of any page, script or JSON stumble over. */
const anywhere = [
  '<div>',
  '<table><tr><td>',
  '<ul><li><a>',
  '</td></tr></table>',
  '<b ',
  '<a x="',
  "<p x='",
  '<a b=c"\'',
  '<!--',
  '<!-->',
  '<![CDATA[',
  '<?xml ',
  '<script>',
  '<textarea>x</textarea>',
  '</script',
  '</',
  '&#x',
  '&amp',
  '&notit;',
  '[',
  '{"a":',
  '[{"a":[',
  '"\\u0000',
  '"',
  '\ud83d',
];

/** Runs that patterns with two open ends, or an end that never comes, are slow on. */
const runs = [' ', '\n', '\u3000', 'a', '1', '0.', ',', '<', '"', "'", '&', '(', '[', '/*', '//', '\\', '-', '中'];

const filled = (piece: string, size: number): string =>
  piece.repeat(Math.max(1, Math.ceil(size / piece.length))).slice(0, Math.max(size, piece.length));

/** The piece again and again, each time with other values: names and ids that were not there before. */
const numbered = (piece: string, size: number): string => {
  const parts = piece.split(/(?<=[=:]\s?["'][^"'<>]*)(?=["'])/);
  const made: string[] = [];
  for (let length = 0, i = 0; length < size; i += 1) {
    const next = parts.join(String(i));
    made.push(next);
    length += next.length;
  }
  return made.join('');
};

/** Tags, elements of lists, quoted texts and words of a text, `most` of them from all over it. */
const piecesOf = (sample: string, most: number): string[] => {
  const found = sample.match(/<[^<>]{1,200}>|\{[^{}]{1,400}\},?|"[^"\n]{1,80}"[:,]?|[\p{L}\p{N}_$.]+[(=:]?/gu) ?? [];
  const pieces = [...new Set(found)];
  const step = Math.max(1, pieces.length / most);
  return Array.from({ length: Math.min(most, pieces.length) }, (_, i) => pieces[Math.floor(i * step)] ?? '');
};

const marksOf = (sample: string): Shape[] =>
  piecesOf(sample, 10).flatMap((piece) => {
    const at = sample.indexOf(piece);
    const [before, behind] = [sample.slice(0, at), sample.slice(at + piece.length)];
    const label = JSON.stringify(piece.slice(0, 40));
    const cut = piece.length > 1 ? piece.slice(0, -1) : piece;
    return [
      { name: `${label} repeated`, of: (size) => filled(piece, size) },
      { name: `${label} unclosed`, of: (size) => filled(cut, size) },
      { name: `${label} repeated in its place`, of: (size) => before + filled(piece, size) + behind },
      { name: `${label} with other values`, of: (size) => before + numbered(piece, size) + behind },
      { name: `${label} with other values, no end`, of: (size) => before + numbered(cut, size) },
    ];
  });

/** Behind the marks of a text, at its end, and before the last sign of some marks. */
const placesIn = (sample: string): number[] => {
  const ends = piecesOf(sample, 3).map((piece) => sample.indexOf(piece) + piece.length);
  return [...new Set([...ends, ...ends.slice(0, 2).map((end) => end - 1), sample.length])];
};

const runsIn = (sample: string): Shape[] =>
  placesIn(sample).flatMap((place) =>
    runs.map((run) => ({
      name: `a run of ${JSON.stringify(run)} at ${place}`,
      of: (size) => `${sample.slice(0, place)}${filled(run, size)}!${sample.slice(place)}`,
    })),
  );

/** The marks with other values each time, as `hostileTexts` has them too. */
export const growingLists = (sample: string): Shape[] =>
  marksOf(sample).filter(({ name }) => name.endsWith('with other values'));

/** The same text for each reader that is given it. */
const madeOnce = ({ name, of }: Shape): Shape => {
  const made = new Map<number, string>();
  return {
    name,
    of: (size) => {
      const text = made.get(size) ?? of(size);
      made.set(size, text);
      return text;
    },
  };
};

const ofNoSample: readonly Shape[] = [
  ...anywhere.map((piece) => ({ name: `${JSON.stringify(piece)} alone`, of: (size: number) => filled(piece, size) })),
  { name: 'blanks before a sign', of: (size: number) => `${filled(' ', size)}x` },
  { name: 'a long value', of: (size: number) => `<div class="${filled('x ', size)}">` },
  { name: 'many attributes', of: (size: number) => `<div ${numbered('a="1" ', size)}>` },
  { name: 'many names', of: (size: number) => `{${numbered('"a": "1",', size)}"z":1}` },
  { name: 'accents out of order', of: (size: number) => filled('\u0301', size / 2) + filled('\u0316', size / 2) },
].map(madeOnce);

export const hostileTexts = (sample: string): Shape[] => [...ofNoSample, ...marksOf(sample), ...runsIn(sample)];

/** Milliseconds of processor time: the clock on the wall counts what other programs do. */
const timeOf = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage();
  try {
    await work();
  } catch {
    // A hostile text may be refused; what counts is the time it took.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

const SMALL = 4 * 1024;
const TIMES = 8;
/** The most that eightfold size may cost; the square would cost 64 times. */
const MOST = 24;
/** Below it, times of a few microseconds tell nothing. */
const FLOOR_MS = 0.02;

/** Each looks at pages twice as long as the one before, with more rounds: only what grows with the page is left at the end. */
const LOOKS = 3;
const ROUNDS = 5;

/**
 * How many times more eightfold size costs: the least of the one by the least of the other, measured by turns so that both
 * meet the same load. Null as soon as it is seen to be within bounds.
 */
const excessAt = async <T>(
  read: (text: T) => unknown,
  shape: Shape<T>,
  smallSize: number,
  rounds: number,
): Promise<number | null> => {
  const much = shape.of(smallSize * TIMES);
  let little: T | undefined;
  let [small, big] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    big = Math.min(big, await timeOf(() => read(much)));
    if (big <= MOST * FLOOR_MS) return null;
    little ??= shape.of(smallSize);
    const short = little;
    small = Math.min(small, await timeOf(() => read(short)));
    if (big <= MOST * Math.max(small, FLOOR_MS)) return null;
  }
  return big / small;
};

/** How many times more eightfold size costs than it may; null when any look finds it within bounds. */
export const excessOf = async <T>(
  read: (text: T) => unknown,
  shape: Shape<T>,
  smallSize = SMALL,
): Promise<number | null> => {
  let excess: number | null = null;
  for (let look = 0; look < LOOKS; look += 1) {
    excess = await excessAt(read, shape, smallSize * 2 ** look, ROUNDS * (look + 1));
    if (excess === null) return null;
  }
  return excess;
};
