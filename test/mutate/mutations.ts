import { stripTypeScriptTypes } from 'node:module';

/** One small change of a source. */
export interface Mutation {
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole source with the change. */
  readonly text: string;
}

type Change = readonly [pattern: RegExp, after: (found: string) => string];

const to = (after: string) => (): string => after;

const nextTo = (number: number): string => String(number < 100 ? number + 1 : number * 2);

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
  [/(?<=\n {2,})(?:await )?(?:this\.)?[\w#.?]+\([^\n]*\);(?=\n)/g, to(';')],
];

/** The source with blanks for types, comments and texts: what is left at its place is executed. */
const executed = (source: string): string =>
  stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (found) => found.replaceAll(/[^\n]/g, ' '),
  );

const isImport = (line: string): boolean => /^\s*(?:import|export) .*from/.test(line);

/** Every small change of a source that can make a difference when it runs. */
export const mutationsOf = (source: string): readonly Mutation[] => {
  const code = executed(source);
  return changes.flatMap(([pattern, change]) =>
    [...code.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const line = source.slice(0, index).split('\n').length;
      if (isImport(source.split('\n')[line - 1] ?? '')) return [];
      const after = change(found);
      const before = source.slice(index, index + found.length);
      return [{ line, before, after, text: source.slice(0, index) + after + source.slice(index + found.length) }];
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
