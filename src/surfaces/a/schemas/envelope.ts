import { KindGuard, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** Component names of this surface start with `V1`: the other surface has schemas of the same names. */
const componentPrefix = 'V1';

/**
 * A named object schema. Members with a default count as optional in the document (clients may leave them out, and
 * the schema of an answer does not promise them), while the value in hand always has them all.
 */
export const component = <T extends TProperties>(name: string, members: T, description?: string): TObject<T> => {
  const required = Object.entries(members)
    .filter(([, member]) => !Object.hasOwn(member, 'default') && !KindGuard.IsOptional(member))
    .map(([key]) => key);
  const options = { title: `${componentPrefix}${name}`, ...(description === undefined ? {} : { description }) };
  return Object.assign(Type.Object(members, options), { required });
};

const emptyOf = (schema: TSchema): unknown => {
  if (KindGuard.IsString(schema)) return '';
  if (KindGuard.IsBoolean(schema)) return false;
  if (KindGuard.IsArray(schema)) return [];
  return KindGuard.IsUnion(schema) ? null : 0;
};

/** The members with the empty value of their kind as default: this surface promises none of them. */
export const withDefaults = <T extends TProperties>(members: T): T => {
  const result = { ...members };
  for (const [name, member] of Object.entries(members)) {
    Reflect.set(result, name, { default: emptyOf(member), ...member });
  }
  return result;
};

export const nullable = <T extends TSchema>(schema: T, options: { default?: null; description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

const code = (description: string) => Type.Integer({ default: 200, description });
const message = Type.String({ default: '成功', description: 'Text for people; programs must not parse it.' });

/** Envelope whose `data` is the payload of the operation. */
export const envelope = <T extends TSchema>(name: string, data: T) =>
  component(name, {
    code: code('Application status: 200 success, 4xx the request, 5xx the service or the campus.'),
    message,
    data: nullable(data, { default: null }),
  });

/** What is really sent on success: the same envelope with its payload, so that no union has to be guessed. */
export const successOf = <T extends TSchema>(data: T) =>
  Type.Object({ code: Type.Integer(), message: Type.String(), data });

export const ErrorResponse = component(
  'ErrorResponse',
  { code: code('Never 200.'), message, data: Type.Null({ default: null }) },
  'An application failure; HTTP 200.',
);

export const AuthStatus = component(
  'AuthStatus',
  {
    code: Type.Integer({ description: '401: token or session; 400: the campus refuses the stored passwords.' }),
    message: Type.String(),
  },
  'A credential problem: the token, or the stored campus passwords. Told apart by its shape, it has no `data`.',
);

const ValidationError = component('ValidationError', {
  loc: Type.Array(Type.Union([Type.Integer(), Type.String()]), {
    description: 'Path to the offending value, starting with `body`.',
  }),
  msg: Type.String(),
  type: Type.String({ description: 'Machine-readable kind of the defect.' }),
  input: Type.Optional(Type.Unknown({ description: 'The offending value, unless it could hold a credential.' })),
  ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The violated limit.' })),
});

export const HttpValidationError = component('HTTPValidationError', { detail: Type.Array(ValidationError) });
