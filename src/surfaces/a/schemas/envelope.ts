import { KindGuard, type TSchema, Type } from '@sinclair/typebox';
import { type NamedObject, object, text } from '../../records/atoms.ts';

/** Component names of this surface start with `V1`: the other surface has schemas of the same names. */
const componentPrefix = 'V1';

/**
 * A named object schema. Members of a request with a default count as optional in the document, because clients may
 * leave them out, while the value in hand always has them all. Answers have no defaults: they always have all members.
 */
export const component: NamedObject = (name, description, members) => {
  const required = Object.entries(members)
    .filter(([, member]) => !Object.hasOwn(member, 'default') && !KindGuard.IsOptional(member))
    .map(([key]) => key);
  return Object.assign(object(`${componentPrefix}${name}`, description, members), { required });
};

export const nullable = <T extends TSchema>(schema: T, options: { default?: null; description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

const message = text('Text for people; programs must not parse it.');

/** The envelope of a success, whose `data` is the payload of the operation. */
export const envelope = <T extends TSchema>(name: string, data: T) =>
  component(name, 'A success with its payload.', {
    code: Type.Integer({ const: 200, description: 'Success. Failures have other codes and other shapes.' }),
    message,
    data,
  });

/** What is really sent: an envelope with its payload, so that no union has to be guessed. */
export const successOf = <T extends TSchema>(data: T) =>
  Type.Object({ code: Type.Integer(), message: Type.String(), data });

/** Every code of a failure. */
const failureCode = Type.Integer({
  enum: [400, 401, 403, 408, 413, 429, 500, 503],
  description:
    '400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. ' +
    '429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503.',
});

/** The envelope of a failure that has a payload of its own: it tells the state in which the failure leaves things. */
export const failureEnvelope = <T extends TSchema>(name: string, data: T) =>
  component(name, 'A refusal or failure of this operation; HTTP 200.', {
    code: failureCode,
    message,
    data: nullable(data, { description: 'The state, where it is known.' }),
  });

export const ErrorResponse = component(
  'ErrorResponse',
  'A failure that the application decided: HTTP 200, and 503 only when overloaded or shutting down.',
  { code: failureCode, message, data: Type.Null({ description: 'Always null.' }) },
);

export const AuthStatus = component(
  'AuthStatus',
  'A credential problem: the token, or the stored campus passwords. Told apart by its shape, it has no `data`.',
  {
    code: Type.Integer({
      enum: [400, 401],
      description: '401: token or session; 400: the campus refuses the stored passwords.',
    }),
    message,
  },
);

const ValidationError = component('ValidationError', 'One defect of a body.', {
  loc: Type.Array(Type.Union([Type.Integer(), Type.String()], { description: 'Member name or array index.' }), {
    description: 'Path to the offending value, starting with `body`.',
  }),
  msg: text('What is wrong, for developers; in Chinese where `Accept-Language` wants it.'),
  type: text('Machine-readable kind of the defect.'),
  input: Type.Optional(Type.Unknown({ description: 'The offending value, unless it could hold a credential.' })),
  ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The violated limit.' })),
});

export const HttpValidationError = component('HTTPValidationError', 'What is wrong with the body.', {
  detail: Type.Array(ValidationError, { description: 'Every defect of the body, at most 50.' }),
});
