import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manual, manuals } from '../src/pages/docs/manual.ts';
import { pageFile } from '../src/pages/html.ts';
import type { GeneratedFile } from './generated-files.ts';
import { htmlOf } from './markdown.ts';

/** Documents that the service answers as pages are rendered here, so that it needs no reader of Markdown. */

export const manualFolder = 'src/pages/docs/manuals';
const languages = ['en', 'zh'] as const;

const isManual = (name: string): name is Manual => manuals.some((manual) => manual === name);

/** Other documents that are served, places of this page, and addresses elsewhere; files of the repository lead nowhere. */
const linkOf = (target: string): string | null => {
  if (/^(?:#|https?:)/.test(target)) return target;
  const [, name = '', place = ''] = /^(?:\.\.?\/)*(?:(?:zh|use|reference)\/)?([a-z-]+)\.md(#\S*)?$/.exec(target) ?? [];
  return isManual(name) ? `/docs/${name}${place}` : null;
};

/** The first line of a document leads to its other language; the page has its own line for that. */
const renderManual = (file: string): string =>
  htmlOf(readFileSync(file, 'utf8').replace(/^\[(?:English|中文)\][^\n]*\n/, ''), linkOf);

const sourceFolders = { en: ['use', 'reference'], zh: ['zh'] } as const;

/** A manual that exists in one language only has one file. */
export const renderedManuals = (root: string): GeneratedFile[] =>
  languages.flatMap((language) =>
    manuals.flatMap((name) => {
      const source = sourceFolders[language]
        .map((folder) => join(root, 'docs', folder, `${name}.md`))
        .find((file) => existsSync(file));
      if (source === undefined) return [];
      return [{ path: `${manualFolder}/${name}.${language}.html`, make: () => renderManual(source) }];
    }),
  );

/** Conditions stand before a whole line, in Markdown before its mark of a list and in HTML before its element. */
const renderTemplate = (template: string): string => {
  const inside = template.replace(/^((?:\{\{[?!]\w+\}\})+)- /gm, '- $1');
  const html = htmlOf(inside, decodeURI);
  return html.replace(/^<li>((?:\{\{[?!]\w+\}\})+)/gm, '$1<li>');
};

/** With the places that depend on the settings still to be filled. */
export const renderedPrivacy = (): GeneratedFile[] =>
  languages.map((language) => ({
    path: `src/pages/privacy/privacy.${language}.html`,
    make: () => renderTemplate(pageFile(`privacy/privacy.${language}.md`)),
  }));
