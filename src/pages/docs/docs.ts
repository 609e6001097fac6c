import Fastify, { type FastifyInstance } from 'fastify';
import { personalDays } from '../../domain/accounts/tokens/personal-tokens.ts';
import { isWriting, scopeNames, scopes } from '../../domain/scopes.ts';
import { describeIn } from '../../http/docs/chinese.ts';
import type { Operator } from '../../http/docs/openapi.ts';
import { type Language, languageFor } from '../../http/languages.ts';
import { limitHook, type RequestLimits } from '../../http/limits/limits.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';
import { type Project, project } from '../../lib/build.ts';
import { Asset, sendAsset } from '../assets.ts';
import { escapeHtml, fill, pageFile } from '../html.ts';
import { manualPage, manualPolicy, manuals } from './manual.ts';

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

/**
 * Gives the page a separate origin: what a package runs there reads nothing that the page for students keeps. Its calls
 * come from the origin `null`.
 */
const sandboxedPolicy: ContentPolicy = {
  ...contentPolicy,
  sandbox: ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox', 'allow-downloads'],
};

/** No fonts, assistants, proxies or telemetry from elsewhere; the document and the calls stay on this host. */
const referenceSettings = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  persistAuth: false,
};

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14532d"/><path d="M7 26V15a9 9 0 0 1 18 0v11h-5V15a4 4 0 0 0-8 0v11z" fill="#fff"/></svg>
`;

const scriptType = 'text/javascript; charset=utf-8';

/** The package looks for storages when it loads, and a sandboxed page has none. */
const standIns = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  const value = {
    get length() { return kept.size; },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, text) => void kept.set(String(key), String(text)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  };
  Object.defineProperty(window, name, { value });
}
`;

/**
 * The script of the reference page. The package hands it out through a route only, and its own page starts with an
 * inline script, which the policy above forbids; so it is asked for once, when the page is opened: it is several
 * megabytes.
 */
const loadReference = async ({ httpErrors }: FastifyInstance): Promise<Asset> => {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await using aside = Fastify();
  await aside.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const answer = await aside.inject('/reference/js/scalar.js');
  if (answer.statusCode !== 200) throw httpErrors.internalServerError('the reference page has no script');
  return new Asset(scriptType, standIns + answer.body);
};

/** How visitors may try a service with the demo campus; its passwords are no secrets. */
export interface DemoAccess {
  readonly students: ReadonlyArray<{
    readonly userid: string;
    readonly password: string;
    /** Missing where the campus has no portal. */
    readonly vpn_password?: string;
  }>;
  readonly invite: string;
}

/** The bar to log in, and the way to the documents. `versions`: of its two scripts. */
export const startPage = (
  language: Language,
  versions: { readonly reference: string; readonly start: string },
  demo: DemoAccess | null,
  about: {
    readonly hasPortal: boolean;
    readonly hasStudentPage?: boolean;
    readonly operator: Operator;
    readonly project: Project;
  },
): string => {
  const { hasPortal, hasStudentPage, operator, project } = about;
  const boxes = scopeNames.map((scope) => {
    const writes = isWriting(scope) ? ' data-writes' : '';
    return `<label><input type="checkbox" name="scope" value="${scope}"${writes}><span><code>${scope}</code> ${scopes[scope][language]}</span></label>`;
  });
  const first = demo?.students[0];
  const template = pageFile(`docs/start.${language}.html`);
  return fill(
    template.replace('<style></style>', () => `<style>${pageFile('docs/start.css')}</style>`),
    {
      ...versions,
      repository: project.repository === '' ? null : escapeHtml(project.repository),
      bugs: project.bugs === '' ? null : escapeHtml(project.bugs),
      operator: operator.name && escapeHtml(operator.name),
      contact: operator.contact && escapeHtml(operator.contact),
      contactName: operator.contact && escapeHtml(operator.contact.replace('mailto:', '')),
      demo: demo && '',
      invite: demo?.invite ?? null,
      userid: first?.userid ?? '',
      password: first?.password ?? '',
      app: hasStudentPage ? '/app/' : null,
      vpn: hasPortal ? '' : null,
      vpnPassword: first?.vpn_password ?? '',
      scopes: boxes.join(''),
      days: personalDays.map((count) => `<option value="${count}">${count}</option>`).join(''),
    },
  );
};

