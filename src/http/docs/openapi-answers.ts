import { isRecord } from '../../lib/text.ts';

/** Any object of the description: an operation, an answer, or the whole. */
export type OpenApiObject = Record<string, unknown>;

export const retryAfter = {
  'Retry-After': {
    type: 'integer',
    description: 'Whole seconds to wait: with every 429 and 503, and where it is known.',
  },
};

const everyAnswer: Readonly<Record<string, OpenApiObject>> = {
  'X-Trace-Id': {
    description: 'Names this call in the log of the service; tell it to the operator when something is wrong.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'X-Process-Time': {
    description: 'Seconds that the call took in the service, as a decimal number.',
    schema: { type: 'string', pattern: '^\\d+\\.\\d{4}$' },
  },
};

const methods = ['get', 'post', 'put', 'patch', 'delete'];

const recordsIn = (value: unknown): Array<[string, OpenApiObject]> =>
  isRecord(value)
    ? Object.entries(value).flatMap(
        ([name, each]): Array<[string, OpenApiObject]> => (isRecord(each) ? [[name, each]] : []),
      )
    : [];

export const operationsOf = (paths: unknown): OpenApiObject[] =>
  recordsIn(paths).flatMap(([, item]) => methods.flatMap((method) => (isRecord(item[method]) ? [item[method]] : [])));

const responsesOf = (paths: unknown): OpenApiObject[] =>
  operationsOf(paths).flatMap(({ responses }) => (isRecord(responses) ? [responses] : []));

interface SharedPart {
  readonly name: string;
  readonly value: OpenApiObject;
  put(reference: OpenApiObject): void;
}

/** Names what is said alike more than once, and refers to it. Things of one name that differ are numbered. */
const share = (section: string, uses: readonly SharedPart[]): OpenApiObject => {
  const made: OpenApiObject = {};
  for (const alike of Map.groupBy(uses, ({ name, value }) => name + JSON.stringify(value)).values()) {
    const [first] = alike;
    if (first === undefined || alike.length < 2) continue;
    let name = first.name;
    for (let number = 2; name in made; number += 1) name = `${first.name}${number}`;
    made[name] = first.value;
    for (const use of alike) use.put({ $ref: `#/components/${section}/${name}` });
  }
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** `REMOTE_SERVICE_ERROR plan-tree` → `RemoteServiceErrorPlanTree`. */
const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');

const prefixOf = (media: OpenApiObject): string => (JSON.stringify(media.schema ?? '').includes('/V1') ? 'V1' : '');

/**
 * `COOLDOWN` → `CooldownFailure`, and `V1…` below `/api/v1`, whose schemas are called so. Some generators put schemas and
 * answers into one name space.
 */
const nameOf = (media: OpenApiObject): string =>
  `${prefixOf(media)}${Object.keys(Object(media.examples)).map(pascal).join('')}Failure`;

/** Moves repeated headers, failures and examples out of the operations. Changes `paths`, and returns the components. */
export const shareAnswers = (paths: unknown): Readonly<Record<'headers' | 'responses' | 'examples', OpenApiObject>> => {
  const everywhere = responsesOf(paths);
  const headers = everywhere.flatMap((responses) =>
    recordsIn(responses).flatMap(([, response]) => {
      const own: OpenApiObject = { ...Object(response.headers), ...everyAnswer };
      response.headers = own;
      return recordsIn(own).map(
        ([name, value]): SharedPart => ({ name, value, put: (to) => Object.assign(own, { [name]: to }) }),
      );
    }),
  );
  const headerComponents = share('headers', headers);
  const failures = everywhere.flatMap((responses) =>
    recordsIn(responses).flatMap(([status, value]): SharedPart[] => {
      const media = isRecord(value.content) ? value.content['application/json'] : undefined;
      if (status === '200' || !isRecord(media)) return [];
      return [{ name: nameOf(media), value, put: (to) => Object.assign(responses, { [status]: to }) }];
    }),
  );
  const responses = share('responses', failures);
  // Names of shared failures are made of their examples, so these go last.
  const examples = [...everywhere, responses].flatMap((each) =>
    recordsIn(each).flatMap(([, { content }]) =>
      recordsIn(content).flatMap(([, media]) => {
        const own = Object(media.examples);
        return recordsIn(own).map(([name, value]): SharedPart => {
          return { name: prefixOf(media) + pascal(name), value, put: (to) => Object.assign(own, { [name]: to }) };
        });
      }),
    ),
  );
  return { headers: headerComponents, responses, examples: share('examples', examples) };
};

/** Leads from each failure to what its codes ask of a client, and to documents that are named. Changes `paths`. */
export const linkDocuments = (paths: unknown, docsUrl: string): void => {
  for (const operation of operationsOf(paths)) {
    const said = String(operation.description ?? '');
    operation.description = said.replace(/`docs\/(?:[a-z]+\/)?([a-z-]+)\.md`/g, `[docs/$1](${docsUrl}/$1)`);
  }
  for (const responses of responsesOf(paths)) {
    for (const [status, response] of recordsIn(responses)) {
      const media = isRecord(response.content) ? response.content['application/json'] : undefined;
      if (status === '200' || !isRecord(media)) continue;
      const names = Object.keys(Object(media.examples)).map((name) => name.split(' ', 1)[0] ?? '');
      const codes = [...new Set(names)].filter((name) => /^[A-Z][A-Z_]+$/.test(name));
      const links = codes.map((code) => `[${code}](${docsUrl}/errors#${code})`);
      if (links.length > 0) response.description = `${response.description} ${links.join(' ')}`;
    }
  }
};
