import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settleFiles } from '../generated-files.ts';
import { collectionOf } from './bruno.ts';
import { methodsOf, tableOf, typesOf } from './client-types.ts';
import { operationsOf } from './description.ts';

/** Generates what clients take from docs/reference/openapi.json; with `--check` compares instead, and exits 1 on a difference. */
const root = join(import.meta.dirname, '../..');
const document: Record<string, unknown> = JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8'));
const operations = operationsOf(document);

await settleFiles(
  root,
  [
    { path: 'clients/typescript/src/api.ts', make: () => typesOf(document, operations) },
    { path: 'clients/typescript/src/operations.ts', make: () => tableOf(operations) },
    { path: 'clients/typescript/src/methods.ts', make: () => methodsOf(document, operations) },
    ...collectionOf(operations),
  ],
  { check: process.argv.includes('--check'), whole: ['clients/bruno'] },
);
