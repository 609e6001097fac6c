import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run generators`: makes clients of docs/reference/openapi.json with the usual generator, compiles them, and runs a program
 * with each against the demo campus that logs in, reads scores with their age and tells a failure by its code. Needs
 * Python and Java for the generator and the compilers of the languages: what is missing is named and left out.
 * `--within SECONDS` ends it early, `--record` writes the table of docs/use/clients.md, `--document FILE` takes
 * another description, for which nothing is run.
 */

const { values } = parseArgs({
  options: {
    within: { type: 'string', default: '900' },
    only: { type: 'string', default: 'python,typescript,go,oapi-codegen,java' },
    document: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../..');
const document = values.document ?? join(root, 'docs/reference/openapi.json');
const programs = join(import.meta.dirname, 'programs');
const kept = join(root, 'tools/node_modules/.generators');
const generatorVersion = '7.26.0';
const oapiVersion = '2.8.2';
const end = Date.now() + Number(values.within) * 1_000;
const student = ['2023000001', 'demo-password', 'demo-vpn'];
const expected = /^age true\nfailure 401 INVALID_AUTHENTICATION\n$/i;

class Failed extends Error {}

/** @throws Failed with the last lines of the output */
const run = (cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}): string => {
  const left = end - Date.now();
  if (left <= 0) throw new Failed('out of time');
  const result = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: left,
    env: { ...process.env, ...env },
    maxBuffer: 64 << 20,
  });
  if (result.status === 0) return result.stdout;
  if (Date.now() >= end) throw new Failed('out of time');
  const said = `${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`;
  throw new Failed(said.trim().split('\n').slice(-12).join('\n'));
};
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const python = join(kept, 'bin/python');
const compiler = join(root, 'tools/node_modules/typescript-7/bin/tsc');

interface Language {
  readonly generator: string;
  readonly settings?: Record<string, unknown>;
  readonly tool: string;
  /** The command must exist, and answer to these arguments. */
  readonly needs: readonly [string, ...string[]];
  /** Installs a separate generator; left out: the common one makes it. */
  install?(): void;
  /** Compiles what lies in `folder` together with our program, and says how that is run; null: there is no program. */
  compile(folder: string): readonly [program: string, args: readonly string[], env?: Record<string, string>] | null;
}

const languages: Readonly<Record<string, Language>> = {
  python: {
    generator: 'python',
    tool: 'CPython, every module imported',
    needs: ['python3', '--version'],
    compile: (folder) => {
      const everything = globSync('openapi_client/{api,models}/*.py', { cwd: folder })
        .filter((path) => !path.endsWith('__init__.py'))
        .map((path) => `import ${path.slice(0, -3).replaceAll('/', '.')}`);
      run(folder, python, ['-W', 'error::SyntaxWarning', '-c', everything.join('\n')]);
      return [python, [join(programs, 'main.py')], { PYTHONPATH: folder }];
    },
  },
  typescript: {
    generator: 'typescript-fetch',
    // Without it the values of `v1FetchTermScore` are called like the schema.
    settings: { additionalProperties: { prefixParameterInterfaces: true } },
    tool: 'tsc --strict',
    needs: [process.execPath, compiler, '--version'],
    compile: (folder) => {
      cpSync(join(programs, 'main.ts'), join(folder, 'main.ts'));
      const options =
        '--ignoreConfig --strict --outDir out --target es2022 --module commonjs --moduleResolution bundler';
      run(folder, process.execPath, [compiler, ...options.split(' '), '--lib', 'es2022,dom', '--types', '', 'main.ts']);
      return [process.execPath, ['out/main.js']];
    },
  },
  go: {
    generator: 'go',
    tool: 'go build',
    needs: ['go', 'version'],
    compile: (folder) => {
      mkdirSync(join(folder, 'cmd'));
      cpSync(join(programs, 'main.go'), join(folder, 'cmd/main.go'));
      run(folder, 'go', ['build', '-o', 'program', './cmd']);
      return ['./program', []];
    },
  },
  // Has one name space for schemas, answers and what it makes of operations.
  'oapi-codegen': {
    generator: `oapi-codegen ${oapiVersion}`,
    tool: 'go build',
    needs: ['go', 'version'],
    install: () => {
      const folder = join(kept, 'go');
      const program = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${oapiVersion}`;
      if (!existsSync(join(folder, 'oapi-codegen'))) run(root, 'go', ['install', program], { GOBIN: folder });
    },
    compile: (folder) => {
      mkdirSync(folder);
      const made = run(folder, join(kept, 'go/oapi-codegen'), ['-package', 'campus', document]);
      writeFileSync(join(folder, 'campus.go'), made);
      run(folder, 'go', ['mod', 'init', 'campus']);
      run(folder, 'go', ['mod', 'tidy']);
      run(folder, 'go', ['build', './...']);
      return null;
    },
  },
  java: {
    generator: 'java',
    settings: { library: 'native' },
    tool: 'javac 17 by Maven',
    needs: ['mvn', '--version'],
    compile: (folder) => {
      cpSync(join(programs, 'Program.java'), join(folder, 'src/main/java/Program.java'));
      run(folder, 'mvn', [
        ...['-q', '-B', '-DskipTests', '-Dmdep.outputFile=classpath.txt'],
        ...['compile', 'dependency:build-classpath'],
      ]);
      const classes = `target/classes${delimiter}${readFileSync(join(folder, 'classpath.txt'), 'utf8')}`;
      return ['java', ['-cp', classes, 'Program']];
    },
  },
};

