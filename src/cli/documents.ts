import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../app.ts';
import { configurationDocument, exampleEnvironment } from '../config/documents.ts';
import { keyFiles } from '../config/key-files.ts';
import { loadConfig } from '../config/load.ts';
import { silentLog } from '../domain/context.ts';
import { createServices } from '../services.ts';
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

const documents: ReadonlyArray<{ path: string; make: () => Promise<string> }> = [
  { path: 'docs/configuration.md', make: async () => configurationDocument() },
  { path: '.env.example', make: async () => exampleEnvironment() },
  { path: 'docs/openapi.json', make: interfaceDescription },
  { path: 'docs/sbom.json', make: async () => billOfMaterials(root) },
  { path: 'docs/licences.md', make: async () => licenceList(root) },
];

const existing = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

/** The first line in which two texts differ, for people. */
const firstDifference = (held: string, made: string): string => {
  const [a, b] = [held.split('\n'), made.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  const line = at < 0 ? b.length : at;
  const show = (text: string | undefined) => (text === undefined ? '(nothing)' : text.slice(0, 200));
  return `  line ${line + 1}\n    is     ${show(a[line])}\n    should ${show(b[line])}`;
};

const check = process.argv.includes('--check');
let stale = 0;
for (const { path, make } of documents) {
  const [file, made] = [join(root, path), await make()];
  const held = existing(file);
  if (held === made) continue;
  if (check) {
    stale += 1;
    process.stderr.write(`${path} does not match the sources:\n${firstDifference(held, made)}\n`);
  } else {
    writeFileSync(file, made);
    process.stdout.write(`${path} written\n`);
  }
}
if (stale > 0) {
  process.stderr.write('Run `npm run documents`, read the difference and commit it.\n');
  process.exitCode = 1;
}
