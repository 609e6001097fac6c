import { isRecord } from '../../src/lib/text.ts';

/** An operation of the interface description that answers JSON, which is all that clients call by name. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Where its token goes. */
  readonly token: 'header' | 'member' | 'part' | 'none';
  /** The part of the form that holds the file of an upload. */
  readonly file: string | undefined;
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly usual: unknown;
    readonly sample: unknown;
  }>;
  /** The example of the body. */
  readonly body: unknown;
  /** As the description has it. */
  readonly source: Record<string, unknown>;
}

type Json = Record<string, unknown>;

const record = (value: unknown): Json => (isRecord(value) ? value : {});
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => record(node)[key], value);

const target = (document: Json, node: unknown): Json => {
  const reference = record(node).$ref;
  if (typeof reference !== 'string') return record(node);
  return record(at(document, ...reference.replace('#/', '').split('/')));
};

const exampleOf = (parameter: Json): unknown => {
  const listed = at(parameter.schema, 'examples');
  return parameter.example ?? (Array.isArray(listed) ? listed[0] : at(parameter.schema, 'example'));
};

const tokenPlace = (security: unknown, members: Json): Operation['token'] => {
  // One that may be left out is none that the operation asks for.
  const needed = Array.isArray(security) && security.length > 0 && security.every((each) => 'bearer' in record(each));
  if (needed) return 'header';
  if ('token' in members) return 'member';
  return 'AuthmeRequest' in members ? 'part' : 'none';
};

export const operationsOf = (document: Json): Operation[] =>
  Object.entries(record(document.paths)).flatMap(([path, item]) =>
    Object.entries(record(item)).flatMap(([method, each]): Operation[] => {
      const source = record(each);
      const success = record(at(source, 'responses', '200'));
      // Such as the export: an answer that suggests the name of a file is one.
      if ('Content-Disposition' in record(success.headers)) return [];
      const answer = at(success, 'content', 'application/json', 'schema', '$ref');
      if (typeof answer !== 'string') return [];
      const content = record(at(source, 'requestBody', 'content'));
      const [type = '', media] = Object.entries(content)[0] ?? [];
      const members = record(target(document, at(media, 'schema')).properties);
      const isForm = type.startsWith('multipart/');
      const listed = Array.isArray(source.parameters) ? source.parameters : [];
      const parameters = listed.map((parameter) => target(document, parameter));
      return [
        {
          id: String(source.operationId),
          method: method.toUpperCase(),
          path,
          tag: Array.isArray(source.tags) ? String(source.tags[0]) : '',
          summary: String(source.summary),
          token: isForm ? 'header' : tokenPlace(source.security, members),
          file: isForm ? Object.keys(members)[0] : undefined,
          parameters: parameters.map((parameter) => ({
            name: String(parameter.name),
            in: String(parameter.in),
            usual: at(parameter.schema, 'default'),
            // What must be sent has a value that can be tried.
            sample: parameter.required === true ? exampleOf(parameter) : undefined,
          })),
          body: at(media, 'examples', 'request', 'value'),
          source: { ...source, parameters },
        },
      ];
    }),
  );
