import { existsSync } from 'node:fs';
import type { Browser } from '../../tools/node_modules/playwright-core/index.js';
import { hasTools, needsTools } from './tools.ts';

/**
 * Where Debian's packages put it: `chromium-headless-shell`, which opens a page for a quarter of the processor time,
 * and `chromium`. Elsewhere tests that need it are skipped.
 */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export const hasChromium = executablePath !== undefined && hasTools;
/** For the names of those tests. */
export const needsChromium = `needs Chromium, and ${needsTools.replace('needs ', '')}`;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launchChromium = async (): Promise<Browser> => {
  const { default: playwright } = await import('../../tools/node_modules/playwright-core/index.js');
  return playwright.chromium.launch({ executablePath: executablePath ?? '', args });
};
