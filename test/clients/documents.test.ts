import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { wordsOf } from '../support/words.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/use/clients.md'), 'utf8');

const challenges = readFileSync(join(root, 'docs/use/challenges.md'), 'utf8');

/** The first block of a language, and those that follow it up to the next heading: words may stand between them. */
const example = (language: string, from = text): string => {
  const begin = from.indexOf(`\`\`\`${language}\n`);
  if (begin < 0) throw new Error(`no example in ${language}`);
  const [section = ''] = from.slice(begin).split(/^#+ /m, 1);
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code).join('');
};
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** A service with one student, and a folder for programs, for the tests of one description. */
const place = (options?: Parameters<typeof startGateway>[0]) => {
  const at = { folder: mkdtempSync(join(tmpdir(), 'campus-documents-')) } as { folder: string; gateway: Gateway };
  beforeAll(async () => {
    at.gateway = await startGateway(options);
    await at.gateway.register(first);
  });
  afterAll(async () => {
    await at.gateway.close();
    rmSync(at.folder, { recursive: true });
  });
  return at;
};

describe('the examples of docs/use/clients.md', () => {
  const at = place();

  const printed = async (language: string, file: string, program: string, args: readonly string[] = []) => {
    const code = example(language).replace('http://127.0.0.1:3000', at.gateway.url);
    const source = join(root, 'clients/typescript/src/index.ts');
    writeFileSync(join(at.folder, file), code.replace("'campus-gateway-client'", JSON.stringify(source)));
    return (await run(program, [...args, file], { cwd: at.folder, timeout: 60_000 })).stdout;
  };

  it('for curl', async ({ skip }) => {
    skip(!has('curl'), 'needs curl');
    const output = await printed('sh', 'example.sh', 'sh');
    expect(output).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(output).toContain('获取学业信息成功');
    expect(output).toContain('"code":200');
  });

  it('for TypeScript', async () => {
    const output = await printed('ts', 'example.ts', process.execPath);
    expect(output).toMatch(/^keep this: true false\n\d\.\d+ 0 s old false\n(undefined\n)?no evaluation task\n$/);
  });

  it('for Python', async ({ skip }) => {
    skip(!has('python3'), 'needs python3');
    const output = await printed('python', 'example.py', 'python3');
    expect(output).toMatch(/^\d\.\d+ 0 s old\nVALIDATION_ERROR None [0-9a-f]{32}\n$/);
  });

  const { EXAMPLES_CLASSPATH: classes = '' } = process.env;
  const pubspec = 'name: example\nenvironment:\n  sdk: ^3.0.0\ndependencies:\n  http: any\n';
  /** Whether the packages of an example are there, without asking a registry for them. */
  const hasPackages = (language: string): boolean => {
    if (language !== 'dart') return language !== 'kotlin' || classes !== '';
    writeFileSync(join(at.folder, 'pubspec.yaml'), pubspec);
    return spawnSync('dart', ['pub', 'get', '--offline'], { cwd: at.folder }).status === 0;
  };
  it.for([
    ['kotlin', 'kotlinc', ['-cp', classes, '-d', 'out'], 'OkHttp and org.json in EXAMPLES_CLASSPATH'],
    ['dart', 'dart', ['analyze'], 'its package http'],
    ['swift', 'swiftc', ['-typecheck'], 'Foundation'],
  ] as const)('for %s compiles', async ([language, program, args, packages], { skip }) => {
    skip(!has(program) || !hasPackages(language), `needs ${program} and ${packages}`);
    const file = `Example.${language === 'kotlin' ? 'kt' : language}`;
    writeFileSync(join(at.folder, file), example(language));
    await run(program, [...args, file], { cwd: at.folder, timeout: 120_000 });
  });

  it.each(['kotlin', 'dart', 'swift'])('for %s name only operations that there are', async (language) => {
    const { paths } = (await at.gateway.b('GET', '/openapi.json')).body;
    const calls = [...example(language).matchAll(/call\(['"](\w+)['"], ['"](\/[^'"]+)['"]/g)];
    const known = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '…')}`),
    );
    expect(calls.length).toBeGreaterThan(1);
    const unknown = calls.map(([, method, path = '']) => `${method} ${path.replace(/\$\w+/g, '…')}`);
    expect(unknown.filter((call) => !known.includes(call))).toEqual([]);
  });
});

describe.each(['docs/use/first-app.md', 'docs/zh/first-app.md'])('the first app of %s', (path) => {
  const app = readFileSync(join(root, path), 'utf8');
  const blocks = (language: string): string =>
    [...app.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code).join('\n');
  const at = place();
  const executed = async (file: string, program: string, code: string): Promise<string> => {
    writeFileSync(join(at.folder, file), code.replaceAll('http://127.0.0.1:3000', at.gateway.url));
    return (await run(program, [file], { cwd: at.folder, timeout: 60_000 })).stdout;
  };

  it('runs with curl: the exams, a copy of them, those of the widget and the list of its tokens', async ({ skip }) => {
    skip(!has('curl'), 'needs curl');
    const output = await executed('app.sh', 'sh', blocks('sh').replaceAll(/^curl -s /gm, "curl -s -w '\\n' "));
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true]);
    expect(answers[2].data.exams).toEqual(answers[0].data.exams);
    expect(answers[3].data.tokens).toMatchObject([{ name: 'widget', copies_only: true, scopes: ['exams:read'] }]);
  });

  it('runs in TypeScript: the widget is answered with a copy', async () => {
    const source = JSON.stringify(join(root, 'clients/typescript/src/index.ts'));
    const output = await executed('app.ts', process.execPath, blocks('ts').replace("'campus-gateway-client'", source));
    expect(output).toMatch(/^\d+ 获取考试信息成功\ntrue\n$/);
  });

  it('is short: at most 700 words', () => {
    expect(wordsOf(app)).toBeLessThanOrEqual(path.includes('zh') ? 900 : 700);
  });
});

describe('the walks of docs/use/challenges.md', () => {
  const clock = new ManualClock();
  const at = place({ clock });
  beforeAll(() => at.gateway.demo.student(first.userid).setSecondFactor('sms'));
  beforeEach(() => {
    // A student whom the campus has asked for a code gets a token at once for half an hour after his last answer.
    clock.advance(31 * 60_000);
    at.gateway.demo.student(first.userid).expirePortal();
  });

  /** Runs it, and types what it asks for: words of the test, or the code that the phone received. */
  const typed = async (
    language: string,
    file: string,
    program: string,
    replies: readonly [RegExp, string | null][],
  ) => {
    const source = join(root, 'clients/typescript/src/index.ts');
    const code = example(language, challenges)
      .replace('http://127.0.0.1:3000', at.gateway.url)
      .replace("'campus-gateway-client'", JSON.stringify(source));
    writeFileSync(join(at.folder, file), code);
    const running = spawn(program, [file], { cwd: at.folder });
    let output = '';
    let from = 0;
    const waiting = [...replies];
    running.stderr.on('data', (text) => {
      output += text;
    });
    running.stdout.on('data', (text) => {
      output += text;
      const [next] = waiting;
      if (next === undefined || !next[0].test(output.slice(from))) return;
      from = output.length;
      waiting.shift();
      running.stdin.write(`${next[1] ?? at.gateway.demo.messages().at(-1)?.text}\n`);
    });
    await new Promise((resolve) => running.on('close', resolve));
    return output;
  };

  it('in TypeScript', async () => {
    const prompt = /give up: $/;
    const output = await typed('ts', 'walk.ts', process.execPath, [
      [prompt, 'send'],
      [prompt, null],
    ]);
    expect(output).toMatch(/^open\n学校VPN门户要求短信验证码.*over\n\d\.\d+\n$/s);
  });

  it('with curl', async ({ skip }) => {
    skip(!has('curl'), 'needs curl');
    const output = await typed('sh', 'walk.sh', 'sh', [[/received:\n$/, null]]);
    expect(output).toMatch(/"token":"[\w-]{43}"/);
  });

  it('in Dart and with curl name only operations that there are', async () => {
    const { paths } = (await at.gateway.b('GET', '/openapi.json')).body;
    const called = challenges.match(/\/auth\/(?:challenges|login)[\w/${}]*/g) ?? [];
    const plain = (path: string) => path.replace(/\{\w+\}|\$\w+/g, '…');
    const known = Object.keys(paths).map(plain);
    expect(called.length).toBeGreaterThan(6);
    expect(called.map(plain).filter((path) => !known.includes(path))).toEqual([]);
  });
});
