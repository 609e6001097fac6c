import { Type } from '@sinclair/typebox';
import { address, application, service } from '../driver.ts';
import { MINUTE_MS, usualRow } from '../upstreams.ts';
import { createLakesideClient } from './client.ts';

/** The academic system of Lakeside University: the template of a driver. */
export const lakeside = application({
  options: Type.Object({ url: address, service }),
  row: { ...usualRow, system: 'academics', entry: { kind: 'service-ticket' }, longestRestMs: 25 * MINUTE_MS },
  supplies: ({ sessions }) => ({ academics: createLakesideClient(sessions) }),
});
