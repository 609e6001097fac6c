import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../tools/node_modules/playwright-core/index.js';

const script = (): string =>
  readFileSync(join(import.meta.dirname, '../../tools/node_modules/axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly target: readonly string[] }>;
}

/**
 * The findings of axe on an open page, as `rule: places`. `within`: a selector; `rules`: only these, for a page that was
 * looked at already and has changed its colours alone.
 */
export const axeFindings = async (page: Page, within = 'html', rules?: readonly string[]): Promise<string[]> => {
  // By the debugger's own way in: the policy of the page stays as it is.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(script());
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Finding[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};
