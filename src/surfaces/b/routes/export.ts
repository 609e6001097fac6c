import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { AccountExport } from '../../../domain/accounts/export.ts';
import { uncheckedRoute } from '../../../platform/requests/validation.ts';
import type { Envelopes } from '../envelope.ts';
import type { Operation } from '../operation.ts';
import { operationSchema } from '../operation-document.ts';

const operationId = 'exportAccount';
const need = 'export';

const schemaOf = (envelopes: Envelopes) => {
  const { response, ...described } = operationSchema(
    {
      level: 'T',
      route: 'GET /account/export',
      operationId,
      scope: need,
      tag: 'Personal tokens',
      summary: 'Everything that is stored of the student',
      description:
        'One JSON object: a list of rows for each table that holds anything of the student, in clear, images as base64, copies of reads with the time they were read at; `not_included` names what is left out and why. With a token of a login within 24 hours, or the scope `export`; once in ten minutes.',
      data: Type.Unknown(),
      message: '',
      example: { data: null },
      failures: ['LOGIN_AGAIN'],
    },
    envelopes,
  );
  const { 200: _success, ...failures } = Object(response);
  const schema = { type: 'object', additionalProperties: true };
  const headers = { 'Content-Disposition': { type: 'string', description: 'Suggests the name of a file.' } };
  return {
    ...described,
    response: {
      200: { description: 'The export.', headers, content: { 'application/json; charset=utf-8': { schema } } },
      ...failures,
    },
  };
};

/** Streamed, because images are large: a connection that ends in the middle of it has not had all. */
export const exportOperation = (accountExport: AccountExport): Operation => ({
  level: 'T',
  add: (scope, { envelopes }) => {
    scope.get(
      '/account/export',
      {
        schema: schemaOf(envelopes),
        validatorCompiler: uncheckedRoute,
        config: { bodyless: true, findsStudent: true, operation: operationId, need },
      },
      async ({ call }, reply) => {
        const pieces = await call.race(accountExport.begin(call.student));
        return reply
          .header('Cache-Control', 'no-store')
          .header('Content-Disposition', 'attachment; filename="campus-export.json"')
          .type('application/json; charset=utf-8')
          .serializer((payload: unknown) => payload as string)
          .send(Readable.from(pieces, { objectMode: false }));
      },
    );
  },
});
