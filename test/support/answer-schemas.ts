import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { type DocumentedOperation, documentedOperations } from './openapi-operations.ts';

export interface AnswerSchemas {
  readonly operations: readonly DocumentedOperation[];
  /** The defects of an answer of that status; empty when it is as documented, null when the status is not. */
  findings(operation: DocumentedOperation, status: number, body: unknown): string | null;
}

/**
 * The published document as a judge of answers, read by the usual validator: one of ours would judge its own reading.
 */
export const answerSchemas = (app: FastifyInstance): AnswerSchemas => {
  const { document, operations } = documentedOperations(app);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (schema: unknown): ValidateFunction => {
    // References of the document are resolved against the document as a whole.
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
    const known = compiled.get(text);
    if (known) return known;
    const made = ajv.compile(JSON.parse(text));
    compiled.set(text, made);
    return made;
  };
  return {
    operations,
    findings: (operation, status, body) => {
      const schema = operation.answers.get(String(status));
      // An image, or nothing at all, is no JSON.
      if (schema === undefined) return operation.answers.has(String(status)) ? '' : null;
      const validate = validatorOf(schema);
      return validate(body) ? '' : ajv.errorsText(validate.errors);
    },
  };
};
