import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, record, type Subject, validCall } from './call.ts';
import { parsed, type Recorded } from './recorded.ts';

const short = (text: string): string => (text.length <= 24 ? text : `${text.slice(0, 12)}… (${text.length})`);

type Path = readonly string[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every member of a body, objects before what they hold. */
const membersOf = (value: unknown, at: Path = []): Path[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, member]) => [[...at, name], ...membersOf(member, [...at, name])])
    : [];

const hole = '@@here@@';

/** The body with that member replaced, or left out where there is no text for it. */
const replaced = (body: unknown, [name = '', ...deeper]: Path, text: string | undefined): unknown => {
  if (!isRecord(body)) return body;
  const { [name]: member, ...others } = body;
  if (deeper.length === 0) {
    return text === undefined ? others : { ...body, [name]: hole };
  }
  return { ...body, [name]: replaced(member, deeper, text) };
};

const bodyWith = (body: unknown, path: Path, text: string | undefined): string =>
  JSON.stringify(replaced(body, path, text)).replace(JSON.stringify(hole), () => text ?? '');

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** A case that is not tried still takes its time, so that later ones do not move. */
type Named = readonly [name: string, call: Call, isTried?: boolean];

const wholeBodies = (valid: Call, body: Record<string, unknown>): Named[] => {
  const text = JSON.stringify(body);
  const first = Object.keys(body)[0] ?? '';
  const withHeaders = (name: string, headers: Record<string, string>, sent: string | Buffer | undefined): Named => {
    const { 'content-type': _type, ...others } = valid.headers;
    return [name, { ...valid, headers: { ...others, ...headers }, body: sent }];
  };
  const withBody = (name: string, sent: string | Buffer): Named => [`body ${name}`, { ...valid, body: sent }];
  const ofType = (type: string): Named => withHeaders(`content type ${type}`, { 'content-type': type }, text);
  return [
    withHeaders('no body, no content type', {}, undefined),
    withHeaders('no body, JSON announced', { 'content-type': 'application/json' }, ''),
    withHeaders('body without content type', {}, Buffer.from(text)),
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'Application/JSON; charset=utf-8',
      'application/json; charset=gbk',
      'application/problem+json',
      'application/jsonp',
      'nonsense',
    ].map(ofType),
    ...['null', '{}', '[]', '"text"', '5', 'true', '   ', '{', 'not json', `{"${first}" }`].map((sent) =>
      withBody(short(sent), sent),
    ),
    withBody('with a letter behind', `${text}x`),
    withBody('cut short', text.slice(0, -1)),
    withBody('with a byte order mark', `﻿${text}`),
    withBody('with broken UTF-8', Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0x7d])])),
    withBody('with unknown members', JSON.stringify({ ...body, unknown: 1, constructor: { prototype: 1 } })),
    withBody('with __proto__', `{"__proto__":{"a":1},${text.slice(1)}`),
    withBody('with a member twice', `{"${first}":null,${text.slice(1)}`),
    withBody('of nested lists', nested(5_000)),
    withBody(
      'with 5,000 members',
      `{${Array.from({ length: 5_000 }, (_, i) => `"m${i}":0`).join(',')},${text.slice(1)}`,
    ),
    withBody('of 65 KiB', `{"filling":"${'x'.repeat(65 * 1_024)}",${text.slice(1)}`),
    withBody('of 1.1 MiB', `{"filling":"${'x'.repeat(1_100 * 1_024)}",${text.slice(1)}`),
    withBody(
      'with every member null',
      JSON.stringify(Object.fromEntries(Object.keys(body).map((name) => [name, null]))),
    ),
    withBody(
      'with every member a list',
      JSON.stringify(Object.fromEntries(Object.keys(body).map((name) => [name, []]))),
    ),
  ];
};

const memberCases = ({ operation, texts }: Subject, valid: Call, body: unknown): Named[] =>
  membersOf(body).flatMap((path) => [
    [`${path.join('.')} left out`, { ...valid, body: bodyWith(body, path, undefined) }] satisfies Named,
    ...texts
      .ofMember(operation, path)
      .map(
        ([text, isTried]): Named => [
          `${path.join('.')} = ${short(text)}`,
          { ...valid, body: bodyWith(body, path, text) },
          isTried,
        ],
      ),
  ]);

const headerCases = (valid: Call): Named[] => {
  const { authorization, ...others } = valid.headers;
  if (authorization === undefined) return [];
  const as = (name: string, value: string): Named => [name, { ...valid, headers: { ...others, authorization: value } }];
  const token = authorization.slice('Bearer '.length);
  return [
    ['no token', { ...valid, headers: others }],
    as('another scheme', `Basic ${token}`),
    as('scheme in small letters', `bearer ${token}`),
    as('token alone', token),
    as('no token after the scheme', 'Bearer '),
    as('two tokens', `Bearer ${token} ${token}`),
    as('an unknown token', `Bearer ${'x'.repeat(43)}`),
    as('a token of 300 characters', `Bearer ${'x'.repeat(300)}`),
    ...(typeof valid.body === 'string'
      ? [
          [
            'no token, and a wrong body',
            { ...valid, headers: { 'content-type': 'text/plain' }, body: '[' },
          ] satisfies Named,
        ]
      : []),
  ];
};