/** The generator as a package of Python, whose wheel holds the program, and what clients in Python need. */
const install = (): string => {
  const jar = () =>
    globSync('lib/python3*/site-packages/openapi_generator_cli/openapi-generator.jar', { cwd: kept })[0];
  if (!existsSync(join(kept, `installed-${generatorVersion}`))) {
    rmSync(kept, { recursive: true, force: true });
    run(root, 'python3', ['-m', 'venv', kept]);
    const packages = [
      `openapi-generator-cli==${generatorVersion}`,
      'pydantic>=2.11,<3',
      'urllib3>=2.1,<3',
      'python-dateutil',
    ];
    run(root, python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...packages]);
    writeFileSync(join(kept, `installed-${generatorVersion}`), '');
  }
  return join(kept, jar() ?? '');
};

/** All of them in one run, since starting the generator takes longer than its work. */
const generate = (jar: string, work: string, ids: readonly string[]): void => {
  const quiet = { apiDocs: 'false', modelDocs: 'false', apiTests: 'false', modelTests: 'false' };
  const files = ids.map((id) => {
    const { generator, settings } = languages[id] ?? { generator: id };
    const file = join(work, `${id}.json`);
    const outputDir = join(work, id);
    const globalProperties = { apis: '', models: '', supportingFiles: '', ...quiet };
    const config = { generatorName: generator, inputSpec: document, outputDir, globalProperties, ...settings };
    writeFileSync(file, JSON.stringify(config));
    return file;
  });
  run(work, 'java', ['-jar', jar, 'batch', '--threads', '2', '--fail-fast', '--timeout', '10', ...files]);
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = Object(server.address());
      server.close(() => resolve(port));
    });
  });

/** The service with the demo campus and its first student, and how to end it. */
const serve = async (): Promise<{ readonly base: string; readonly stop: () => void }> => {
  const port = await freePort();
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: 'sqlite::memory:',
    CAMPUS: 'demo',
  };
  const launch = ['src/cli/launch.cjs', '--disable-sigusr1', 'src/main.ts'];
  const service = spawn(process.execPath, launch, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const base = `http://127.0.0.1:${port}`;
  const post = async (path: string, body: object): Promise<Record<string, object>> => {
    const headers = { 'content-type': 'application/json' };
    return Object(await (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json());
  };
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (text) => String(text).includes(base) && resolve());
    service.once('exit', () => reject(new Failed('the service does not start')));
  });
  const [userid, password, vpn_password] = student;
  const { data } = await post('/auth/register/invite', { invite_code: 'DEMO-2026' });
  await post('/auth/register/next', { userid, password, vpn_password, ...data });
  return { base, stop: () => void service.kill() };
};

interface Row {
  readonly id: string;
  readonly tool: string;
  readonly result: string;
  readonly isBad: boolean;
}

const tried = (id: string, work: string, base: string | null): Row => {
  const { tool, compile, install: installOwn } = languages[id] ?? {};
  const row = (result: string, isBad: boolean): Row => ({ id, tool: tool ?? '', result, isBad });
  try {
    installOwn?.();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    // A registry that is not there proves nothing about the description.
    return row(`not tried: ${error.message}`, false);
  }
  try {
    const made = compile?.(join(work, id)) ?? null;
    if (base === null || made === null) return row('compiles', false);
    const [program, args, env] = made;
    const said = run(join(work, id), program, [...args, base, ...student], env);
    return expected.test(said) ? row('compiles; the program runs', false) : row(`the program says ${said}`, true);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return error.message === 'out of time'
      ? row('not tried: out of time', false)
      : row(`fails: ${error.message}`, true);
  }
};

const record = (rows: readonly Row[]): void => {
  const file = join(root, 'docs/use/clients.md');
  const day = new Date().toISOString().slice(0, 10);
  const lines = rows.map(({ id, tool, result }) => `| ${languages[id]?.generator} | ${tool} | ${result} | ${day} |`);
  const head = '\n| Generator | Compiled with | Result | On |\n|---|---|---|---|\n';
  const table = `<!-- npm run generators -->\n${head}${lines.join('\n')}\n\n<!-- end -->`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/<!-- npm run generators -->[\s\S]*<!-- end -->/, table));
};

const main = async (): Promise<void> => {
  const wanted = values.only.split(',').filter((id) => Object.hasOwn(languages, id));
  const missing = (needs: readonly [string, ...string[]]) => !has(needs[0], ...needs.slice(1));
  const there = wanted.filter((id) => !missing(languages[id]?.needs ?? ['']));
  for (const id of wanted.filter((each) => !there.includes(each)))
    process.stdout.write(`${id}: not tried, no ${languages[id]?.needs[0]}\n`);
  if (missing(['java', '-version']) || missing(['python3', '-m', 'venv', '--help']) || there.length === 0) {
    process.stdout.write('generators: not tried, they need Java and Python\n');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'campus-generators-'));
  let service: Awaited<ReturnType<typeof serve>> | null = null;
  try {
    const jar = install();
    generate(
      jar,
      work,
      there.filter((id) => languages[id]?.install === undefined),
    );
    service = values.document === undefined ? await serve() : null;
    const rows: Row[] = [];
    for (const id of there) {
      const row = tried(id, work, service?.base ?? null);
      process.stdout.write(`${id}: ${row.result} (${row.tool})\n`);
      rows.push(row);
    }
    if (rows.some(({ isBad }) => isBad)) process.exitCode = 1;
    else if (values.record) record(rows);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    // A registry that is not there proves nothing about the description; a generator that gives up does.
    const isOurs = existsSync(join(kept, `installed-${generatorVersion}`)) && error.message !== 'out of time';
    process.stdout.write(`generators: ${isOurs ? 'the generator gives up' : 'not tried'}: ${error.message}\n`);
    if (isOurs) process.exitCode = 1;
  } finally {
    service?.stop();
    rmSync(work, { recursive: true });
  }
};
await main();
