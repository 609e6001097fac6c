import { isRecord } from '../lib/records.ts';

type Json = Record<string, unknown>;

/** For the answers that may say when to come back. */
export const retryAfter = {
  'Retry-After': {
    type: 'integer',
    description: 'Whole seconds to wait: with every 429 and 503, and where it is known.',
  },
};

/** What every answer carries. */
const everyAnswer: Readonly<Record<string, Json>> = {
  'X-Trace-Id': {
    description: 'Names this call in the log of the service; tell it to the operator when something is wrong.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'X-Process-Time': {
    description: 'Seconds that the call took in the service, as a decimal number.',
    schema: { type: 'string', pattern: '^\\d+\\.\\d{4}$' },
  },
};

const methods = ['get', 'post', 'put', 'delete'];

const recordsIn = (value: unknown): Array<[string, Json]> =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, each]): Array<[string, Json]> => (isRecord(each) ? [[name, each]] : []))
    : [];

const responsesOf = (paths: unknown): Json[] =>
  recordsIn(paths).flatMap(([, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return isRecord(operation) && isRecord(operation.responses) ? [operation.responses] : [];
    }),
  );

interface Use {
  readonly name: string;
  readonly value: Json;
  put(reference: Json): void;
}

/** Names what is said alike more than once, and refers to it. A name taken by something else is left to that. */
const shared = (section: string, uses: readonly Use[]): Json => {
  const made: Json = {};
  for (const alike of Map.groupBy(uses, ({ name, value }) => name + JSON.stringify(value)).values()) {
    const [first] = alike;
    if (first === undefined || alike.length < 2 || first.name in made) continue;
    made[first.name] = first.value;
    for (const use of alike) use.put({ $ref: `#/components/${section}/${first.name}` });
  }
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** `COOLDOWN` → `Cooldown`, and `V1…` below `/api/v1`, whose schemas are called so. */
const nameOf = (media: Json): string => {
  const words = Object.keys(Object(media.examples)).flatMap((name) => name.split(/[^A-Za-z0-9]+/));
  const prefix = JSON.stringify(media.schema ?? '').includes('/V1') ? 'V1' : '';
  return prefix + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
};

/** Moves repeated headers and failures out of the operations. Changes `paths`, and returns the components. */
export const shareAnswers = (paths: unknown): { readonly headers: Json; readonly responses: Json } => {
  const everywhere = responsesOf(paths);
  const headers = everywhere.flatMap((responses) =>
    recordsIn(responses).flatMap(([, response]) => {
      const own: Json = { ...Object(response.headers), ...everyAnswer };
      response.headers = own;
      return recordsIn(own).map(
        ([name, value]): Use => ({ name, value, put: (to) => Object.assign(own, { [name]: to }) }),
      );
    }),
  );
  const headerComponents = shared('headers', headers);
  const failures = everywhere.flatMap((responses) =>
    recordsIn(responses).flatMap(([status, value]): Use[] => {
      const media = isRecord(value.content) ? value.content['application/json'] : undefined;
      if (status === '200' || !isRecord(media)) return [];
      return [{ name: nameOf(media), value, put: (to) => Object.assign(responses, { [status]: to }) }];
    }),
  );
  return { headers: headerComponents, responses: shared('responses', failures) };
};
