import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Language } from '../http/languages.ts';
import type { ContentPolicy } from '../http/server/headers.ts';
import { Asset } from './assets.ts';

export const pageFile = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * Replaces `{{name}}`. A line that begins with `{{?name}}` is left out where the value is null, one with `{{!name}}`
 * where it is not. Values are escaped before.
 */
export const fill = (template: string, values: Readonly<Record<string, string | null>>): string =>
  template
    .split('\n')
    .flatMap((line) => {
      const [conditions = ''] = /^(?:\{\{[?!]\w+\}\})*/.exec(line) ?? [];
      const isLeftOut = [...conditions.matchAll(/([?!])(\w+)/g)].some(
        ([, mark, name = '']) => ((values[name] ?? null) === null) === (mark === '?'),
      );
      return isLeftOut ? [] : [line.slice(conditions.length)];
    })
    .join('\n')
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.codePointAt(0)};`);

/** The words of the first heading, as HTML. */
export const titleIn = (body: string): string =>
  (/<h1[^>]*>([^\n]*)<\/h1>/.exec(body)?.[1] ?? '').replace(/<[^>]*>/g, '');

export const policyOf = (sheet: string): ContentPolicy => ({
  defaultSrc: ["'none'"],
  styleSrc: [`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`],
  imgSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});

const barWords = {
  en: { brand: 'Campus Gateway', status: 'Status', privacy: 'Privacy', other: ['zh', '中文'] },
  zh: { brand: '校园网关', status: '服务状态', privacy: '隐私', other: ['en', 'English'] },
} as const;

/** The bar of the pages for people. Addresses are relative, so that a proxy may serve them below any path. */
export const pageBar = (language: Language, path: 'status' | 'privacy', hasStudentPage: boolean): string => {
  const { brand, other, ...names } = barWords[language];
  const [code, name] = other;
  const links = (['status', 'privacy'] as const).map((page) => {
    return `<a href="${page}?lang=${language}"${page === path ? ' aria-current="page"' : ''}>${names[page]}</a>`;
  });
  const home = hasStudentPage ? `<a class="brand" href="app/">${brand}</a>` : `<span class="brand">${brand}</span>`;
  return `<header class="bar">${home}${links.join('')}<a href="?lang=${code}" hreflang="${code}">${name}</a></header>\n`;
};

/** The palette of the pages for people, and what their texts need besides. */
export const textStyle = (): string => pageFile('palette.css') + pageFile('text.css');

/** `body` ends with a line. */
export const htmlDocument = (language: Language, title: string, sheet: string, body: string): Asset =>
  new Asset(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="${language}">
<head>
<title>${title} · Campus Gateway</title>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" type="image/svg+xml" href="/favicon.ico">
<style>${sheet}</style>
</head>
<body>
${body}</body>
</html>
`,
  );
