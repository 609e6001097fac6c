import { existsSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '../../tools/node_modules');

/** The compiler that checks the project. */
export const compiler = join(packages, 'typescript-7/bin/tsc');

/** `npm run check` installs the packages of `tools/`; where that has not happened, tests that need one are skipped. */
export const hasTools = existsSync(compiler);

/** For the names of those tests. */
export const needsTools = 'needs the packages of tools/, which npm run check installs';
