import { request } from 'node:http';

/** What the running service has met on pages that it did not expect, out of its metrics. */
export interface OddPage {
  readonly system: string;
  readonly page: string;
  readonly kind: string;
  readonly count: number;
  /** Of members and labels. */
  readonly names: readonly string[];
}

const PATIENCE_MS = 5_000;
/** Metrics of a large campus take some hundred KiB. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** @throws Error that says why there is no answer */
export const metricsAt = async (url: string): Promise<{ readonly status: number; readonly text: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request(url, { agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }, (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => {
      text += part;
      if (text.length > MOST_CHARACTERS) answer.destroy(new Error('answer too long'));
    });
    answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    answer.once('error', reject);
  });
  asked.once('error', reject);
  asked.end();
  return promise;
};

const line = /^(campus_page_oddities_total|campus_page_oddity_names_total)\{(.*)\} (\d+(?:\.\d+)?(?:e\+?\d+)?)$/;
const labelPattern = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Undoes the quoting of label values. */
const unquote = (value: string): string => value.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));

/** By page, the most frequent kind first. */
export const oddPagesIn = (metrics: string): OddPage[] => {
  const found = new Map<string, { system: string; page: string; kind: string; count: number; names: string[] }>();
  for (const text of metrics.split('\n')) {
    const [, metric, labels = '', number = ''] = line.exec(text) ?? [];
    if (metric === undefined) continue;
    const of = new Map([...labels.matchAll(labelPattern)].map(([, name = '', value = '']) => [name, unquote(value)]));
    const [system = '', page = '', kind = ''] = ['system', 'page', 'kind'].map((name) => of.get(name));
    const key = JSON.stringify([system, page, kind]);
    const entry = found.get(key) ?? { system, page, kind, count: 0, names: [] };
    found.set(key, entry);
    if (metric === 'campus_page_oddities_total') entry.count += Number(number);
    else if (of.get('name')) entry.names.push(of.get('name') ?? '');
  }
  const byPage = ({ system, page }: OddPage): string => `${system} ${page}`;
  return [...found.values()].toSorted((a, b) =>
    byPage(a) === byPage(b) ? b.count - a.count : byPage(a) < byPage(b) ? -1 : 1,
  );
};
