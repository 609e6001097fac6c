import { join } from 'node:path';
import { buildApp } from '../app.ts';
import { configurationDocument, exampleEnvironment } from '../config/documents.ts';
import { keyFiles } from '../config/key-files.ts';
import { loadConfig } from '../config/load.ts';
import { silentLog } from '../domain/context.ts';
import { createServices } from '../services.ts';
import { type GeneratedFile, settleFiles } from './generated-files.ts';
import { billOfMaterials, licenceList } from './packages.ts';

/** Generates the documents that follow from the sources; with `--check` compares instead, and exits 1 on a difference. */

const root = join(import.meta.dirname, '../..');

/** The interface description of a service with default settings, as it serves it itself. */
const interfaceDescription = async (): Promise<string> => {
  const config = loadConfig({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, keyFiles);
  const services = await createServices(config, { log: silentLog });
  const app = await buildApp(config, services);
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await services.close();
  }
};

const documents: readonly GeneratedFile[] = [
  { path: 'docs/configuration.md', make: async () => configurationDocument() },
  { path: '.env.example', make: async () => exampleEnvironment() },
  { path: 'docs/openapi.json', make: interfaceDescription },
  { path: 'docs/sbom.json', make: async () => billOfMaterials(root) },
  { path: 'docs/licences.md', make: async () => licenceList(root) },
];

await settleFiles(root, documents, { check: process.argv.includes('--check') });
