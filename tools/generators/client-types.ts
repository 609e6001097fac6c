import openapiTS, { astToString } from 'openapi-typescript';
// TypeScript 5, whose compiler interface openapi-typescript needs; npm takes 7 beside it only as `typescript-7`.
import ts from 'typescript';
import type { Operation } from './description.ts';

const notice = '// Generated from docs/reference/openapi.json by `npm run documents`; not to be changed by hand.\n';

/** The input of an operation and its success; failures are one class of errors. */
const reduced = ({ id, path, method, source }: Operation) => {
  const { summary, description, parameters, requestBody, responses } = source;
  const success = Object(Object(responses)['200']);
  const { content, description: said } = success;
  const { 'application/json': json } = Object(content);
  const answer = { description: said, content: { 'application/json': { schema: Object(json).schema } } };
  const first = String(description).split('\n', 1)[0];
  const operation = { operationId: id, summary, description: first, parameters, requestBody };
  return [path, { [method.toLowerCase()]: { ...operation, responses: { 200: answer } } }] as const;
};

/** The types of all operations and schemas. */
export const typesOf = async (document: Record<string, unknown>, operations: readonly Operation[]): Promise<string> => {
  const paths: Record<string, object> = {};
  for (const [path, item] of operations.map(reduced)) paths[path] = { ...paths[path], ...item };
  const { schemas } = Object(document.components);
  const small = { openapi: '3.1.0', info: document.info, paths, components: { schemas } };
  const nodes = await openapiTS(JSON.stringify(small), { defaultNonNullable: false });
  const wanted = nodes.filter(
    (node) => ts.isInterfaceDeclaration(node) && ['components', 'operations'].includes(node.name.text),
  );
  return `${notice}\n${astToString(wanted)}`;
};

/** Its codes of failures on the surface whose codes are words. */
const codesOf = (document: Record<string, unknown>, { source }: Operation): string[] => {
  const { responses } = Object(document.components);
  const codes = Object.entries(Object(source.responses)).flatMap(([status, answer]) => {
    const { $ref } = Object(answer);
    const { content } = Object(typeof $ref === 'string' ? Object(responses)[$ref.split('/').at(-1) ?? ''] : answer);
    const { examples } = Object(Object(content)['application/json']);
    return status === '200' ? [] : Object.keys(Object(examples));
  });
  return [...new Set(codes.map((name) => name.split(' ', 1)[0] ?? ''))].filter((code) => /^[A-Z][A-Z_]+$/.test(code));
};

const comment = (lines: readonly string[]): string =>
  `  /**\n${lines.map((line) => `   * ${line}`.trimEnd().replaceAll('*/', '*\u200b/')).join('\n')}\n   */`;

/** One documented method for each operation. */
export const methodsOf = (document: Record<string, unknown>, operations: readonly Operation[]): string => {
  const methods = operations.map((operation) => {
    const { id, method, path, source, summary } = operation;
    const codes = codesOf(document, operation);
    const said = String(source.description ?? '').split('\n');
    const first = summary.endsWith('.') ? summary : `${summary}.`;
    const lines = [first, '', ...said, ...(said.join('') === '' ? [] : ['']), `\`${method} ${path}\``];
    if (codes.length > 0) lines.push('', `@throws CampusError ${codes.join(', ')}`);
    return `${comment(lines)}\n  ${id}(...input: Arguments<'${id}'>): Promise<Answer<Data<'${id}'>>>;`;
  });
  return `${notice}
import type { Answer, Arguments, Data } from './types.ts';

/** Every operation of both surfaces; those below \`/api/v1\` begin with \`v1\`. */
export interface Operations {
${methods.join('\n')}
}
`;
};

export const tableOf = (operations: readonly Operation[]): string => {
  const rows = operations.map(({ id, method, path, token, file, source: { 'x-token-scope': scope } }) => {
    const members = [`method: '${method}'`, `path: '${path}'`, `token: '${token}'`];
    if (typeof scope === 'string') members.push(`scope: '${scope}'`);
    if (file !== undefined) members.push(`file: '${file}'`);
    return `  ${id}: { ${members.join(', ')} },`;
  });
  return `${notice}
/** \`token\`: in the header \`Authorization\`, a member of the body, a part of it called \`AuthmeRequest\`, or none. \`scope\`: what
 * it asks of a personal token; \`login\`: that it is none; \`any\`: nothing. */
export const operations = {
${rows.join('\n')}
} as const;
`;
};
