import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../http/languages.ts';
import type { Asset } from '../assets.ts';
import { htmlDocument, pageFile, policyOf, titleIn } from '../html.ts';

/** The documents for authors of clients, which the interface description leads to; operators have the repository. */
export const manuals = [
  'app',
  'calendar',
  'challenges',
  'clients',
  'errors',
  'evaluation',
  'events',
  'first-app',
  'freshness',
  'hooks',
  'profiles',
  'quick-start',
  'scopes',
] as const;
export type Manual = (typeof manuals)[number];

/** `npm run documents` renders them into files `name.language.html`. */
const folder = 'docs/manuals';

const style = pageFile('docs/manual.css');

export const manualPolicy = policyOf(style);

/** In English where the document does not exist in the language. */
export const manualPage = (name: Manual, language: Language): Asset => {
  const own = `${name}.${language}.html`;
  const isTranslated = existsSync(join(import.meta.dirname, 'manuals', own));
  const body = pageFile(`${folder}/${isTranslated ? own : `${name}.en.html`}`);
  const other = language === 'zh' ? ['en', 'English'] : ['zh', '中文'];
  const nav = `<nav><a href="/docs">Campus Gateway API</a><a href="?lang=${other[0]}">${other[1]}</a></nav>\n`;
  return htmlDocument(isTranslated ? language : 'en', titleIn(body), style, `${nav}${body}\n`);
};