const addressCases = ({ operation, texts }: Subject, valid: Call): Named[] => {
  const [path = '', query = ''] = valid.target.split('?');
  const pattern = operation.path.split('/');
  const inPath = pattern.flatMap((segment, index) =>
    segment.startsWith('{')
      ? texts.ofParameter(operation, segment.slice(1, -1)).map(([text, isTried]): Named => {
          const target = path.split('/').with(index, text).join('/');
          return [
            `${segment} = ${short(text)}`,
            { ...valid, target: query === '' ? target : `${target}?${query}` },
            isTried,
          ];
        })
      : [],
  );
  const inQuery = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => {
      const others = new URLSearchParams(query);
      others.delete(name);
      const asked = (text: string): string =>
        `${path}?${[others.toString(), text].filter((part) => part !== '').join('&')}`;
      return [
        [`?${name} left out`, { ...valid, target: asked('') }] satisfies Named,
        [`?${name} twice`, { ...valid, target: asked(`${name}=1&${name}=2`) }] satisfies Named,
        ...texts
          .ofParameter(operation, name)
          .map(
            ([text, isTried]): Named => [
              `?${name}=${short(text)}`,
              { ...valid, target: asked(`${name}=${text}`) },
              isTried,
            ],
          ),
      ];
    });
  return [
    ...inPath,
    ...inQuery,
    ['an unknown query member', { ...valid, target: `${valid.target}${query === '' ? '?' : '&'}unknown=1` }],
    ['a slash behind', { ...valid, target: `${path}/${query === '' ? '' : `?${query}`}` }],
  ];
};

const methodCases = ({ operation }: Subject, valid: Call): Named[] =>
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    .filter((method) => method !== operation.method)
    .map((method): Named => [`method ${method}`, { ...valid, method, body: undefined }]);

const pngBytes = (): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/images/picture.png'));

const file = (bytes: Buffer, type = 'image/png'): Blob => new Blob([new Uint8Array(bytes)], { type });

const formCases = (valid: Call): Named[] => {
  if (!(valid.body instanceof FormData)) return [];
  const [part = ''] = [...valid.body.keys()];
  const png = pngBytes();
  const form = (name: string, ...parts: ReadonlyArray<readonly [string, string | Blob]>): Named => {
    const body = new FormData();
    for (const [key, value] of parts) body.append(key, value);
    return [`form ${name}`, { ...valid, body }];
  };
  const typed = (type: string): Named => [
    `content type ${type}`,
    { ...valid, headers: { ...valid.headers, 'content-type': type }, body: '{}' },
  ];
  return [
    form('without parts'),
    form('with a part of another name', ['other', file(png)]),
    form('with a text for the file', [part, 'text']),
    form('with a field beside it', ['note', 'text'], [part, file(png)]),
    form('with two files', [part, file(png)], [part, file(png)]),
    form('with an empty file', [part, file(Buffer.alloc(0))]),
    form('with a text as image', [part, file(Buffer.from('no image'))]),
    form('with half an image', [part, file(png.subarray(0, 20))]),
    form('with another media type', [part, file(png, 'image/jpeg')]),
    form('with a media type that is no image', [part, file(png, 'text/html')]),
    form('with 12 MiB', [part, file(Buffer.concat([png, Buffer.alloc(12 * 1_048_576)]))]),
    ...['application/json', 'multipart/form-data', 'text/plain'].map(typed),
  ];
};

/** Of what is read in one place for all operations; the first that has it meets everything. */
const usual: ReadonlySet<string> = new Set([
  'no token',
  'an unknown token',
  'no token, and a wrong body',
  'method HEAD',
  'method OPTIONS',
  'method PATCH',
  'no body, JSON announced',
  'content type text/plain',
  'body null',
  'body {}',
  'body []',
  'body not json',
  'body with unknown members',
  'body of 65 KiB',
  'body with every member null',
  'body with every member a list',
]);

const casesOf = async (subject: Subject): Promise<Named[]> => {
  const { operation, texts } = subject;
  const valid = await validCall(subject);
  const body: unknown = typeof valid.body === 'string' ? JSON.parse(valid.body) : undefined;
  const some = (part: string, named: Named[]): Named[] =>
    texts.isFirstWith(part, operation) ? named : named.map(([name, call]) => [name, call, usual.has(name)]);
  return [
    ...some('headers', headerCases(valid)),
    ...some('methods', methodCases(subject, valid)),
    ...addressCases(subject, valid),
    ...(isRecord(body) ? [...some('bodies', wholeBodies(valid, body)), ...memberCases(subject, valid, body)] : []),
    ...formCases(valid),
  ];
};

/** An invitation lives that long. */
const INVITATION_MS = 30 * 60_000;

const refusedEarly: ReadonlySet<number> = new Set([204, 401, 404, 405, 413, 415, 422]);

/** The request was good enough to be acted upon. */
const wentOn = ({ answer }: Recorded): boolean => {
  const { code } = Object(parsed(answer.bytes.toString()));
  return !refusedEarly.has(typeof code === 'number' ? code : answer.status) && !refusedEarly.has(answer.status);
};

/** Everything about the request itself that can be wrong, or is unusual and right. */
export const wrongRequests = async (subject: Subject): Promise<Recorded[]> => {
  const { world, given } = subject;
  const recorded: Recorded[] = [];
  let named = await casesOf(subject);
  let namedAt = world.clock.now();
  for (let index = 0; index < named.length; index += 1) {
    if (named[index]?.[2] === false) continue;
    await world.nextSlot();
    const isSpent = recorded.length > 0 && wentOn(recorded.at(-1)!);
    // A token or invitation that was used up or is old, or a student without tries, cannot make the next call.
    const isOld = given.ends && given.signsIn && world.clock.now() - namedAt > INVITATION_MS / 2;
    if ((given.ends || given.signsIn) && (isSpent || isOld)) {
      named = await casesOf({ ...subject, student: await world.registered() });
      namedAt = world.clock.now();
    }
    const [name, call] = named[index]!;
    recorded.push(await record(world, name, call));
  }
  return recorded;
};
