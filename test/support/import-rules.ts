import { posix } from 'node:path';

/** Source files by path from the project's root, e.g. `src/lib/time.ts`. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** The values that it names; `*` for all of them. */
  readonly values: readonly string[];
}

/** The layers that each layer may import beside itself; `type:` allows types only. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib'],
  campus: ['domain', 'lib'],
  storage: ['domain', 'lib'],
  icalendar: ['domain', 'lib'],
  webhooks: ['domain', 'lib'],
  http: ['domain', 'lib'],
  pages: ['http', 'domain', 'lib'],
  'surfaces/common': ['domain', 'lib'],
  'surfaces/a': ['surfaces/common', 'domain', 'http', 'lib'],
  'surfaces/b': ['surfaces/common', 'domain', 'http', 'lib'],
  demo: ['lib'],
  config: ['lib', 'type:campus'],
  composition: [
    'config',
    'demo',
    'domain',
    'campus',
    'storage',
    'icalendar',
    'webhooks',
    'http',
    'pages',
    'surfaces/a',
    'surfaces/b',
    'lib',
  ],
  main: ['composition', 'config', 'http', 'lib'],
  cli: ['composition', 'config', 'domain', 'lib', 'type:storage'],
};

/** Packages that have one home. Everything else may be used where the layer has a use for it. */
const packageHomes: ReadonlyArray<{ packages: RegExp; homes: RegExp; where: string }> = [
  {
    packages: /^undici$/,
    homes: /^src\/(campus\/transport\/http[a-z-]*|webhooks\/sender)\.ts$/,
    where: 'src/campus/transport/http*.ts and src/webhooks/sender.ts',
  },
  {
    packages: /^node:sqlite$/,
    homes: /^src\/storage\/database\/sqlite\.ts$/,
    where: 'src/storage/database/sqlite.ts',
  },
  { packages: /^(kysely|pg)(\/|$)/, homes: /^src\/storage\//, where: 'storage' },
  {
    packages: /^(fastify|@fastify\/|@scalar\/|prom-client)/,
    homes: /^src\/(http|pages|surfaces)\/|^src\/composition\/app\.ts$/,
    where: 'http, pages, surfaces and composition/app.ts',
  },
  { packages: /^pino(-|$)/, homes: /^src\/http\/|^src\/main\.ts$/, where: 'http and main' },
  { packages: /^(entities|tough-cookie)(\/|$)/, homes: /^src\/campus\//, where: 'campus' },
  { packages: /^(ical\.js|timezones-ical-library)$/, homes: /^src\/icalendar\//, where: 'icalendar' },
  {
    packages: /^piscina$/,
    homes: /^src\/campus\/transport\/page-threads\.ts$/,
    where: 'src/campus/transport/page-threads.ts',
  },
  { packages: /^close-with-grace$/, homes: /^src\/main\.ts$/, where: 'main' },
];

/** Layers that are plain TypeScript: nothing but Node itself and these packages. */
const plainLayers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lru-cache'],
  demo: ['lru-cache'],
};

/** Files of plain layers that may use one more package: they declare records, or read what was stored as text. */
const snapshotReaders: ReadonlyArray<{ packages: RegExp; files: RegExp }> = [
  {
    packages: /^@sinclair\/typebox(\/value)?$/,
    files: /^src\/domain\/(?:record|read-row|challenge|(?:[a-z-]+\/)+(?:records|reads|row)|evaluation\/task)\.ts$/,
  },
  { packages: /^@sinclair\/typebox\/compiler$/, files: /^src\/domain\/record\.ts$/ },
  {
    packages: /^@sinclair\/typebox$/,
    files: /^src\/domain\/(?:calendar\/(?:classes|exams|activities|contents|sources)|events\/compare)\.ts$/,
  },
];

const processFiles = /^src\/(main\.ts|cli\/)/;

/** Words that must not stand in a source file, except in the files named. */
const forbiddenWords: ReadonlyArray<{ word: RegExp; except: RegExp; say: string }> = [
  {
    word: /\bprocess\.[a-zA-Z]|\bnode:process\b/,
    except: processFiles,
    say: 'touches the process; only main and cli do',
  },
  { word: /\bconsole\./, except: /^$/, say: 'writes to the console' },
  { word: /\bDate\.now\(/, except: /^src\/(lib\/time|main)\.ts$/, say: 'reads the time; a Clock is passed' },
  {
    word: /\bnew Date\(\)/,
    except: /^src\/(http\/logs\/logger|main)\.ts$/,
    say: 'reads the time; a Clock is passed',
  },
  {
    word: /TWFID|8118|svpn_|sangfor/i,
    except: /^src\/(campus\/products\/ssl-vpn|demo)\/|^src\/(?:config\/settings\/campus|cli\/detect)\.ts$/,
    say: 'knows the kind of the portal; only its driver does',
  },
  {
    word: /[!=]==? '(?:vpn|cas|jwc|aac|ldjlb|isim|competition)'|case '(?:vpn|cas|jwc|aac|ldjlb|isim|competition)'/,
    except: /^src\/demo\//,
    say: 'asks which upstream it is; its row in campus/contract/upstreams.ts says what is different',
  },
  { word: /\bsetInterval\(/, except: /^$/, say: 'repeats work by itself; a Loop of lib/loop.ts does' },
  { word: /\bMath\.random\(/, except: /^src\/(?!domain\/)/, say: 'uses a random source that cannot be passed in' },
];

const layerOf = (path: string): string => {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'surfaces') return `surfaces/${second}`;
  return first.replace(/\.ts$/, '');
};

const withoutComments = (source: string): string => source.replace(/^\s*(\/\/|\/?\*).*$/gm, '');

const valuesIn = (clause: string): string[] =>
  clause
    .replace(/[{}]/g, '')
    .split(',')
    .flatMap((each) => each.trim().split(/\s+as\s+/)[0] || [])
    .filter((name) => !name.startsWith('type '));

export const importsOf = (from: string, source: string): Import[] => {
  const statements = /^(?:import|export)\s+(type\s+)?(?:([^'"`;]*?)\sfrom\s+)?['"]([^'"]+)['"]/gm;
  const dynamic =
    /(?:(?<![.#\w])import\(\s*['"`]([^'"`$]+)['"`]|\b(?:await|return)\s+import\(\s*([^'"\s)][^)]*))\s*\)/g;
  const text = withoutComments(source);
  return [
    ...[...text.matchAll(statements)].map(([, type, clause = '*', specifier = '']) => ({
      ...{ from, specifier, typeOnly: !!type },
      values: type ? [] : valuesIn(clause),
    })),
    ...[...text.matchAll(dynamic)].map(([, literal, other]) => ({
      from,
      specifier: literal ?? `(${other})`,
      typeOnly: false,
      values: ['*'],
    })),
  ];
};

const targetOf = ({ from, specifier }: Import): string | null =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;

/** The folder of a product: one with a driver. */
const productOf = (path: string, sources: Sources): string | null => {
  const [folder = null] = /^src\/campus\/products\/[a-z0-9-]+(?=\/)/.exec(path) ?? [];
  return folder !== null && sources.has(`${folder}/index.ts`) ? folder : null;
};

/** All that storage takes from the domain besides types. None of it decides: that comes over a port, or from composition. */
const storedWords: ReadonlyArray<{ readonly file: string; readonly names: readonly string[]; readonly why: string }> = [
  { file: 'errors.ts', names: ['failures', 'isFailure'], why: 'a store fails as everything else does' },
  { file: 'accounts/sign-in/records.ts', names: ['SealedChallenge'], why: 'the shape of a sealed value' },
  { file: 'record.ts', names: ['literals'], why: 'how the shape of a sealed value says one word of a list' },
  { file: 'challenge.ts', names: ['challengePurposes'], why: 'words of a column' },
  { file: 'scopes.ts', names: ['isScope'], why: 'words of a column, of which a later version may know more' },
  { file: 'accounts/tokens/personal-tokens.ts', names: ['grantKinds'], why: 'the tables of what is granted' },
  { file: 'calendar/kinds.ts', names: ['feedParts', 'feedReads'], why: 'columns, and the reads that each stands for' },
  { file: 'events/records.ts', names: ['eventTypeNames', 'isEventType'], why: 'words of a column' },
  { file: 'hooks/formats.ts', names: ['formatNames'], why: 'words of a column' },
  {
    file: 'hooks/ports.ts',
    names: ['deliveryFaults', 'hookDetails', 'hookRefreshes', 'hookStates'],
    why: 'words of columns',
  },
  { file: 'profiles/types.ts', names: ['appThemes', 'defaultTheme'], why: 'words of a column, and its first row' },
];

const isStoredWord = (target: string, name: string): boolean =>
  storedWords.some(({ file, names }) => target === `src/domain/${file}` && names.includes(name));

/** The names of that list that storage does not take. */
export const idleWords = (sources: Sources): string[] => {
  const taken = [...sources].flatMap(([path, source]) => (layerOf(path) === 'storage' ? importsOf(path, source) : []));
  const isTaken = (file: string, name: string): boolean =>
    taken.some((edge) => targetOf(edge) === `src/domain/${file}` && edge.values.includes(name));
  return storedWords.flatMap(({ file, names }) => names.filter((name) => !isTaken(file, name)));
};

/** Drivers are made with these files. */
const kit = /^src\/campus\/(?:contract\/|parsing\/|transport\/http\.ts)/;
const registry = 'src/campus/drivers.ts';

/** A driver knows the kit and itself, and only the list of drivers knows them. */
const driverProblem = (from: string, target: string, sources: Sources): string | null => {
  if (target === registry)
    return from === 'src/composition/services.ts' ? null : 'names the drivers; only composition/services.ts does';
  const [own, other] = [productOf(from, sources), productOf(target, sources)];
  if (own === other) return null;
  if (own !== null && other === null) {
    const known = !target.startsWith('src/campus/') || kit.test(target);
    return known ? null : `is part of a driver and must not import ${target}`;
  }
  const isListed = from === registry && target.endsWith('/index.ts');
  return isListed ? null : `must not import ${target}, which belongs to a driver`;
};

const localProblem = (edge: Import, target: string, sources: Sources): string | null => {
  if (!sources.has(target)) return `imports ${edge.specifier}, which is no source file of ours`;
  const [own, other] = [layerOf(edge.from), layerOf(target)];
  const breach = driverProblem(edge.from, target, sources) ?? groundProblem(edge.from, target);
  const called =
    own === 'storage' && other === 'domain' ? edge.values.find((name) => !isStoredWord(target, name)) : null;
  if (called)
    return `takes ${called} of the domain (${target}); it decides over a port, and storage has the statements`;
  if (own === other || breach !== null) return breach;
  const allowed = layers[own] ?? [];
  if (allowed.includes(other) || (edge.typeOnly && allowed.includes(`type:${other}`))) return null;
  return `${own} must not import ${other}${allowed.includes(`type:${other}`) ? ' except as types' : ''} (${target})`;
};

const packageProblem = ({ from, specifier }: Import): string | null => {
  // The thread that reads large pages loads the module of their reader.
  if (specifier === '(place.module)' && from === 'src/campus/transport/page-threads.ts') return null;
  if (specifier.startsWith('(')) return `imports a computed name ${specifier}`;
  const home = packageHomes.find(({ packages }) => packages.test(specifier));
  if (home && !home.homes.test(from)) return `must not import ${specifier}; its home is ${home.where}`;
  const plain = plainLayers[layerOf(from)];
  const isReader = snapshotReaders.some(({ packages, files }) => packages.test(specifier) && files.test(from));
  if (plain && !isReader && !specifier.startsWith('node:') && !plain.includes(specifier)) {
    return `${layerOf(from)} is plain TypeScript and must not import ${specifier}`;
  }
  return null;
};

const fileProblems = (path: string, source: string, sources: Sources): string[] => {
  const text = withoutComments(source);
  const problems = forbiddenWords
    .filter(({ word, except }) => word.test(text) && !except.test(path))
    .map(({ say }) => say);
  if (!/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+\.ts$/.test(path)) problems.push('is not named in kebab-case');
  if (!(layerOf(path) in layers)) problems.push(`belongs to no layer`);
  for (const edge of importsOf(path, source)) {
    const target = targetOf(edge);
    const problem = target === null ? packageProblem(edge) : localProblem(edge, target, sources);
    if (problem !== null) problems.push(problem);
  }
  return problems.map((problem) => `${path}: ${problem}`);
};

/** A folder of the domain, or a file beside the folders. */
const domainRoom = (path: string): string | null => /^src\/domain\/([^/]+)/.exec(path)?.[1] ?? null;

/** The same of the campus, where each product is a room. */
const campusRoom = (path: string): string | null =>
  /^src\/campus\/((?:products\/)?[^/]+)/.exec(path)?.[1]?.replace('/', '-') ?? null;

/** Rooms that all areas may import, and the imports within the domain that they may have. */
const ground: Readonly<Record<string, readonly string[]>> = {
  'record.ts': [],
  'scopes.ts': [],
  'challenge.ts': ['record.ts'],
  'errors.ts': ['scopes.ts', 'challenge.ts'],
  'context.ts': ['errors.ts', 'scopes.ts'],
  reads: ['context.ts', 'errors.ts', 'lease.ts', 'limits.ts'],
};

const groundProblem = (from: string, target: string): string | null => {
  const [own, other] = [domainRoom(from), domainRoom(target)];
  if (own === null || other === null || own === other || (ground[own]?.includes(other) ?? true)) return null;
  return `stands below the areas of the domain and must not import ${target}`;
};

/** The same map with rooms in place of their files: what they import, they import together. */
const asRooms = (sources: Sources, roomOf: (path: string) => string | null): Sources => {
  const rooms = new Map<string, string>();
  for (const [path, source] of sources) {
    const room = roomOf(path);
    if (room === null) continue;
    const others = importsOf(path, source).map((edge) => roomOf(targetOf(edge) ?? ''));
    const statements = others.flatMap((other) =>
      other === null || other === room ? [] : [`import '../${other.replace('.ts', '')}/room.ts';`],
    );
    const name = `rooms/${room.replace('.ts', '')}/room.ts`;
    rooms.set(name, [rooms.get(name) ?? '', ...statements].join('\n'));
  }
  return rooms;
};

/** The first circle of imports that is met, as `a → b → a`; null when there is none. Types count too. */
export const firstCycle = (sources: Sources): string | null => {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | null => {
    const at = trail.indexOf(path);
    if (at >= 0) return [...trail.slice(at), path].join(' → ');
    if (done.has(path)) return null;
    for (const edge of importsOf(path, sources.get(path) ?? '')) {
      const target = targetOf(edge);
      const cycle = target !== null && sources.has(target) ? visit(target, [...trail, path]) : null;
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of sources.keys()) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
};

/** Every breach of the rules, one line each; empty when all is well. */
export const breaches = (sources: Sources): string[] => {
  const cycle =
    firstCycle(sources) ?? firstCycle(asRooms(sources, domainRoom)) ?? firstCycle(asRooms(sources, campusRoom));
  const problems = [...sources].flatMap(([path, source]) => fileProblems(path, source, sources));
  return cycle === null ? problems : [...problems, `circle of imports: ${cycle}`];
};
