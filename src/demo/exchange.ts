import type { IncomingMessage } from 'node:http';
import type { DemoSystem } from './types.ts';

export interface DemoCall {
  readonly system: DemoSystem;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** Path with dynamic segments as `*`. */
  readonly path: string;
  /** The texts behind each `*`. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** Fields of an `application/x-www-form-urlencoded` body; empty for any other content type. */
  readonly form: URLSearchParams;
  readonly body: string;
  readonly cookies: ReadonlyMap<string, string>;
  /** Session id of the portal in the `Cookie` header; null when missing or sent more than once. */
  readonly portalSession: string | null;
  /** Student behind the portal session, or the name submitted on a login request. */
  readonly userid: string | null;
  header(name: string): string | null;
}

export interface DemoReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

export type DemoHandler = (call: DemoCall) => DemoReply | Promise<DemoReply>;

/** `path` may hold `*` for one dynamic segment, or the end of one. */
export interface DemoRoute {
  readonly method: 'GET' | 'POST' | 'GET or POST';
  readonly path: string;
  readonly handle: DemoHandler;
}

const MAX_BODY_BYTES = 2_000_000;

/** Null when the body is larger than anything a client of the campus sends. */
export const readBody = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Cookie pairs in the order sent. The separator may lack its blank. */
export const cookiePairs = (header: string | undefined): readonly (readonly [string, string])[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

/** The one cookie of that name. Sent twice it is none: which one is meant is unknown. */
export const soleCookie = (pairs: readonly (readonly [string, string])[], wanted: string): string | null => {
  const values = pairs.filter(([name]) => name === wanted).map(([, value]) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
};

export const formOf = (contentType: string | undefined, body: string): URLSearchParams =>
  new URLSearchParams(/^application\/x-www-form-urlencoded\b/i.test(contentType ?? '') ? body : '');

const escapeRegExp = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

export interface RouteMatch {
  /** The pattern of the route, or the path itself where no route has it. */
  readonly path: string;
  readonly params: readonly string[];
  /** Missing: there is nothing, or not for this method. */
  readonly route: DemoRoute | null;
  readonly known: boolean;
}

type Router = (method: string, pathname: string) => RouteMatch;

const LONGEST_UNKNOWN_PATH = 200;

export const createRouter = (routes: readonly DemoRoute[]): Router => {
  const compiled = routes.map((route) => ({
    route,
    expression: new RegExp(`^${route.path.split('*').map(escapeRegExp).join('([^/]+)')}$`),
  }));
  return (method, pathname) => {
    const hits = compiled.flatMap(({ route, expression }) => {
      const found = expression.exec(pathname);
      return found ? [{ route, params: found.slice(1) }] : [];
    });
    const first = hits[0];
    if (!first) return { path: pathname.slice(0, LONGEST_UNKNOWN_PATH), params: [], route: null, known: false };
    const hit = hits.find(({ route }) => route.method.split(' or ').includes(method));
    const shown = hit ?? first;
    return { path: shown.route.path, params: shown.params, route: hit?.route ?? null, known: true };
  };
};

export const HTML_TYPE = 'text/html;charset=UTF-8';
export const JSON_TYPE = 'application/json;charset=UTF-8';

export const reply = (status: number, type: string, body: string | Buffer): DemoReply => ({
  status,
  headers: { 'Content-Type': type },
  body,
});

export const htmlPage = (html: string): DemoReply => reply(200, HTML_TYPE, html);

export const page = (title: string, body: string): DemoReply =>
  htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>${title}</title></head><body>
${body}
</body></html>
`);

export const jsonBody = (value: unknown, type = JSON_TYPE): DemoReply => reply(200, type, JSON.stringify(value));

/** Every legitimate redirect is absolute and has no body: some readers take a body for an expired portal session. */
export const redirectTo = (location: string, cookies: readonly string[] = []): DemoReply => ({
  status: 302,
  headers: cookies.length > 0 ? { Location: location, 'Set-Cookie': cookies } : { Location: location },
  body: '',
});

export const withCookies = (answer: DemoReply, cookies: readonly string[]): DemoReply => ({
  ...answer,
  headers: { ...answer.headers, 'Set-Cookie': cookies },
});

export const errorPage = (status: number, text: string): DemoReply =>
  reply(
    status,
    HTML_TYPE,
    `<html><head><title>Error ${status}</title></head><body><h1>HTTP Status ${status}</h1><p>${text}</p></body></html>`,
  );

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
