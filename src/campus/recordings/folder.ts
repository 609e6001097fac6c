import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Capability, isCapability } from '../../domain/capabilities.ts';
import { charsets } from './charset.ts';
import type { Exchange, Recorded, RecordedReading } from './recording.ts';

/** The files of a recording, by name below its folder. */
export type RecordingFiles = ReadonlyMap<string, Uint8Array>;

const FieldPairsInFile = Type.Array(Type.Tuple([Type.String(), Type.String()]));

/** What another person has sent is no recording before it has this form. */
const RecordingFile = Type.Object({
  format: Type.Literal(1),
  origin: Type.Union([Type.Literal('campus'), Type.Literal('demo')]),
  version: Type.String(),
  products: Type.Array(Type.Object({ system: Type.String(), product: Type.String() })),
  timeZone: Type.String(),
  /** As whom the calls are made. */
  userid: Type.String(),
  landed: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  /** The day at the campus. */
  now: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  steps: Type.Array(
    Type.Object({
      page: Type.Unsafe<Exchange['page']>(Type.String()),
      system: Type.String(),
      method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
      path: Type.String(),
      query: FieldPairsInFile,
      form: FieldPairsInFile,
      status: Type.Integer(),
      location: Type.Union([Type.String(), Type.Null()]),
      cookies: Type.Array(Type.String()),
      charset: Type.Union(charsets.map((charset) => Type.Literal(charset))),
      contentType: Type.String(),
      /** Its body; null: it was empty. */
      file: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  /** The calls to make again, with the records or failures that they gave. */
  readings: Type.Array(
    Type.Object({
      page: Type.Unsafe<Capability>(Type.String()),
      parameters: Type.Array(Type.Unknown()),
      record: Type.Unknown(),
      failure: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
type RecordingFile = Static<typeof RecordingFile>;

const MANIFEST_FILE = 'recording.json';

const jsonIn = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};

/** About noon at the campus, on the day of a recording. */
const NOON_UTC = 'T04:00:00Z';

const exchangeOf = (step: RecordingFile['steps'][number], product: string, body: Uint8Array): Exchange => {
  const { file, ...rest } = step;
  const isText = !rest.contentType.startsWith('image/');
  const text = isText ? new TextDecoder(rest.charset, { ignoreBOM: true }).decode(body) : '';
  return { ...rest, product, body, text };
};

/** Reads the files of a folder; a text says what is wrong with them. */
export const readRecording = (files: RecordingFiles): Recorded | string => {
  const found = jsonIn(files.get(MANIFEST_FILE));
  if (!Value.Check(RecordingFile, found)) return `${MANIFEST_FILE} is missing, or no recording of this version`;
  const { steps, format, now, ...rest } = found;
  const named = new Set(steps.map(({ file }) => file));
  const foreign = [...files.keys()].find((name) => name !== MANIFEST_FILE && !named.has(name));
  if (foreign !== undefined) return `${foreign} belongs to no step of ${MANIFEST_FILE}`;
  const lost = steps.find(({ file }) => file !== null && !files.has(file));
  if (lost !== undefined) return `${lost.file} is missing`;
  const odd = rest.readings.find(({ page }) => !isCapability(page));
  if (odd !== undefined) return `${odd.page} is nothing that a campus can be asked for`;
  const products = new Map(rest.products.map(({ system, product }) => [system, product]));
  const bodyOf = (file: string | null): Uint8Array => (file === null ? undefined : files.get(file)) ?? new Uint8Array();
  return {
    ...rest,
    now: Date.parse(now + NOON_UTC),
    exchanges: steps.map((step) => exchangeOf(step, products.get(step.system) ?? '', bodyOf(step.file))),
    secrets: [],
  };
};

const suffixOf = (contentType: string): string =>
  contentType.startsWith('image/') ? 'gif' : (/json|xml/.exec(contentType)?.[0] ?? 'html');

/** The files of a folder. Each step and each reading is one line, so that a `diff` tells which has changed. */
export const writeRecording = (
  facts: Omit<RecordingFile, 'format' | 'steps' | 'readings'>,
  exchanges: readonly Exchange[],
  readings: readonly RecordedReading[],
): RecordingFiles => {
  const files = new Map<string, Uint8Array>();
  const steps = exchanges.map((exchange, at) => {
    const { page, system, method, path, query, form, status, location, cookies, charset, contentType, body } = exchange;
    const name = `${String(at + 1).padStart(3, '0')}-${page}.${suffixOf(contentType)}`;
    if (body.length > 0) files.set(name, body);
    const file = body.length > 0 ? name : null;
    return { page, system, method, path, query, form, status, location, cookies, charset, contentType, file };
  });
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
  const head = JSON.stringify({ format: 1, ...facts }).slice(0, -1);
  const written = `${head},\n"steps":[${lines(steps)}\n],\n"readings":[${lines(readings)}\n]}\n`;
  return files.set(MANIFEST_FILE, Buffer.from(written));
};

/** The names of files that are not the same in both. */
export const differences = (one: RecordingFiles, other: RecordingFiles): string[] => {
  // Which version has made it is no difference.
  const textOf = (files: RecordingFiles, name: string): string => {
    const text = Buffer.from(files.get(name) ?? []).toString('latin1');
    return name === MANIFEST_FILE ? text.replace(/"version":"[^"]*"/, '') : text;
  };
  const isSame = (name: string): boolean => textOf(one, name) === textOf(other, name);
  const names = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return names.filter((name) => !one.has(name) || !other.has(name) || !isSame(name));
};
