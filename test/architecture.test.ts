import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breaches, idleWords, importsOf } from './support/import-rules.ts';
import { sharedNames } from './support/name-rules.ts';

const root = posix.join(import.meta.dirname, '..');

const read = (...patterns: string[]): Map<string, string> =>
  new Map(
    globSync(patterns, { cwd: root })
      .filter((path) => /\.(ts|md|json)$|\/run$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(posix.join(root, path), 'utf8')]),
  );

describe('the sources', () => {
  it('import in one direction, keep packages at home, and leave process, console and time alone', () => {
    const sources = read('src/**/*.ts');
    expect(sources.size).toBeGreaterThan(20);
    expect(breaches(sources)).toEqual([]);
  });

  it('give each name that a file exports, and each name of a type, to one thing', () => {
    const sources = [...read('src/**/*.ts')].filter(([path]) => !path.startsWith('src/demo/'));
    expect(sharedNames(new Map(sources))).toEqual([]);
  });

  it('use every word that storage may take from the domain', () => {
    expect(idleWords(read('src/storage/**/*.ts'))).toEqual([]);
  });

  it('name nothing outside the project', () => {
    const texts = read('src/**/*', 'test/**/*.ts', 'docs/**/*.md', '*.md', '*.json', '.ci/*').entries();
    const outside = ['..', 'shared'].join('/');
    expect([...texts].flatMap(([path, text]) => (text.includes(outside) ? [path] : []))).toEqual([]);
  });
});

