import { KindGuard, type TSchema, Type } from '@sinclair/typebox';
import { object, orNull, text } from '../../records/atoms.ts';
import { type ErrorCode, errorTable } from '../errors.ts';

const timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'Campus time, no zone designator: the moment the answer was built.',
});
const message = text('Text for people; programs must not parse it.');
const noError = Type.Null({ description: 'Always null.' });
const noData = Type.Null({ description: 'Always null.' });

/** `AcademicInfo` → `AcademicInfoEnvelope`, and for a list of them `AcademicInfoListEnvelope`. */
const nameOf = (data: TSchema): string => {
  if (KindGuard.IsArray(data)) return `${data.items.title}ListEnvelope`;
  // Null stands beside what is due.
  return `${KindGuard.IsUnion(data) ? data.anyOf[0]?.title : data.title}Envelope`;
};

const answerEnvelope = (success: TSchema, data: TSchema, description: string) =>
  Type.Object({ success, message, data, error: noError, timestamp }, { title: nameOf(data), description });

/** Envelope of a success whose payload is `data`. */
export const successEnvelope = (data: TSchema) =>
  answerEnvelope(Type.Literal(true, { description: 'Always true.' }), data, 'A success with its payload.');

/** Envelope of an answer whose payload says what the campus decided. */
export const decisionEnvelope = (data: TSchema) =>
  answerEnvelope(
    Type.Boolean({ description: 'False: the campus refused, `data.code` is not 0.' }),
    data,
    'What the campus decided, with its payload.',
  );

const failureEnvelope = (title: string, error: TSchema, data: TSchema = noData) =>
  Type.Object(
    { success: Type.Literal(false, { description: 'Always false.' }), message, data, error, timestamp },
    { title, description: 'A failure; `message` repeats `error.message`.' },
  );

const codes = Object.keys(errorTable);

/** A text for the serializer, which need not look at every code; the type and the document know them all. */
const ErrorCodeSchema = Type.Unsafe<ErrorCode>(
  Type.String({ enum: codes, title: 'ErrorCode', description: 'What failed, for programs. New ones may be added.' }),
);

const errorMembers = {
  message: text('Text for people.'),
  code: ErrorCodeSchema,
  trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Also in the header `X-Trace-Id`.' }),
};

const ErrorModel = object('ErrorModel', 'What failed.', errorMembers);

const ValidationErrorDetail = object('ValidationErrorDetail', 'One defect of a request.', {
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()], { description: 'Source, member name or array index.' }), {
    description: 'Source (`body`, `query`, `path`, `header`), then member names and array indexes.',
  }),
  msg: text('What is wrong, for developers; in Chinese where `Accept-Language` wants it.'),
  type: text('Machine-readable kind, e.g. `missing`, `string_type`, `json_invalid`.'),
});

const ValidationErrorModel = object('ValidationErrorModel', 'What is wrong with the request.', {
  ...errorMembers,
  details: Type.Array(ValidationErrorDetail, {
    minItems: 1,
    description: 'Every defect of the request, at most 50.',
  }),
});

export const FailureEnvelope = failureEnvelope('FailureEnvelope', ErrorModel);
/** Envelope of a 429 that says more about its cool-down; the limits that hold everywhere have `data: null`. */
export const coolDownEnvelope = (title: string, data: TSchema) =>
  failureEnvelope(title, ErrorModel, orNull(data, 'The cool-down of the operation; null for the general limits.'));
/** Envelope of refusals that all say more in their data. */
export const refusalEnvelope = (title: string, data: TSchema) => failureEnvelope(title, ErrorModel, data);
export const InvalidEnvelope = failureEnvelope('ValidationFailureEnvelope', ValidationErrorModel);
