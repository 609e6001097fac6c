import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { limitHook, type RequestLimits } from '../../http/limits/limits.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';
import { Asset, sendAsset } from '../assets.ts';
import { pageFile } from '../html.ts';
import { inlineModules } from './inline.ts';

/** The address of the page; null: it is unknown where clients reach the service. */
export const pageUrlOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}/challenge`;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the words of a sign-in, so that the page stays small. */
const pageWordsOf = (language: string): Record<string, string> => {
  const words: Record<string, string> = JSON.parse(pageFile(`app/words/${language}.json`));
  return Object.fromEntries(Object.entries(words).filter(([name]) => /^(sign|code|failed)\.|^[a-z]+$/.test(name)));
};

const modules = ['app/api.js', 'app/dates.js', 'app/store.js', 'app/ui.js', 'app/sign-in.js', 'challenge/challenge.js'];

const inlinePage = (hasStudentPage: boolean) => {
  const style = pageFile('palette.css') + pageFile('app/app.css');
  const library = readFileSync(new URL(import.meta.resolve('htm/preact/standalone')), 'utf8');
  const words = `export const words = ${JSON.stringify({ zh: pageWordsOf('zh'), en: pageWordsOf('en') })};`;
  const own = modules.map((path) => [path, pageFile(path)] as const);
  const script = inlineModules(['app/htm.js', library], [['challenge/words.js', words], ...own]);
  const html = pageFile('challenge/page.html')
    .replace(' data-pages', hasStudentPage ? ' data-pages' : '')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  const policy: ContentPolicy = {
    defaultSrc: ["'none'"],
    connectSrc: ["'self'"],
    imgSrc: ['data:'],
    styleSrc: [sourceOf(style)],
    scriptSrc: [sourceOf(script)],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  };
  return { page: new Asset('text/html; charset=utf-8', html), policy };
};

/**
 * `/challenge`: for students whose app cannot show what the campus asks. A static page, and a client of surface B; the
 * sign-in is that of the page for students. `hasStudentPage`: it offers to go on there.
 */
export const registerChallengePage = async (
  app: FastifyInstance,
  limits: RequestLimits,
  hasStudentPage: boolean,
): Promise<void> => {
  const { page, policy } = inlinePage(hasStudentPage);
  await app.register(async function challengePage(scope) {
    scope.addHook('onRequest', limitHook(limits, 'documents'));
    const options = { config: { contentPolicy: policy }, schema: { hide: true } };
    scope.get('/challenge', options, async (_request, reply) => {
      reply.header('X-Robots-Tag', 'noindex, nofollow');
      return sendAsset(reply, page, 'never');
    });
  });
};
