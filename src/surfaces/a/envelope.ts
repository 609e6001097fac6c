import { KindGuard, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type NamedObject, object, orNull, text } from '../../domain/record.ts';

/** Records that surface B names otherwise. */
const names: Readonly<Record<string, string>> = {
  CreditInfo: 'ScoreInfo',
  CreditItem: 'ScoreItem',
  CreditCategory: 'ScoreCategory',
};

const mapMembers = (members: TProperties, of: (member: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, of(member)]));

/** A named object schema. Clients may leave out members with a default, so the document calls them optional. */
export const component: NamedObject = (name, description, members) => {
  const required = Object.entries(members)
    .filter(([, member]) => !Object.hasOwn(member, 'default') && !KindGuard.IsOptional(member))
    .map(([key]) => key);
  return Object.assign(object(name, description, members), { required });
};

/** A schema as the document names it: component names begin with `V1`, because surface B has the same ones. */
export const asV1 = <T extends TSchema>(schema: T): T => {
  const { title, properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(title === undefined ? {} : { title: `V1${names[title] ?? title}` }),
    ...(properties ? { properties: mapMembers(properties, asV1) } : {}),
    ...(items ? { items: asV1(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(asV1) } : {}),
  };
};

const message = text('Text for people; programs must not parse it.');

export const envelope = <T extends TSchema>(name: string, data: T) =>
  component(name, 'A success with its payload.', {
    code: Type.Integer({ const: 200, description: 'Success. Failures have other codes and other shapes.' }),
    message,
    data,
  });

/** The envelope for the serializer: without alternatives that it would have to choose from. */
export const successOf = <T extends TSchema>(data: T) =>
  Type.Object({ code: Type.Integer(), message: Type.String(), data });

/** No enumeration: Kotlin and Dart merge the envelopes of an operation into one class, which would lose the 200. */
const failureCode = Type.Integer({
  description:
    '400: refused as asked. 401: the token. 403: not permitted. 408: the body came too slowly. 413: too large. ' +
    '428: the student has to do what `message` says. 429: too often. 500: the campus or the service failed. 503: overloaded or shutting down, with HTTP status 503. New ones may be added.',
});

export const failureEnvelope = <T extends TSchema>(name: string, data: T) =>
  component(name, 'A refusal or failure of this operation; HTTP 200.', {
    code: failureCode,
    message,
    data: orNull(data, 'The state, where it is known.'),
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
      description: '401: token or session; 400: the campus refuses the stored passwords.',
    }),
    message,
  },
);

/** `input`, the received value, is sent but not described: a member of any type breaks the Kotlin generator. */
const ValidationError = component('ValidationError', 'One defect of a body; more members may stand beside these.', {
  loc: Type.Array(Type.Union([Type.Integer(), Type.String()], { description: 'Member name or array index.' }), {
    description: 'Path to the offending value, starting with `body`.',
  }),
  msg: text('What is wrong, for developers; in Chinese where `Accept-Language` wants it.'),
  type: text('Machine-readable kind of the defect.'),
  ctx: Type.Optional(
    component('BrokenLimit', 'The limit that was broken, where a number has one.', {
      ge: Type.Optional(Type.Number({ description: 'Smallest value.' })),
      le: Type.Optional(Type.Number({ description: 'Largest value.' })),
    }),
  ),
});

export const HttpValidationError = component('HTTPValidationError', 'What is wrong with the body.', {
  detail: Type.Array(ValidationError, { description: 'Every defect of the body, at most 50.' }),
});

export const exampleToken = 'q7RkExampleExampleExampleExampleExampleExam';

export const AuthmeRequest = component('AuthmeRequest', 'Whose call it is.', {
  token: text('User token from login or registration.', exampleToken),
});
