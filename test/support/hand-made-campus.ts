import { encodeText } from '../../src/campus/recordings/charset.ts';
import { scrub } from '../../src/campus/recordings/make.ts';
import type {
  Exchange,
  Recorded,
  RecordedPage,
  RecordedReading,
  Replay,
} from '../../src/campus/recordings/recording.ts';
import type { Capability } from '../../src/domain/capabilities.ts';

/** A page, and what its driver makes of it. */
export interface HandMade {
  readonly text: string;
  readonly read: (text: string) => unknown;
  readonly page?: Capability;
  readonly charset?: string;
  readonly body?: Uint8Array;
  readonly query?: Exchange['query'];
}

const jsonPage: RecordedPage = 'academics.calendarText';

const exchangeOf = ({ text, page = jsonPage, charset = 'utf-8', body, query = [] }: HandMade): Exchange => ({
  ...{ page, system: 'lakeside', product: 'lakeside', method: 'GET', path: '/api/terms', query, form: [] },
  ...{ status: 200, location: null, cookies: [], charset, text },
  contentType: text.startsWith('<') ? 'text/html' : 'application/json',
  body: body ?? encodeText(text, charset) ?? Buffer.of(),
});

/** Recorded pages of a campus that is nowhere, each of which one read asks for. */
export const handMade = async (...pages: readonly HandMade[]) => {
  const replay: Replay = async (exchanges, calls) =>
    calls.map(({ page, parameters }): RecordedReading => {
      const exchange = exchanges.find((each) => each.page === page);
      const read = pages.find((each) => (each.page ?? jsonPage) === page)?.read;
      try {
        const record: unknown = read?.(exchange?.text ?? '');
        return { page, parameters, record: JSON.parse(JSON.stringify(record ?? null)), failure: null };
      } catch {
        return { page, parameters, record: null, failure: 'upstream-unreadable' };
      }
    });
  const exchanges = pages.map(exchangeOf);
  const calls = pages.map(({ page = 'academics.calendarText' }) => ({ page, parameters: [] }));
  const student = { userid: '2023000001', landed: {} };
  const recorded: Recorded = {
    ...student,
    ...{ origin: 'campus', version: '1.0.0', products: [{ system: 'lakeside', product: 'lakeside' }] },
    ...{ now: Date.UTC(2026, 2, 18, 2), timeZone: 'Asia/Shanghai', secrets: ['demo-password'], exchanges },
    readings: await replay(exchanges, calls, student),
  };
  return { recorded, replay };
};

/** The texts of its files by their names; a refusal fails. */
export const recordingOf = async (pages: readonly HandMade[], leftOut?: ReadonlySet<string>) => {
  const { recorded, replay } = await handMade(...pages);
  const made = await scrub(recorded, replay, leftOut);
  if ('refused' in made) throw new Error(`refused: ${JSON.stringify(made.refused)}`);
  const decoded = [...made.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const);
  return { ...made, texts: Object.fromEntries(decoded) };
};
