import { Type } from '@sinclair/typebox';
import { address, application, service } from '../driver.ts';
import { ticketRow } from '../upstreams.ts';
import { createAacClient } from './client.ts';

/** The activity score application. */
export const aac = application({
  options: Type.Object({ url: address, service }),
  row: { ...ticketRow, system: 'activity-score' },
  supplies: (access) => ({ activityScore: createAacClient(access) }),
});
