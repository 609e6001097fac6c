import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Capability, isCapability } from '../../domain/capabilities.ts';
import type { Exchange, Recorded } from './recording.ts';

type Files = ReadonlyMap<string, Uint8Array>;

const Pairs = Type.Array(Type.Tuple([Type.String(), Type.String()]));
const Texts = Type.Array(Type.String());
const PageName = Type.Unsafe<Capability>(Type.String());

/** What another person has sent is no recording before it has this form. */
const RecordingFile = Type.Object({
  format: Type.Literal(1),
  origin: Type.Union([Type.Literal('campus'), Type.Literal('demo')]),
  version: Type.String(),
  products: Type.Array(Type.Object({ system: Type.String(), product: Type.String() })),
  now: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  timeZone: Type.String(),
  userid: Type.String(),
  landed: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  steps: Type.Array(
    Type.Object({
      page: Type.Unsafe<Exchange['page']>(Type.String()),
      system: Type.String(),
      method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
      path: Type.String(),
      query: Pairs,
      form: Pairs,
      status: Type.Integer(),
      location: Type.Union([Type.String(), Type.Null()]),
      cookies: Texts,
      charset: Type.String(),
      contentType: Type.String(),
      file: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  readings: Type.Array(
    Type.Object({
      page: PageName,
      parameters: Type.Array(Type.Unknown()),
      record: Type.Unknown(),
      failure: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

export const MANIFEST_FILE = 'recording.json';

const jsonIn = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};

/** About noon at the campus, on the day of a recording. */
const NOON_UTC = 'T04:00:00Z';

const exchangeOf = (
  step: Static<typeof RecordingFile>['steps'][number],
  product: string,
  body: Uint8Array,
): Exchange => {
  const { file, ...rest } = step;
  const isText = !rest.contentType.startsWith('image/');
  const text = isText ? new TextDecoder(rest.charset || 'utf-8', { ignoreBOM: true }).decode(body) : '';
  return { ...rest, product, body, text };
};

/** Reads the files of a folder; a text says what is wrong with them. */
export const readRecording = (files: Files): Recorded | string => {
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

/** The names of files that are not the same in both. */
export const differences = (one: Files, other: Files): string[] => {
  // Which version has made it is no difference.
  const textOf = (files: Files, name: string): string => {
    const text = Buffer.from(files.get(name) ?? []).toString('latin1');
    return name === MANIFEST_FILE ? text.replace(/"version":"[^"]*"/, '') : text;
  };
  const isSame = (name: string): boolean => textOf(one, name) === textOf(other, name);
  const names = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return names.filter((name) => !one.has(name) || !other.has(name) || !isSame(name));
};
