import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../tools/node_modules/playwright-core/index.js';

interface Finding {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly target: readonly string[] }>;
}

/** The findings of axe on an open page, as `rule: places`. `within`: a selector; `scheme` is left as it is. */
export const axeFindings = async (page: Page, within = 'html'): Promise<string[]> => {
  const script = readFileSync(join(import.meta.dirname, '../../tools/node_modules/axe-core/axe.min.js'), 'utf8');
  // By the debugger's own way in: the policy of the page stays as it is.
  await page.evaluate(script);
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as readonly Finding[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};
