import { CampusError } from './errors.ts';
import { freshnessHeaders } from './freshness.ts';
import { operations } from './operations.ts';
import type { CallOptions, FileToSend, OperationId } from './types.ts';

type Place = 'header' | 'member' | 'part' | 'none';
interface Row {
  readonly method: string;
  readonly path: string;
  readonly token: Place;
  readonly file?: string;
}

/** An input of any operation as it is at run time. */
export interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly file?: FileToSend;
}

export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /** The token that was sent to be checked: a refusal of the call is one of it. */
  readonly token: string | null;
}

export const rowOf = (id: OperationId): Row => operations[id];

/** React Native has neither a whole `URL` nor `URLSearchParams`. */
const encoded = (values: Readonly<Record<string, unknown>> = {}): string => {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');
};

/** An empty segment, `.` and `..` would make it the address of something else. @throws CampusError */
const filled = (operation: string, path: string, values: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw new CampusError({ operation, code: 'MISSING_VALUE', message: `${operation} needs a value of \`${name}\`` });
  });

const given = (headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const formOf = (part: string, file: unknown): FormData => {
  const form = new FormData();
  // A file of React Native is an object that only its FormData knows.
  Reflect.apply(form.append, form, [part, file]);
  return form;
};

/** Logins carry the last token, also one that has ended: what others did then makes the student wait for nothing. */
const logins: readonly string[] = ['login', 'v1Login'];

/** @throws CampusError when a value of the path is missing */
export const prepareRequest = (
  base: string,
  id: OperationId,
  input: AnyInput,
  token: string | null,
  language: string | undefined,
): PreparedRequest => {
  const row = rowOf(id);
  const query = encoded(input.query);
  const inBody = row.token === 'member' ? { token } : row.token === 'part' ? { AuthmeRequest: { token } } : {};
  const hasJson = input.body !== undefined || row.token === 'member' || row.token === 'part';
  const bearer = token !== null && (row.token === 'header' || logins.includes(id));
  const headers = {
    Accept: 'application/json',
    ...(language === undefined ? {} : { 'Accept-Language': language }),
    ...(bearer ? { Authorization: `Bearer ${token}` } : {}),
    ...(hasJson ? { 'Content-Type': 'application/json' } : {}),
    ...freshnessHeaders(input.freshness),
    ...given(input.headers),
  };
  const json = hasJson ? { body: JSON.stringify({ ...Object(input.body), ...inBody }) } : {};
  const form = row.file === undefined ? {} : { body: formOf(row.file, input.file) };
  const url = base + filled(id, row.path, input.path) + (query === '' ? '' : `?${query}`);
  return { url, method: row.method, headers, ...json, ...form, token: row.token === 'none' ? null : token };
};
