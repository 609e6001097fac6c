import type { GeneratedFile } from '../generated-files.ts';
import type { Operation } from './description.ts';

const folder = 'clients/bruno';

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');
const block = (name: string, lines: readonly string[]): string => `${name} {\n${indented(lines.join('\n'))}\n}\n`;

/** The examples of the description are of one student; what a collection sends is the student of its environment. */
const variables: ReadonlyArray<[RegExp, string]> = [
  [/("token": )"[^"]*"/g, '$1"{{token}}"'],
  [/("invite_token": )"[^"]*"/g, '$1"{{invite_token}}"'],
  [/("(userid|password|vpn_password|invite_code)": )"[^"]*"/g, '$1"{{$2}}"'],
];
const bodyText = (body: unknown): string =>
  variables.reduce((text, [pattern, variable]) => text.replace(pattern, variable), JSON.stringify(body, null, 2));

/** Logins and registrations keep what they are given for the calls after them. */
const kept = ({ token, id }: Operation): string[] => {
  if (token !== 'none' || !/login|register|invite/i.test(id)) return [];
  return [
    'const { token, authme_token, invite_token } = res.body.data ?? {};',
    'if (token ?? authme_token) bru.setVar("token", token ?? authme_token);',
    'if (invite_token) bru.setVar("invite_token", invite_token);',
  ];
};

const requestFile = (operation: Operation, seq: number): string => {
  const { summary, method, path, parameters, body, file, token } = operation;
  const mode = file === undefined ? (body === undefined ? 'none' : 'json') : 'multipartForm';
  const url = `{{base}}${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, usual, sample }) => `${name}: ${usual ?? sample ?? ''}`);
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `${name}: {{${name}}}`);
  const blocks = [
    block('meta', [`name: ${summary}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${mode}`, `auth: ${token === 'header' ? 'inherit' : 'none'}`]),
    ...(query.length > 0 ? [block('params:query', query)] : []),
    ...(inPath.length > 0 ? [block('params:path', inPath)] : []),
    ...(mode === 'json' ? [block('body:json', bodyText(body).split('\n'))] : []),
    ...(file === undefined ? [] : [block('body:multipart-form', [`${file}: @file()`])]),
  ];
  const script = kept(operation);
  if (script.length > 0) blocks.push(block('script:post-response', script));
  return blocks.join('\n');
};

const settings = { version: '1', name: 'Campus Gateway', type: 'collection', ignore: ['node_modules', '.git'] };

/**
 * A collection for Bruno, whose files are read and compared like code and work without an account: a folder per group,
 * a file per operation, the demo campus as environment.
 */
export const collectionOf = (operations: readonly Operation[]): GeneratedFile[] => {
  const files: Array<[string, string]> = [
    ['bruno.json', `${JSON.stringify(settings, null, 2)}\n`],
    ['collection.bru', [block('auth', ['mode: bearer']), block('auth:bearer', ['token: {{token}}'])].join('\n')],
    [
      'environments/Demo campus.bru',
      block('vars', [
        'base: http://127.0.0.1:3000',
        'userid: 2023000001',
        'password: demo-password',
        'vpn_password: demo-vpn',
        'invite_code: DEMO-2026',
        'term_code: 2025-2026-1-1',
        'mode: light',
        'building_code: 01',
        'floor_code: 0101',
        'room_code: 010101',
      ]),
    ],
    ...[...Map.groupBy(operations, ({ tag }) => tag).values()].flatMap((group) =>
      group.map((each, at): [string, string] => [`${each.tag}/${each.id}.bru`, requestFile(each, at + 1)]),
    ),
  ];
  return files.map(([path, text]) => ({ path: `${folder}/${path}`, make: () => text }));
};
