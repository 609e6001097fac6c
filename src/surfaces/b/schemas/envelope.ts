import { type TSchema, Type } from '@sinclair/typebox';

const timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'Campus time, no zone designator: the moment the answer was built.',
});

const answerEnvelope = (success: TSchema, data: TSchema) =>
  Type.Object({ success, message: Type.String(), data, error: Type.Null(), timestamp });

/** Envelope of a success whose payload is `data`. */
export const successEnvelope = (data: TSchema) => answerEnvelope(Type.Literal(true), data);

/** Envelope of an answer whose payload says what the campus decided. */
export const decisionEnvelope = (data: TSchema) =>
  answerEnvelope(Type.Boolean({ description: 'False: the campus refused, `data.code` is not 0.' }), data);

const failureEnvelope = (title: string, error: TSchema, data: TSchema = Type.Null()) =>
  Type.Object(
    { success: Type.Literal(false), message: Type.String(), data, error, timestamp },
    { title, description: '`message` repeats `error.message`.' },
  );

const errorMembers = {
  message: Type.String({ description: 'Text for people.' }),
  code: Type.String({ description: 'Short identifier for programs.' }),
  trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Also in the header `X-Trace-Id`.' }),
};

export const ErrorModel = Type.Object(errorMembers, { title: 'ErrorModel' });

export const ValidationErrorDetail = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: 'Source (`body`, `query`, `path`, `header`), then member names and array indexes.',
    }),
    msg: Type.String(),
    type: Type.String({ description: 'Machine-readable kind, e.g. `missing`, `string_type`, `json_invalid`.' }),
  },
  { title: 'ValidationErrorDetail' },
);

export const ValidationErrorModel = Type.Object(
  { ...errorMembers, details: Type.Array(ValidationErrorDetail, { minItems: 1 }) },
  { title: 'ValidationErrorModel' },
);

export const FailureEnvelope = failureEnvelope('FailureEnvelope', ErrorModel);
/** Envelope of a 429 that says more about its cool-down; the limits that hold everywhere have `data: null`. */
export const coolDownEnvelope = (title: string, data: TSchema) =>
  failureEnvelope(title, ErrorModel, Type.Union([data, Type.Null()]));
export const InvalidEnvelope = failureEnvelope('ValidationFailureEnvelope', ValidationErrorModel);
