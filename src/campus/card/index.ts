import { Type } from '@sinclair/typebox';
import { address, application } from '../driver.ts';
import { MINUTE_MS, usualRow } from '../upstreams.ts';
import { createCardClient } from './client.ts';

/** The campus card system. */
export const card = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'card',
    entry: { kind: 'entrance', path: '/casLogin.jsp' },
    redirects: 'lost-after-form',
    deadPath: /\/login|casLogin\.jsp/,
    // Servers of its kind end a session after half an hour.
    longestRestMs: 25 * MINUTE_MS,
  },
  supplies: (access) => ({ card: createCardClient(access) }),
});
