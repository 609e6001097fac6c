import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../../http/languages.ts';
import type { Asset } from '../assets.ts';
import { htmlDocument, pageFile, policyOf } from '../html.ts';
import { htmlOf } from '../markdown.ts';

/** The documents for authors of clients, which the interface description leads to; operators have the repository. */
const files = {
  app: 'use/app',
  calendar: 'use/calendar',
  challenges: 'use/challenges',
  clients: 'use/clients',
  errors: 'use/errors',
  evaluation: 'use/evaluation',
  events: 'use/events',
  'first-app': 'use/first-app',
  freshness: 'use/freshness',
  hooks: 'use/hooks',
  profiles: 'use/profiles',
  'quick-start': 'use/quick-start',
  scopes: 'reference/scopes',
} as const;
type Manual = keyof typeof files;

const isManual = (name: string): name is Manual => Object.hasOwn(files, name);
export const manuals = Object.keys(files).filter(isManual);

const folder = join(import.meta.dirname, '../../../docs');

const style = pageFile('docs/manual.css');

export const manualPolicy = policyOf(style);

/** Other documents that are served, places of this page, and addresses elsewhere; files of the repository lead nowhere. */
const linkOf = (target: string): string | null => {
  if (/^(?:#|https?:)/.test(target)) return target;
  const [, name = '', place = ''] = /^(?:\.\.?\/)*(?:(?:zh|use|reference)\/)?([a-z-]+)\.md(#\S*)?$/.exec(target) ?? [];
  return isManual(name) ? `/docs/${name}${place}` : null;
};

const read = (path: string): Promise<string | null> => readFile(join(folder, path), 'utf8').catch(() => null);

/** In English where the document does not exist in the language; null where its file was left out. */
export const manualPage = async (name: Manual, language: Language): Promise<Asset | null> => {
  const own = language === 'zh' ? await read(`zh/${name}.md`) : null;
  const markdown = own ?? (await read(`${files[name]}.md`));
  if (markdown === null) return null;
  // The first line of a document leads to its other language; the page has its own line for that.
  const { title, body } = htmlOf(markdown.replace(/^\[(?:English|中文)\][^\n]*\n/, ''), linkOf);
  const other = language === 'zh' ? ['en', 'English'] : ['zh', '中文'];
  const nav = `<nav><a href="/docs">Campus Gateway API</a><a href="?lang=${other[0]}">${other[1]}</a></nav>\n`;
  return htmlDocument(own === null ? 'en' : language, title.replaceAll('`', ''), style, `${nav}${body}\n`);
};
