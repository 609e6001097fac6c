import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../src/composition/app.ts';
import { createServices } from '../src/composition/services.ts';
import { loadConfig } from '../src/config/config.ts';
import { keyFiles } from '../src/config/process-files.ts';
import { exampleEnvironment } from '../src/config/schema.ts';
import { silentLog } from '../src/domain/context.ts';
import { describeIn } from '../src/http/docs/chinese.ts';
import { privacyText } from '../src/pages/privacy/privacy.ts';
import { configurationDocument } from './configuration.ts';
import { numberedDocuments, withNumbers } from './document-numbers.ts';
import { withEvents } from './event-tables.ts';
import { type GeneratedFile, settleFiles } from './generated-files.ts';
import { limitsDocument } from './limits.ts';
import { billOfMaterials, licenceList } from './packages.ts';
import { provenFile, withProofs } from './proven.ts';
import { checkReadmes } from './readme.ts';
import { referenceOf } from './reference.ts';
import { manualFolder, renderedManuals, renderedPrivacy } from './rendered-pages.ts';
import { scopesDocument } from './scopes.ts';

/** Generates the documents that follow from the sources; with `--check` compares instead, and exits 1 on a difference. */

const root = join(import.meta.dirname, '..');
const config = loadConfig({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, keyFiles);

/** The description that a service with default settings and the demo campus gives of itself. */
const described = async (): Promise<Record<string, unknown>> => {
  const services = await createServices(config, { log: silentLog });
  // Making the description holds up the event loop for longer than a service would put up with.
  const app = await buildApp(config, services, { pressure: { maxEventLoopDelay: 0 } });
  try {
    await app.ready();
    return describeIn({ ...app.swagger() }, 'en');
  } finally {
    await app.close();
    await services.close();
  }
};

const description = await described();
const generated = 'Generated from the page that a service answers at `/privacy`, with default settings. Do not edit.';
const generatedZh = '本页由 `npm run documents` 生成，内容与服务的 `/privacy` 页面一致（按默认设置）。请勿手工修改。';

const proven = provenFile(root);
const readme = (path: string, language: 'en' | 'zh'): GeneratedFile => ({
  path,
  make: () => withProofs(readFileSync(join(root, path), 'utf8'), language, JSON.parse(proven)),
});

const documents: readonly GeneratedFile[] = [
  { path: 'src/campuses/proven.json', make: () => proven },
  readme('README.md', 'en'),
  readme('docs/zh/README.md', 'zh'),
  { path: 'docs/reference/configuration.md', make: () => configurationDocument() },
  { path: '.env.example', make: () => exampleEnvironment() },
  { path: 'docs/reference/openapi.json', make: () => `${JSON.stringify(description, null, 2)}\n` },
  { path: 'docs/reference/reference.md', make: () => referenceOf(description) },
  { path: 'docs/reference/scopes.md', make: () => scopesDocument(description, 'en') },
  { path: 'docs/zh/scopes.md', make: () => scopesDocument(description, 'zh') },
  { path: 'docs/reference/limits.md', make: () => limitsDocument() },
  { path: 'docs/use/privacy.md', make: () => `${privacyText('en', config, 'md')}\n${generated}\n` },
  {
    path: 'docs/zh/privacy.md',
    make: () =>
      `[English](../use/privacy.md) · [中文文档首页](README.md)\n\n${privacyText('zh', config, 'md')}\n${generatedZh}\n`,
  },
  ...numberedDocuments.map((path) => ({
    path,
    make: () => withEvents(path, withNumbers(path, readFileSync(join(root, path), 'utf8'))),
  })),
  // Behind the documents of which they are made.
  ...renderedManuals(root),
  ...renderedPrivacy(),
  { path: 'docs/reference/sbom.json', make: () => billOfMaterials(root) },
  { path: 'docs/reference/licences.md', make: () => licenceList(root) },
];

await settleFiles(root, documents, { check: process.argv.includes('--check'), whole: [manualFolder] });
checkReadmes(root);
