import Fastify, { type FastifyInstance } from 'fastify';
import { type Asset, assetOf, sendAsset } from './assets.ts';
import { limiting, type RequestLimits } from './limits.ts';
import type { ContentPolicy } from './security.ts';

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
const pageSettings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  // What nearly every operation wants; pasted once, it goes along with every request of the page.
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: false,
};

const pageWith = (version: string): string => `<!doctype html>
<html lang="en">
  <head>
    <title>Campus Gateway API</title>
    <meta charset="utf-8" />
    <link rel="icon" type="image/svg+xml" href="/favicon.ico" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/reference.js?v=${version}"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** A gate with its way through. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14532d"/><path d="M7 26V15a9 9 0 0 1 18 0v11h-5V15a4 4 0 0 0-8 0v11z" fill="#fff"/></svg>
`;

const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(pageSettings)});\n`;

const scriptType = 'text/javascript; charset=utf-8';

/**
 * The reference page's script, as the package bundles it. The package hands it out through a route only, and its own
 * page starts with an inline script, which the content policy above forbids; so it is asked for once, aside. It is
 * several megabytes and loaded when somebody opens the page, not at start.
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

const askedVersion = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && 'v' in query ? query.v : undefined;

/** `/openapi.json` and the interactive page `/docs`. */
export const addDocs = (app: FastifyInstance, limits: RequestLimits): void => {
  const start = assetOf(scriptType, startScript);
  const favicon = assetOf('image/svg+xml', icon);
  let reference: Promise<Asset> | undefined;
  let page: Asset | undefined;
  let document: Asset | undefined;
  const options = { config: { contentPolicy }, schema: { hide: true }, onRequest: limiting(limits.documents) };

  const loaded = (): Promise<Asset> => {
    reference ??= loadReference(app).catch((error: unknown) => {
      reference = undefined;
      throw error;
    });
    return reference;
  };

  app.get('/openapi.json', options, async (_request, reply) => {
    document ??= assetOf('application/json; charset=utf-8', JSON.stringify(app.swagger()));
    return sendAsset(reply, document, 0);
  });
  app.get('/docs', options, async (_request, reply) => {
    const { version } = await loaded();
    page ??= assetOf('text/html; charset=utf-8', pageWith(version));
    // The page names the version of its script, so it is asked for again each time: it has 500 bytes.
    return sendAsset(reply, page, 0);
  });
  app.get('/docs/', options, async (_request, reply) => reply.redirect('/docs', 307));
  // Where browsers look for one, whatever page they are on.
  app.get('/favicon.ico', options, async (_request, reply) => sendAsset(reply, favicon, hourSeconds));
  app.get('/docs/start.js', options, async (_request, reply) => sendAsset(reply, start, hourSeconds));
  app.get('/docs/reference.js', options, async ({ query }, reply) => {
    const asset = await loaded();
    // Another version than ours is asked for while replicas are being replaced: its address must not keep our bytes.
    return sendAsset(reply, asset, askedVersion(query) === asset.version ? 'immutable' : hourSeconds);
  });
};
