import { expect, it } from 'vitest';
import { appUnderTest } from '../../support/app.ts';
import { exampleToken } from '../../support/fake-services.ts';
import { documentedOperations } from '../../support/openapi-operations.ts';

const { app } = await appUnderTest();
const { document, operations } = documentedOperations(app);

// biome-ignore lint/suspicious/noExplicitAny: a generic document, walked by its own structure
type Json = any;

const exampleOf = ({ method, path }: { method: string; path: string }): Json => {
  const answer = document.paths[path][method.toLowerCase()].responses['422'];
  const { content } = answer?.$ref ? document.components.responses[answer.$ref.split('/').at(-1)] : (answer ?? {});
  return content?.['application/json'].examples.VALIDATION_ERROR.value;
};
const documented = operations
  .filter(({ surface, multipart }) => surface === 'b' && !multipart)
  .map((operation) => ({ ...operation, example: exampleOf(operation) }))
  .filter(({ example }) => example !== undefined);

/** Does not fit what was documented: missing, of another type, of another form or too long. */
const unfit = ({ type, ctx }: { type: string; ctx?: { max_length?: number } }): unknown => {
  if (type === 'missing') return undefined;
  return type === 'string_too_long' ? '?'.repeat((ctx?.max_length ?? 0) + 1) : '?';
};

it('examples of a 422 stand for every operation whose request can fail its check', () => {
  expect(documented.length).toBeGreaterThan(20);
});

it.each(documented.map((each) => ({ ...each, id: `${each.method} ${each.path}` })))(
  '$id: the example of a 422 is what a wrong request is answered',
  async ({ method, path, bodyExample, example }) => {
    const [detail] = example.error.details;
    const [source, name] = detail.loc;
    const wrong = detail.type === 'string_type' ? {} : unfit(detail);
    const inPath = (_: string, each: string) => (source === 'path' && each === name ? String(wrong) : '2025-2026-1-1');
    const query = source === 'query' && wrong !== undefined ? `?${name}=${encodeURIComponent(String(wrong))}` : '';
    const answer = await app.inject({
      method: method as 'POST',
      url: path.replace(/\{(\w+)\}/g, (whole, each) => encodeURIComponent(inPath(whole, each))) + query,
      headers: { authorization: `Bearer ${exampleToken}` },
      ...(source === 'body' ? { payload: { ...bodyExample, [name]: wrong } } : {}),
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error.details).toContainEqual(JSON.parse(JSON.stringify(detail)));
    expect(detail.msg).not.toMatch(/[\\^$]/);
  },
);
