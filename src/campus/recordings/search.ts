import type { Page } from './recording.ts';
import type { ScrubbedWork } from './scrub.ts';

export const findLeak = (_work: ScrubbedWork, _secrets: readonly string[]): { page: Page; member: string } | null => null;
