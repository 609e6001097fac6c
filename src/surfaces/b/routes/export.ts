import { Readable } from 'node:stream';
import type { AccountExport } from '../../../domain/accounts/export.ts';
import { addDelivery } from '../delivery.ts';
import type { Operation } from '../operation.ts';

const exported = {
  level: 'T',
  route: 'GET /account/export',
  operationId: 'exportAccount',
  scope: 'export',
  tag: 'Personal tokens',
  summary: { en: 'Everything that is stored of the student', zh: '导出我的全部数据' },
  description:
    'One JSON object: a list of rows for each table that holds anything of the student, in clear, images as base64, copies of reads with the time they were read at; `not_included` names what is left out and why. With a token of a login within 24 hours, or the scope `export`; once in ten minutes.',
  failures: ['LOGIN_AGAIN'],
  delivered: {
    200: {
      description: 'The export.',
      headers: { 'Content-Disposition': { type: 'string', description: 'Suggests the name of a file.' } },
      content: { 'application/json; charset=utf-8': { schema: { type: 'object', additionalProperties: true } } },
    },
  },
} as const;

/** Streams the export, because images are large; a connection that ends early has not received all of it. */
export const exportOperation = (accountExport: AccountExport): Operation => ({
  level: 'T',
  add: (scope, { envelopes }) =>
    addDelivery(scope, envelopes, {
      ...exported,
      async handler({ call }, reply) {
        const pieces = await call.race(accountExport.begin(call.student));
        return reply
          .header('Cache-Control', 'no-store')
          .header('Content-Disposition', 'attachment; filename="campus-export.json"')
          .type('application/json; charset=utf-8')
          .serializer((payload: unknown) => payload as string)
          .send(Readable.from(pieces, { objectMode: false }));
      },
    }),
});
