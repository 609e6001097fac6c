import { Type } from '@sinclair/typebox';
import { address, application, service } from '../driver.ts';
import { ticketRow } from '../upstreams.ts';
import { createLdjlbClient } from './client.ts';

/** The labor club. */
export const ldjlb = application({
  options: Type.Object({
    url: address,
    service,
    /** How a scanned QR code is sent. */
    scan: Type.Union([Type.Literal('form'), Type.Literal('json')], { description: 'form or json' }),
  }),
  row: { ...ticketRow, system: 'labor-club' },
  supplies: ({ options, ...access }) => ({ laborClub: createLdjlbClient({ ...access, scanBody: options.scan }) }),
});
