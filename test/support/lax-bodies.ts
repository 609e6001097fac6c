import type { Static, TObject } from '@sinclair/typebox';
import { RequestInvalid } from '../../src/http/requests/findings.ts';
import { compileCheck } from '../../src/http/requests/validation.ts';
import { findingItemOf } from '../../src/surfaces/a/error-handler.ts';

/** Checks bodies as the surface with lax bodies does. */
export const bodyReader = <T extends TObject>(schema: T): ((body: unknown) => Static<T>) => {
  const check = compileCheck(schema, 'body', 'lax');
  return (body) => {
    const checked = check(body);
    if ('error' in checked) throw checked.error;
    return checked.value;
  };
};

/** The findings for a refused body, where bodies are echoed. */
export const itemsOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestInvalid) return error.findings.map((finding) => findingItemOf(finding, true, 'en'));
    throw error;
  }
  throw new Error('the body was accepted');
};
