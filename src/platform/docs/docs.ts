import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { project } from '../../lib/build.ts';
import { isRecord } from '../../lib/text.ts';
import { type Language, languageOf } from '../languages.ts';
import { limiting, type RequestLimits } from '../limits/limits.ts';
import type { ContentPolicy } from '../server/headers.ts';
import { type Asset, assetOf, sendAsset } from './assets.ts';
import { describedIn } from './chinese.ts';
import { manualPage, manualPolicy, manuals } from './manual.ts';
import type { Operator } from './openapi.ts';
import { type DemoAccess, startPage, startSettings } from './start-page.ts';

/** Everything the page loads comes from here; its styles are made by its script. */
const contentPolicy: ContentPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** No fonts, assistants, proxies or telemetry from elsewhere; the document and the calls stay on this host. */
const settings = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  persistAuth: false,
};

/** A gate with its way through. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14532d"/><path d="M7 26V15a9 9 0 0 1 18 0v11h-5V15a4 4 0 0 0-8 0v11z" fill="#fff"/></svg>
`;

const scriptType = 'text/javascript; charset=utf-8';

/**
 * The reference page's script, as the package bundles it. The package hands it out through a route only, and its own
 * page starts with an inline script, which the content policy above forbids; so it is asked for once, aside. It is
 * several megabytes and loaded when the page is opened, not at startup.
 */
const loadReference = async ({ httpErrors }: FastifyInstance): Promise<Asset> => {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const aside = Fastify();
  try {
    await aside.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
    const answer = await aside.inject('/reference/js/scalar.js');
    if (answer.statusCode !== 200) throw httpErrors.internalServerError('the reference page has no script');
    return assetOf(scriptType, answer.body);
  } finally {
    await aside.close();
  }
};

const hourSeconds = 3_600;

const member = (query: unknown, name: string): unknown => (isRecord(query) ? query[name] : undefined);

/** The language of the address, or of the reader. */
const languageFor = ({ query, headers }: FastifyRequest): Language => {
  const asked = member(query, 'lang');
  return asked === 'en' || asked === 'zh' ? asked : languageOf(headers['accept-language']);
};

/** Made once for each language, when it is first wanted. What could not be made is tried again. */
const perLanguage = <T>(make: (language: Language) => Promise<T>): ((language: Language) => Promise<T>) => {
  const made = new Map<Language, Promise<T>>();
  return (language) => {
    const page = made.get(language) ?? make(language);
    made.set(language, page);
    page.catch(() => made.delete(language));
    return page;
  };
};

interface DocsOptions {
  readonly limits: RequestLimits;
  /** Whom a visitor may be. */
  readonly demo: DemoAccess | null;
  /** False: a login has no password of a portal. */
  readonly hasPortal: boolean;
  readonly operator: Operator;
}

/** `/openapi.json`, the interactive page `/docs`, and the documents that both lead to. */
export const addDocs = (app: FastifyInstance, { limits, demo, hasPortal, operator }: DocsOptions): void => {
  const favicon = assetOf('image/svg+xml', icon);
  const script = readFileSync(join(import.meta.dirname, 'page.js'), 'utf8');
  const options = { config: { contentPolicy }, schema: { hide: true }, onRequest: limiting(limits.documents) };

  const reference = perLanguage(() => loadReference(app));
  const described = perLanguage(async (language) => {
    const text = JSON.stringify(describedIn({ ...app.swagger() }, language));
    return assetOf('application/json; charset=utf-8', text);
  });
  const start = perLanguage(async (language) => {
    const page = { ...startSettings(language, app.swagger().tags ?? [], demo), settings };
    return assetOf(scriptType, `const page = ${JSON.stringify(page)};\n${script}`);
  });
  const page = perLanguage(async (language) => {
    const versions = { reference: (await reference('en')).version, start: (await start(language)).version };
    return assetOf('text/html; charset=utf-8', startPage(language, versions, demo, { hasPortal, operator, project }));
  });

  const inLanguage =
    (assets: (language: Language) => Promise<Asset>) => async (request: FastifyRequest, reply: FastifyReply) => {
      reply.vary('Accept-Language');
      // The page names the versions of its scripts, so it is asked for again each time: it has a few kilobytes.
      return sendAsset(reply, await assets(languageFor(request)), 0);
    };
  app.get('/openapi.json', options, inLanguage(described));
  app.get('/docs', options, inLanguage(page));
  app.get('/docs/', options, async (_request, reply) => reply.redirect('/docs', 307));
  app.get('/docs/zh', options, async (_request, reply) => sendAsset(reply, await page('zh'), 0));
  // Where browsers look for one, on any page.
  app.get('/favicon.ico', options, async (_request, reply) => sendAsset(reply, favicon, hourSeconds));

  /** Another version than ours is asked for while replicas are being replaced: its address must not keep our bytes. */
  const kept = (asset: Asset, query: unknown) => (member(query, 'v') === asset.version ? 'immutable' : hourSeconds);
  app.get('/docs/start.js', options, async (request, reply) => {
    const asset = await start(languageFor(request));
    reply.vary('Accept-Language');
    return sendAsset(reply, asset, kept(asset, request.query));
  });
  app.get('/docs/reference.js', options, async ({ query }, reply) => {
    const asset = await reference('en');
    return sendAsset(reply, asset, kept(asset, query));
  });
  const manual = Object.fromEntries(
    manuals.map((name) => [name, perLanguage((language) => manualPage(name, language))]),
  );
  for (const name of manuals) {
    const manualOptions = { ...options, config: { contentPolicy: manualPolicy } };
    app.get(`/docs/${name}`, manualOptions, async (request, reply) => {
      const asset = await manual[name]?.(languageFor(request));
      if (!asset) throw app.httpErrors.notFound();
      reply.vary('Accept-Language');
      return sendAsset(reply, asset, 0);
    });
  }
};
