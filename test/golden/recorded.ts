import { createHash } from 'node:crypto';
import { maskedHeader, maskedValue } from './masks.ts';

/** The answer that a client received. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly bytes: Buffer;
}

/** One case of an operation as it went. */
export interface Recorded {
  readonly name: string;
  readonly answer: Received;
  /** The requests that it sent to the campus. */
  readonly campus: readonly string[];
}

const WIDTH = 140;

/** Of a longer list these are shown, and of the rest how many there are and a digest. */
const SHOWN_ROWS = 3;

const rows = (list: readonly unknown[], indent: string): string[] => {
  const rest = list.slice(SHOWN_ROWS);
  const shown = list.slice(0, SHOWN_ROWS).map((row) => json(row, indent));
  if (rest.length === 0) return shown;
  const digest = createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 16);
  return [...shown, `(${rest.length} more, SHA-256 ${digest}…)`];
};

/** JSON over as few lines as fit. */
const json = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) return flat;
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? rows(value, deeper)
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${json(member, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`;
};

/** The value of a JSON text; undefined when it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const bodyText = ({ headers, bytes }: Received): string => {
  if (bytes.length === 0) return '(no body)';
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  if (type.startsWith('image/')) return `(${bytes.length} bytes, MD5 ${createHash('md5').update(bytes).digest('hex')})`;
  const value = parsed(bytes.toString());
  return value === undefined ? JSON.stringify(bytes.toString()) : json(maskedValue(value));
};

/** The headers of nearly every answer of a surface; the rest is told by what differs. */
export type UsualHeaders = ReadonlyMap<string, string>;

export const headersOf = ({ headers }: Received): UsualHeaders =>
  new Map(headers.map(([name, value]) => [name, maskedHeader(name, value)]));

/** Differs with every body. */
const perBody = 'content-length';

const headerLines = (answer: Received, usual: UsualHeaders): string[] => {
  const own = headersOf(answer);
  const lost = [...usual.keys()].filter((name) => !own.has(name)).map((name) => `- ${name}`);
  const other = [...own]
    .filter(([name, value]) => name !== perBody && usual.get(name) !== value)
    .map(([name, value]) => `+ ${name}: ${value}`);
  return [...lost, ...other].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
};

const headText = (answer: Received, usual: UsualHeaders): string =>
  [`HTTP ${answer.status}`, ...headerLines(answer, usual)].join('\n');

/** A request that is sent several times in a row stands once. */
const collapsed = (lines: readonly string[]): string[] => {
  const runs: { line: string; times: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) last.times += 1;
    else runs.push({ line, times: 1 });
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line} × ${times}`));
};

/** A body of several lines stands once. */
const shortBody = 200;

/** Cases that were answered alike stand together, and among them those that asked the campus alike. */
export const recordText = (title: string, cases: readonly Recorded[], usual: UsualHeaders): string => {
  const firstWith = new Map<string, string>();
  const answers = Map.groupBy(cases, ({ answer }) => `${headText(answer, usual)}\n${bodyText(answer)}`);
  const parts = [...answers.values()].map((same) => {
    const { name, answer: first } = same[0] as Recorded;
    const body = bodyText(first);
    const known = body.length < shortBody ? undefined : firstWith.get(body);
    firstWith.set(body, known ?? name);
    const answer = `${headText(first, usual)}\n${known === undefined ? body : `(the body of case ${known})`}`;
    const ways = [...Map.groupBy(same, ({ campus }) => collapsed(campus).join('\n'))].map(([campus, alike]) =>
      [
        ...alike.map(({ name }) => `  case ${name}`),
        ...(campus === '' ? ['    campus: not asked'] : campus.split('\n').map((line) => `    ${line}`)),
      ].join('\n'),
    );
    return [answer, ...ways].join('\n');
  });
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
};
