import { createHash } from 'node:crypto';
import type { Language } from '../languages.ts';
import type { ContentPolicy } from '../server/headers.ts';
import { type Asset, assetOf } from './assets.ts';

/** A page to read. Its texts may hold `code` and [links](/of-this-host), written as in Markdown, and no other marks. */
export interface TextPage {
  readonly title: string;
  readonly intro: string;
  readonly sections: ReadonlyArray<{ readonly heading: string; readonly items: readonly string[] }>;
}

const style =
  ':root{color-scheme:light dark}body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1rem/1.7 system-ui,sans-serif}h1,h2{line-height:1.3}li{margin:.4rem 0}code{overflow-wrap:anywhere}';

/** The one style sheet of a page, as its policy names it. */
export const styleSource = (sheet: string): string => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;

/** For a page of one style sheet in its head, and nothing else. */
export const policyOf = (sheet: string): ContentPolicy => ({
  defaultSrc: ["'none'"],
  styleSrc: [styleSource(sheet)],
  imgSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});

export const textPagePolicy = policyOf(style);

const marked = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>')
    .replace(/\[([^\]]*)\]\(([^)"]*)\)/g, '<a href="$2">$1</a>');

/** A page of one style sheet; `body` ends with a line. */
export const htmlDocument = (language: Language, title: string, sheet: string, body: string): Asset =>
  assetOf(
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

/** `other`: the way to the same page in another language. */
export const htmlPage = (language: Language, { title, intro, sections }: TextPage, other: string): Asset => {
  const parts = sections.map(
    ({ heading, items }) =>
      `<h2>${marked(heading)}</h2>\n<ul>\n${items.map((item) => `<li>${marked(item)}</li>\n`).join('')}</ul>\n`,
  );
  const head = `<p>${marked(other)}</p>\n<h1>${title}</h1>\n<p>${marked(intro)}</p>\n`;
  return htmlDocument(language, title, style, head + parts.join(''));
};

export const markdownPage = ({ title, intro, sections }: TextPage): string =>
  [
    `# ${title}`,
    intro,
    ...sections.map(({ heading, items }) => `## ${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`),
  ].join('\n\n');
