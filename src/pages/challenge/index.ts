import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { limiting, type RequestLimits } from '../../http/limits/limits.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';

/** The address of the page; null: it is unknown where clients reach the service. */
export const pageUrlOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}/challenge`;

const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const inlined = () => {
  const [style, script] = [file('page.css'), file('page.js')];
  const html = file('page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`);
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
  return { html, policy };
};

/** `/challenge`: for students whose app cannot show what the campus asks. A static page, and a client of surface B. */
export const registerChallengePage = async (app: FastifyInstance, limits: RequestLimits): Promise<void> => {
  const { html, policy } = inlined();
  await app.register(async function challengePage(scope) {
    scope.addHook('onRequest', limiting(limits, 'documents'));
    const options = { config: { contentPolicy: policy }, schema: { hide: true } };
    scope.get('/challenge', options, async (_request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .header('X-Robots-Tag', 'noindex, nofollow')
        .type('text/html; charset=utf-8')
        .send(html),
    );
  });
};
