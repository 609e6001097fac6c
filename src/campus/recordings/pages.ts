import { type Doc, type DocCell, rebuild } from './cells.ts';
import { encodeText } from './charset.ts';
import { docOf } from './doc.ts';
import type { Exchange } from './recording.ts';
import { saysNothing } from './texts.ts';
import { isKeptName } from './words.ts';

/** An exchange with its body as cells. */
export interface ParsedExchange {
  readonly exchange: Exchange;
  /** Null: nothing of it is recorded but the names of fields, or an image. */
  readonly doc: Doc | null;
  /** Requests that differ in their values alone. */
  readonly place: string;
}

export const fieldNamesOf = (pairs: Exchange['query']): string => pairs.map(([name]) => name).join('&');

const placeOf = ({ system, method, path, query, form }: Exchange, isKept: (word: string) => boolean): string => {
  const steps = path.split('/').map((step) => (step === '' || isKeptName(step, isKept) ? step : '*'));
  return [system, method, steps.join('/'), fieldNamesOf(query), fieldNamesOf(form)].join(' ');
};

export const parseExchange = (exchange: Exchange, isKept: (word: string) => boolean): ParsedExchange => ({
  exchange,
  doc: exchange.contentType.startsWith('image/') ? null : docOf(exchange.text, isKept),
  place: placeOf(exchange, isKept),
});

/** Data, as against names and what nobody sees. */
export const isData = ({ kind }: DocCell): boolean => kind === 'value' || kind === 'number';

/** What becomes of a cell that no parser reads, whatever it holds and however long. */
export const blankOf = ({ kind, value }: DocCell, charset: string): string => {
  if (saysNothing(value)) return value;
  if (value === 'true' || value === 'false') return 'false';
  if (kind === 'number' || !/\p{L}/u.test(value)) return '0';
  return encodeText('某', charset) === null ? 'x' : '某';
};

export const withCells = (page: ParsedExchange, next: (cell: DocCell) => string | null): Exchange => {
  if (page.doc === null) return page.exchange;
  const text = rebuild(page.doc, next);
  return { ...page.exchange, text, body: Buffer.from(text) };
};
