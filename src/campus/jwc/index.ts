import { Type } from '@sinclair/typebox';
import { address, application, service } from '../driver.ts';
import { NIGHT_MS, usualRow } from '../upstreams.ts';
import { createJwcClient } from './client.ts';
import { createEvaluationClient } from './evaluation-client.ts';
import { createOfferingsClient } from './offerings-client.ts';

/** The academic affairs system, with its course evaluation. */
export const jwc = application({
  options: Type.Object({ url: address, service }),
  row: {
    ...usualRow,
    system: 'academics',
    entry: { kind: 'service-ticket' },
    deadPath: /\/login|gotoLogin/,
    showsLogin: (text) => text.includes('j_spring_security_check'),
    longestRestMs: NIGHT_MS,
  },
  supplies: (access) => ({
    academics: createJwcClient(access),
    evaluation: createEvaluationClient(access),
    offerings: createOfferingsClient(access),
  }),
});
