import { Type } from '@sinclair/typebox';
import { address, application } from '../driver.ts';
import { usualRow } from '../upstreams.ts';
import { createCompetitionClient } from './client.ts';

/** The pages of subject competitions. */
export const competition = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'competitions',
    entry: { kind: 'learned-service' },
    redirects: 'also-after-form',
    showsLogin: (text) => text.includes('用户登录') || (text.includes('login') && text.includes('password')),
  },
  supplies: (access) => ({ competitions: createCompetitionClient(access) }),
});
