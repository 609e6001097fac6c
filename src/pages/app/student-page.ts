import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { limitHook, type RequestLimits } from '../../http/limits/limits.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';
import { Asset, sendAsset } from '../assets.ts';
import { escapeHtml, fill, pageFile } from '../html.ts';

const policy: ContentPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const folder = import.meta.dirname;

/** Files whose text is a package's, under the name by which the page asks for them. */
const packaged: Readonly<Record<string, string>> = { 'htm.js': 'htm/preact/standalone', 'qr.js': 'lean-qr' };
/** Asked for with the page itself, so that nothing is two steps away from it. */
const preloaded = ['htm.js', 'api.js', 'store.js', 'dates.js', 'ui.js', 'sign-in.js', 'views/today.js'];

const contentOf = (name: string): Buffer => {
  const specifier = packaged[name];
  if (specifier !== undefined) return readFileSync(new URL(import.meta.resolve(specifier)));
  const own = readFileSync(`${folder}/${name}`);
  return name === 'app.css' ? Buffer.concat([Buffer.from(pageFile('palette.css')), own]) : own;
};

/** The files of the page, and a digest that changes with any of them. */
export const readFileSet = (): { readonly digest: string; readonly files: ReadonlyMap<string, Asset> } => {
  const names = globSync('**/*.{js,css,json,webmanifest,svg,png}', { cwd: folder })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name !== 'retry.js')
    .sort();
  const digest = createHash('sha256');
  const files = new Map<string, Asset>();
  for (const name of names) {
    const asset = new Asset(types[extname(name)] ?? 'application/octet-stream', contentOf(name));
    digest.update(`${name}\0${asset.version}\0`);
    files.set(name, asset);
  }
  return { digest: digest.digest('hex').slice(0, 20), files };
};

/**
 * What may run is narrowed to the files of this page where their address is known: `'self'` has no path. A second policy can
 * only take away.
 */
const narrowScope = (publicUrl: URL): string => {
  const place = escapeHtml(`${publicUrl.host}${publicUrl.pathname.replace(/\/+$/, '')}/app/`);
  return `<meta http-equiv="Content-Security-Policy" content="script-src ${place}; style-src ${place}">`;
};

interface StudentPageOptions {
  readonly limits: RequestLimits;
  readonly publicUrl: string | null;
  /** The parts of a calendar that the campus offers. */
  readonly calendars: readonly string[];
}

/** `/app/`: the page for students, a client of surface B. */
export const addStudentPage = (app: FastifyInstance, { limits, publicUrl, calendars }: StudentPageOptions): void => {
  const { digest, files } = readFileSet();
  const own = publicUrl === null ? null : new URL(publicUrl);
  const page = (narrow: string | null): Asset =>
    new Asset(
      'text/html; charset=utf-8',
      fill(pageFile('app/index.html'), {
        narrow,
        set: digest,
        calendars: calendars.join(' '),
        preloads: preloaded.map((name) => `<link rel="modulepreload" href="${digest}/${name}">`).join('\n'),
      }),
    );
  const [anywhere, here] = [page(null), own && page(narrowScope(own))];
  const retry = new Asset(types['.js'] ?? '', pageFile('app/retry.js'));
  app.register(async function studentPage(scope) {
    scope.addHook('onRequest', limitHook(limits, 'pages'));
    const options = { config: { contentPolicy: policy }, schema: { hide: true } };
    scope.get('/app', options, async (_request, reply) => reply.redirect('app/', 308));
    scope.get('/app/', options, async (request, reply) => {
      reply.header('X-Robots-Tag', 'noindex, nofollow').vary('Host');
      return sendAsset(reply, here !== null && request.host === own?.host ? here : anywhere, 0);
    });
    scope.get('/app/retry.js', options, async (_request, reply) => sendAsset(reply, retry, 0));
    scope.get('/app/:set/*', options, async (request, reply) => {
      const { set, '*': name } = request.params as { readonly set: string; readonly '*': string };
      const asset = set === digest ? files.get(name) : undefined;
      if (asset === undefined) return reply.callNotFound();
      return sendAsset(reply, asset, 'immutable');
    });
  });
};
