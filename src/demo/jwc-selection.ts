import { jsonBody } from './exchange.ts';
import type { JwcHandler } from './jwc-session.ts';

/** Whether courses can be chosen: `1` while they can, as number or text. */
export const selectionStatus: JwcHandler = (_call, student) =>
  jsonBody({ zxjxjhm: '2025-2026学年春', retString: student.selection, jhrxxqztx: '0' });