const hourSeconds = 3_600;

/** Makes it once for each language, when it is first wanted, and again after a failure. */
const perLanguage = <T>(make: (language: Language) => Promise<T>): ((language: Language) => Promise<T>) => {
  const made = new Map<Language, Promise<T>>();
  return (language) => {
    const page = made.get(language) ?? make(language);
    made.set(language, page);
    page.catch(() => made.delete(language));
    return page;
  };
};

type Make = (language: Language) => Promise<Asset>;

interface Serving {
  readonly policy?: ContentPolicy;
  /** Left out: the reader's. */
  readonly language?: Language;
  readonly keeping?: number | 'versioned';
}

interface DocsOptions {
  readonly limits: RequestLimits;
  readonly demo: DemoAccess | null;
  /** False: a login has no password of a portal. */
  readonly hasPortal: boolean;
  readonly hasStudentPage: boolean;
  readonly operator: Operator;
  /** Pages of any origin may call the service, so a sandboxed one may. */
  readonly allowsAnyOrigin: boolean;
}

export const addDocs = (
  app: FastifyInstance,
  { limits, demo, hasPortal, hasStudentPage, operator, allowsAnyOrigin }: DocsOptions,
): void => {
  const favicon = new Asset('image/svg+xml', icon);
  const script = pageFile('docs/start.js');
  const reference = perLanguage(() => loadReference(app));
  const description = perLanguage(
    async (language) =>
      new Asset('application/json; charset=utf-8', JSON.stringify(describeIn({ ...app.swagger() }, language))),
  );
  const start = perLanguage(
    async (language) =>
      new Asset(
        scriptType,
        `const page = ${JSON.stringify({ language, demo, settings: referenceSettings })};\n${script}`,
      ),
  );
  const page = perLanguage(async (language) => {
    const versions = { reference: (await reference('en')).version, start: (await start(language)).version };
    return new Asset(
      'text/html; charset=utf-8',
      startPage(language, versions, demo, { hasPortal, hasStudentPage, operator, project }),
    );
  });

  app.register(async function docs(scope) {
    scope.addHook('onRequest', limitHook(limits, 'documents'));
    /** `keeping`: seconds; `versioned`: for good under the address of its version. */
    const usual = allowsAnyOrigin ? sandboxedPolicy : contentPolicy;
    const serve = (path: string, make: Make, { policy = usual, language, keeping = 0 }: Serving = {}): void => {
      scope.get(path, { config: { contentPolicy: policy }, schema: { hide: true } }, async (request, reply) => {
        const asset = await make(language ?? languageFor(request));
        if (language === undefined) reply.vary('Accept-Language');
        if (keeping !== 'versioned') return sendAsset(reply, asset, keeping);
        // While replicas are being replaced another version may be asked for: its address must not keep our bytes.
        const { v } = request.query as { readonly v?: unknown };
        return sendAsset(reply, asset, v === asset.version ? 'immutable' : hourSeconds);
      });
    };
    serve('/openapi.json', description);
    // A few kilobytes, asked for each time because it names the versions of its scripts.
    serve('/docs', page);
    serve('/docs/zh', page, { language: 'zh' });
    serve('/docs/start.js', start, { keeping: 'versioned' });
    serve('/docs/reference.js', reference, { keeping: 'versioned', language: 'en' });
    // Where browsers look for one, on any page.
    serve('/favicon.ico', async () => favicon, { keeping: hourSeconds, language: 'en' });
    for (const name of manuals) {
      const manual = perLanguage(async (language) => manualPage(name, language));
      serve(`/docs/${name}`, manual, { policy: manualPolicy });
    }
    scope.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs', 307));
  });
};
