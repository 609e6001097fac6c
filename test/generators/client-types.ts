import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Operation } from './description.ts';

const notice = '// Generated from docs/openapi.json by `npm run documents`; not to be changed by hand.\n';

/** What a client needs of an operation: what goes in, and what a success is. Failures are one class of errors. */
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

/** What a client needs to know of an operation while it runs. */
export const tableOf = (operations: readonly Operation[]): string => {
  const rows = operations.map(({ id, method, path, token, file }) => {
    const members = [`method: '${method}'`, `path: '${path}'`, `token: '${token}'`];
    if (file !== undefined) members.push(`file: '${file}'`);
    return `  ${id}: { ${members.join(', ')} },`;
  });
  return `${notice}
/** \`token\`: in the header \`Authorization\`, a member of the body, a part of it called \`AuthmeRequest\`, or none. */
export const operations = {
${rows.join('\n')}
} as const;
`;
};
