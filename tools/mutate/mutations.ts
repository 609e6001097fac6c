import { stripTypeScriptTypes } from 'node:module';

/** The samples of `npm run mutate` take from each kind in turn. */
type Form = 'expression' | 'statement' | 'kept value' | 'order' | 'link' | 'member' | 'part of a text';

/** One small change of a source. */
export interface Mutation {
  readonly form: Form;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole source with the change. */
  readonly text: string;
}

type Change = readonly [pattern: RegExp, after: (found: string) => string, form?: Form];

const to = (after: string) => (): string => after;

const nextTo = (number: number): string => String(number < 100 ? number + 1 : number * 2);

/** Two lines of one depth. */
const swapped = (found: string): string => found.split('\n').toReversed().join('\n');

const changes: readonly Change[] = [
  [/ === /g, to(' !== ')],
  [/ !== /g, to(' === ')],
  [/ < /g, to(' <= ')],
  [/ <= /g, to(' < ')],
  [/ > /g, to(' >= ')],
  [/ >= /g, to(' > ')],
  [/ &&(?=\s)/g, to(' ||')],
  // Two groups of one match are there together, or not at all.
  [/(?<!=== undefined) \|\|(?=\s)| \|\|(?! \w+ === undefined)(?=\s)/g, to(' &&')],
  [/ \?\?(?=\s)/g, to(' &&')],
  // The first thing asked is answered no.
  [/\bif \((?=\S)/g, to('if (false && ')],
  [/ \+ /g, to(' - ')],
  [/ - /g, to(' + ')],
  [/ \* /g, to(' / ')],
  [/\btrue\b/g, to('false')],
  [/\bfalse\b/g, to('true')],
  [/\bMath\.min\b/g, to('Math.max')],
  [/\bMath\.max\b/g, to('Math.min')],
  [/\.every\(/g, to('.some(')],
  [/\.some\(/g, to('.every(')],
  [/(?<=[(\s])!(?=[\w(#])/g, to('')],
  // The next number where it counts something, twice the number where it is a length of time or a size.
  // In the order of two values only the sign counts; -1 says that there is none.
  [
    /(?<![\w.])(?<!return -(?=1;))(?<! [<>] [\w.]+ \? (?:-?(?=1\b)|-?1 : (?=0\b)))\d[\d_]*(?![\w.])/g,
    (found) => nextTo(Number(found.replaceAll('_', ''))),
  ],
  // A statement that only does something: left out.
  [/(?<=\n {2,})(?:await )?(?:this\.)?[\w#.?]+\([^\n]*\);(?=\n)/g, to(';'), 'statement'],
  // A value that is read or worked out again: the one before is kept.
  [/(?<=\n {2,})(?:this\.)?[\w#.]+ = [^\n]*;(?=\n)/g, to(';'), 'kept value'],
  // Two statements that only do something: the other way round. It changes nothing when a line of the log is written, or a
  // timer put away.
  [
    /(?<=\n)( {2,})((?!\S*\blog\.|clear|stopTimer)(?:await )?[\w#.?]+\([^\n]*\);)\n\1((?!\S*\blog\.|clear|stopTimer)(?:await )?[\w#.?]+\([^\n]*\);)(?=\n)/g,
    swapped,
    'order',
  ],
  // One link of a chain: a statement to the database asks for more, or for more rows.
  [
    /(?:\n\s+)?\.(?:where|whereRef|andWhere|limit|orderBy|filter)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g,
    to(''),
    'link',
  ],
  // One member of an object: left out.
  [
    /(?<=\n {2,})(?:\w+: (?=[^\s,])(?:[^\n{[(]|\([^\n()]*\)|\[[^\n[\]]*\]|\{[^\n{}]*\})*|\w+|\.\.\.[\w.]+),(?=\n)/g,
    to(''),
    'member',
  ],
  [/(?<=[({] )\w+(?:: [\w.]+)?, (?=[^{}\n]* \}(?! =[ >]|\)? =>|: |\)(?:: [^\n]*)? \{))/g, to(''), 'member'],
];

/** One part of a text that is put together, such as a key: left out. */
const textParts = /\$\{[^{}`]+\}/g;

const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');

/** The source with blanks for types, comments and texts: what is left at its place is executed. */
const executed = (source: string): string =>
  stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    blank,
  );

/** The source with blanks for all but the texts that values are put into, at least two of them. */
const texts = (source: string): string => {
  const kept = [...source.matchAll(/(?<!\\)`(?:\\.|[^`\\])*`/g)].filter(
    ([text]) => [...text.matchAll(textParts)].length > 1,
  );
  return kept.reduceRight(
    (blanked, { 0: text, index }) => blanked.slice(0, index) + text + blanked.slice(index + text.length),
    blank(source),
  );
};

const isImport = (line: string): boolean => /^\s*(?:import|export) .*from/.test(line);

/** Every small change of a source that can make a difference when it runs. */
export const mutationsOf = (source: string): readonly Mutation[] => {
  const code = executed(source);
  const all = [
    ...changes.map((change) => [code, ...change] as const),
    [texts(source), textParts, to(''), 'part of a text'] as const,
  ];
  return all.flatMap(([within, pattern, change, form = 'expression']) =>
    [...within.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const line = source.slice(0, index).split('\n').length;
      if (isImport(source.split('\n')[line - 1] ?? '')) return [];
      const before = source.slice(index, index + found.length);
      const after = change(before);
      return [{ form, line, before, after, text: source.slice(0, index) + after + source.slice(index + found.length) }];
    }),
  );
};

/** Whether it can be run at all: `a && b ?? c` cannot, and every test would notice it. */
export const isSource = (text: string): boolean => {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
};