describe('what names paths besides imports', () => {
  /** Paths and globs below folders of the project, as they stand between quotes. */
  const globsIn = (text: string): string[] =>
    [...text.matchAll(/['"]!?((?:src|test|tools|clients|docs)\/[\w./*{},-]*[\w*}])['"]/g)].map(([, glob = '']) => glob);

  it.each(['vitest.config.ts', 'biome.json', 'tools/mutate/vitest.config.ts', 'package.json', '.dockerignore'])(
    '%s names nothing that has moved away',
    (file) => {
      const globs = globsIn(readFileSync(posix.join(root, file), 'utf8'));
      // One that is expanded by alternatives has to match with each of them.
      const alternatives = (glob: string): string[] => {
        const [, before = '', choices = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
        return choices === '' ? [glob] : choices.split(',').flatMap((choice) => alternatives(before + choice + after));
      };
      expect(globs.flatMap(alternatives).filter((glob) => globSync(glob, { cwd: root }).length === 0)).toEqual([]);
    },
  );

  it('finds the globs of the test projects', () => {
    expect(globsIn(readFileSync(posix.join(root, 'vitest.config.ts'), 'utf8')).length).toBeGreaterThan(15);
  });
});

describe('the checker', () => {
  const check = (files: Record<string, string>): string[] => breaches(new Map(Object.entries(files)));

  const lib = { 'src/lib/time.ts': 'export const now = 1;\n' };
  const domain = { 'src/domain/errors.ts': "import { now } from '../lib/time.ts';\nexport const then = now;\n" };
  const campus = { 'src/campus/wiring.ts': 'export interface Wiring {}\n' };
  const drivers = {
    'src/campus/products/urp/index.ts': 'export const jwc = 1;\n',
    'src/campus/products/card/index.ts': "export { client } from './client.ts';\n",
    'src/campus/products/card/client.ts': "import '../../contract/driver.ts';\nexport const client = 1;\n",
    'src/campus/contract/driver.ts': 'export const driver = 1;\n',
    'src/campus/wires.ts': 'export const wires = 1;\n',
    'src/campus/products/direct/index.ts': 'export const direct = 1;\n',
    'src/campus/drivers.ts':
      "import './products/urp/index.ts';\nimport './products/card/index.ts';\nimport './products/direct/index.ts';\n",
    'src/composition/services.ts': "import '../campus/drivers.ts';\n",
  };
  const storage = { 'src/storage/rows.ts': 'export const rows = 1;\n' };

  it.each([
    ['a domain that knows the campus', { 'src/domain/x.ts': "import { Wiring } from '../campus/wiring.ts';\n" }],
    ['a domain that knows the storage', { 'src/domain/x.ts': "export { rows } from '../storage/rows.ts';\n" }],
    ['types from the wrong side', { 'src/domain/x.ts': "import type { Wiring } from '../campus/wiring.ts';\n" }],
    ['a campus that knows the storage', { 'src/campus/x.ts': "import { rows } from '../storage/rows.ts';\n" }],
    [
      'a storage that calls the domain',
      {
        'src/domain/events/compare.ts': 'export const compare = 1;\n',
        'src/storage/x.ts': "import { compare } from '../domain/events/compare.ts';\n",
      },
    ],
    [
      'a storage that takes more than words of a file that it may name',
      {
        'src/domain/scopes.ts': 'export const isWriting = 1;\nexport const isScope = 1;\n',
        'src/storage/x.ts': "import { isScope, isWriting, type Scope } from '../domain/scopes.ts';\n",
      },
    ],
    [
      'a storage that takes a whole file of the domain',
      { 'src/domain/scopes.ts': 'export const isScope = 1;\n', 'src/storage/x.ts': "import '../domain/scopes.ts';\n" },
    ],
    ['a storage that knows the campus', { 'src/storage/x.ts': "import '../campus/wiring.ts';\n" }],
    ['a surface that knows the campus', { 'src/surfaces/b/x.ts': "import { W } from '../../campus/wiring.ts';\n" }],
    ['a configuration with campus values', { 'src/config/x.ts': "import { W } from '../campus/wiring.ts';\n" }],
    ['a demo campus that knows the domain', { 'src/demo/x.ts': "import { then } from '../domain/errors.ts';\n" }],
    ['a dynamic import', { 'src/domain/x.ts': "const x = await import('../storage/rows.ts');\n" }],
    ['a computed import', { 'src/lib/x.ts': 'const x = await import(name);\n' }],
    ['an import over several lines', { 'src/domain/x.ts': "import {\n  a,\n  b,\n} from '../storage/rows.ts';\n" }],
    ['undici outside the transport', { 'src/campus/x.ts': "import { request } from 'undici';\n" }],
    ['fastify in the domain', { 'src/domain/x.ts': "import type { FastifyRequest } from 'fastify';\n" }],
    ['a fastify plugin in the services', { 'src/composition/services.ts': "import cors from '@fastify/cors';\n" }],
    ['kysely outside the storage', { 'src/campus/x.ts': "import { sql } from 'kysely';\n" }],
    ['node:sqlite in a second file', { 'src/storage/x.ts': "import { DatabaseSync } from 'node:sqlite';\n" }],
    ['typebox in the domain', { 'src/domain/x.ts': "import { Type } from '@sinclair/typebox';\n" }],
    ['a package in lib', { 'src/lib/x.ts': "import { LRUCache } from 'lru-cache';\n" }],
    ['the environment outside main', { 'src/http/x.ts': 'export const port = process.env.PORT;\n' }],
    ['the process by import', { 'src/lib/x.ts': "import { env } from 'node:process';\n" }],
    ['the console', { 'src/main.ts': "console.log('up');\n" }],
    ['the time of the machine', { 'src/domain/x.ts': 'export const at = Date.now();\n' }],
    ['the date of the machine', { 'src/domain/x.ts': 'export const at = new Date();\n' }],
    ['a second engine for work behind the scenes', { 'src/storage/x.ts': 'setInterval(() => {}, 1_000);\n' }],
    ['the portal outside its folder', { 'src/campus/x.ts': "export const cookie = 'TWFID';\n" }],
    ['a branch on one upstream', { 'src/campus/x.ts': "export const odd = (name: string) => name === 'isim';\n" }],
    ['a driver that knows another', { ...drivers, 'src/campus/products/urp/x.ts': "import '../card/client.ts';\n" }],
    ['a driver that knows the core', { ...drivers, 'src/campus/products/urp/x.ts': "import '../../wires.ts';\n" }],
    ['a core that knows a driver', { ...drivers, 'src/campus/x.ts': "import './products/urp/index.ts';\n" }],
    [
      'a portal that knows a client',
      { ...drivers, 'src/campus/products/direct/x.ts': "import '../card/client.ts';\n" },
    ],
    ['a list of drivers in a second place', { ...drivers, 'src/campus/x.ts': "import './drivers.ts';\n" }],
    ['a missing file', { 'src/lib/x.ts': "import { a } from './missing.ts';\n" }],
    ['an import without its ending', { 'src/lib/x.ts': "import { now } from './clock';\n" }],
    ['something outside the sources', { 'src/lib/x.ts': "import { a } from '../../test/support/a.ts';\n" }],
    ['a name that is not kebab-case', { 'src/lib/someThing.ts': 'export const a = 1;\n' }],
    ['a folder without a layer', { 'src/helpers/a.ts': 'export const a = 1;\n' }],
  ])('catches %s', (_, files) => {
    expect(check({ ...lib, ...domain, ...campus, ...storage, ...files })).toHaveLength(1);
  });

  it('catches a surface that knows the other one', () => {
    expect(
      check({
        'src/surfaces/a/present.ts': 'export const a = 1;\n',
        'src/surfaces/b/x.ts': "import { a } from '../a/present.ts';\n",
      }),
    ).toEqual(['src/surfaces/b/x.ts: surfaces/b must not import surfaces/a (src/surfaces/a/present.ts)']);
  });

  it('lets both surfaces take record shapes from their common folder, which knows neither of them', () => {
    const common = { 'src/surfaces/common/schemas.ts': 'export const row = 1;\n' };
    const use = "import { row } from '../common/schemas.ts';\nexport const rows = row;\n";
    expect(check({ ...common, 'src/surfaces/a/rows.ts': use, 'src/surfaces/b/rows.ts': use })).toEqual([]);
    expect(
      check({
        'src/surfaces/a/rows.ts': 'export const rows = 1;\n',
        'src/surfaces/common/schemas.ts': "import { rows } from '../a/rows.ts';\nexport const row = rows;\n",
      }),
    ).toEqual(['src/surfaces/common/schemas.ts: surfaces/common must not import surfaces/a (src/surfaces/a/rows.ts)']);
  });

  it('catches a surface that knows the composition, also one of types', () => {
    const services = { 'src/composition/services.ts': 'export const services = 1;\n' };
    for (const statement of ['import', 'import type']) {
      const source = `${statement} { services } from '../../composition/services.ts';\n`;
      expect(check({ ...services, 'src/surfaces/a/x.ts': source })).toEqual([
        'src/surfaces/a/x.ts: surfaces/a must not import composition (src/composition/services.ts)',
      ]);
    }
  });

  it('catches a circle, also one of types', () => {
    expect(
      check({
        'src/lib/a.ts': "import { b } from './b.ts';\n",
        'src/lib/b.ts': "import type { C } from './c.ts';\n",
        'src/lib/c.ts': "export { a } from './a.ts';\n",
      }),
    ).toEqual(['circle of imports: src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts']);
  });

  it('catches a circle of rooms in the domain, and ground that knows an area', () => {
    const card = { 'src/domain/card/rows.ts': 'export const rows = 1;\n' };
    const hooks = {
      'src/domain/hooks/a.ts': "import '../calendar/b.ts';\n",
      'src/domain/hooks/c.ts': 'export const c = 1;\n',
      'src/domain/calendar/b.ts': 'export const b = 1;\n',
      'src/domain/calendar/d.ts': "import '../hooks/c.ts';\n",
    };
    expect(check(hooks)).toEqual([
      'circle of imports: rooms/hooks/room.ts → rooms/calendar/room.ts → rooms/hooks/room.ts',
    ]);
    const reads = { 'src/domain/reads/x.ts': "import '../card/rows.ts';\n" };
    expect(check({ ...card, ...reads })).toEqual([
      'src/domain/reads/x.ts: stands below the areas of the domain and must not import src/domain/card/rows.ts',
    ]);
  });

  it('catches a circle of rooms in the campus', () => {
    expect(
      check({
        'src/campus/session/a.ts': "import '../portal/b.ts';\n",
        'src/campus/session/c.ts': 'export const c = 1;\n',
        'src/campus/portal/b.ts': 'export const b = 1;\n',
        'src/campus/portal/d.ts': "import '../session/c.ts';\n",
      }),
    ).toEqual(['circle of imports: rooms/session/room.ts → rooms/portal/room.ts → rooms/session/room.ts']);
  });

  it('does not take comments for code', () => {
    expect(
      importsOf('src/lib/a.ts', "// import { a } from './b.ts';\n/**\n * import('./c.ts')\n */\nexport const a = 1;\n"),
    ).toEqual([]);
    expect(check({ 'src/lib/a.ts': '// console.log and process.env are not for here\nexport const a = 1;\n' })).toEqual(
      [],
    );
  });
});

describe('the rule of names', () => {
  const verdict = 'export type Verdict = string;\n';
  const excepted = {
    'src/surfaces/a/operation.ts': 'export type Operation = 1;\ninterface StudentCall<B> extends OpenCall<B> {}\n',
    'src/surfaces/b/operation.ts': 'export interface Operation {}\ninterface StudentCall<B> extends OpenCall<B> {}\n',
  };
  const shared = (files: Record<string, string>): string[] =>
    sharedNames(new Map(Object.entries(files))).filter((line) => !line.startsWith('unused exception'));

  it.each([
    ['a second exported type', { 'src/campus/x.ts': 'export interface Verdict {}\n' }],
    ['a class of that name', { 'src/campus/x.ts': 'export abstract class Verdict {}\n' }],
    ['a private type of that name', { 'src/campus/x.ts': "type Verdict = 'passed' | 'wrong';\n" }],
    ['a constant of that name', { 'src/campus/x.ts': 'const Verdict = 1;\n' }],
    ['one of a product', { 'src/campus/products/urp/x.ts': verdict }],
  ])('catches %s', (_, files) => {
    expect(shared({ 'src/domain/accounts/guard/verdict.ts': verdict, ...files })).toEqual([
      expect.stringMatching(/^Verdict: src\/.*, src\//),
    ]);
  });

  it('catches a function that another file exports, and two private types of one name', () => {
    const one = { 'src/lib/a.ts': 'export const judge = (): number => 1;\n' };
    expect(shared({ ...one, 'src/domain/b.ts': 'async function judge() {}\n' })).toHaveLength(1);
    expect(shared({ 'src/lib/a.ts': 'interface Found {}\n', 'src/lib/b.ts': 'type Found<T> = T;\n' })).toHaveLength(1);
  });

  it('lets private constants share a name, a schema have its type, and siblings play one role', () => {
    const file = 'export interface Row extends RecordOf<typeof Row> {}\nexport const Row = 1;\nconst rows = 1;\n';
    expect(shared({ 'src/lib/a.ts': file, 'src/lib/b.ts': 'const rows = 2;\n' })).toEqual([]);
    const parser = 'export const parseScores = 1;\n';
    expect(shared({ 'src/campus/products/a/p.ts': parser, 'src/campus/products/b/p.ts': parser })).toEqual([]);
    expect(shared({ 'src/campus/products/a/p.ts': parser, 'src/campus/products/a/q.ts': parser })).toHaveLength(1);
    expect(shared({ 'src/surfaces/a/p.ts': parser, 'src/surfaces/b/p.ts': parser })).toEqual([]);
    expect(shared({ 'src/campus/products/a/p.ts': parser, 'src/domain/p.ts': parser })).toHaveLength(1);
    expect(shared(excepted)).toEqual([]);
  });

  it('catches an exception that nobody needs any more', () => {
    expect(sharedNames(new Map(Object.entries(excepted)))).toContain('unused exception: PlacedRow');
  });
});
