import { type Atoms, atomsOf } from './atoms.ts';
import { encodeText } from './charset.ts';
import { type Learned, learn } from './learn.ts';
import { type ParsedExchange, parseExchange } from './pages.ts';
import type { Exchange, Recorded, Replay } from './recording.ts';
import { isKeptIn } from './words.ts';

/** What a recording is made of, between its steps. */
export interface ScrubWork {
  readonly recorded: Recorded;
  readonly pages: readonly ParsedExchange[];
  readonly atoms: Atoms;
  readonly learned: Learned;
  isKept(word: string): boolean;
}

/** Its bytes are those of its text, or it is a picture, of which nothing is kept. */
const isWhole = ({ contentType, text, charset, body }: Exchange): boolean =>
  contentType.startsWith('image/') || Buffer.compare(encodeText(text, charset) ?? Buffer.of(), body) === 0;

/** @param known what was learned from another student's pages of the same campus, which need not be tried again */
export const prepareScrub = async (given: Recorded, replay: Replay, known?: Learned): Promise<ScrubWork> => {
  const lost = new Set(given.exchanges.flatMap((exchange) => (isWhole(exchange) ? [] : [exchange.page])));
  const recorded = {
    ...given,
    exchanges: given.exchanges.filter(({ page }) => !lost.has(page)),
    readings: given.readings.filter(({ page }) => !lost.has(page)),
  };
  const isKept = isKeptIn(recorded.products.map(({ product }) => product));
  const pages = recorded.exchanges.map((exchange) => parseExchange(exchange, isKept));
  const atoms = atomsOf(recorded.readings);
  return { recorded, pages, atoms, isKept, learned: known ?? (await learn(recorded, pages, atoms, replay)) };
};
